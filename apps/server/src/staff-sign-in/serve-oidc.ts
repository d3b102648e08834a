/** The provider's addresses: the library answers below `/oidc`, but for the form of a sign-in, which is a portal's. */
import type { FastifyInstance } from 'fastify'
import type Provider from 'oidc-provider'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import { readOrMakeSecret } from '../platform/database/secrets.queries.ts'
import { guessNetworksOf, takeTry } from '../sign-in/sign-in.ts'
import { SECURITY_HEADERS } from '../platform/http/send-problem.ts'
import { asNode, detailsOf, placeOf } from './oidc-request.ts'
import { OIDC_PATH, PORTAL_CLIENTS, type Place } from './place.ts'
import { serveSteps } from './serve-steps.ts'

const MOST_PROVIDERS = 100
/** Sign-ins that one network begins in a quarter of an hour. */
const MOST_BEGUN = 300
const BEGUN_WINDOW_MS = 15 * 60_000

/** Serves sign-in of staff. */
export function serveStaffSignIn(app: FastifyInstance, context: Context): void {
  const providers = new Map<string, Provider>()
  let secret: Promise<Uint8Array> | undefined
  const providerOf = async (place: Place): Promise<Provider> => {
    const key = `${place.instance.id} ${place.origin}`
    const made = providers.get(key)
    if (made) return made
    secret ??= readOrMakeSecret(context.db, 'staff-sign-in')
    // The library is only loaded once somebody signs in.
    const { openProvider } = await import('./oidc.ts')
    const provider = openProvider(context, place, await secret)
    // Hosts are those of instances, and ports are few; a thousand made-up ones are forgotten again.
    if (providers.size >= MOST_PROVIDERS) providers.clear()
    providers.set(key, provider)
    return provider
  }
  void app.register(async (scope) => {
    scope.get(`${OIDC_PATH}/interaction/:uid`, async (request, reply) => {
      const place = placeOf(request)
      const provider = await providerOf(place)
      const { uid, params } = await detailsOf(provider, request, reply)
      const client = PORTAL_CLIENTS.find((name) => name === params.client_id)
      if (!client) throw new Refusal('not_found')
      return reply
        .header('cache-control', 'no-store')
        .redirect(`${place.bases[client]}?interaction=${encodeURIComponent(uid)}`, 303)
    })
    await scope.register(async (json) => serveSteps(json, context, providerOf))
    await scope.register(async (raw) => {
      // The library reads bodies itself.
      raw.removeAllContentTypeParsers()
      raw.addContentTypeParser('*', (_request, _payload, done) => done(null))
      for (const url of [
        `${OIDC_PATH}/auth`,
        `${OIDC_PATH}/auth/:uid`,
        `${OIDC_PATH}/token`,
        `${OIDC_PATH}/jwks`,
        `${OIDC_PATH}/.well-known/openid-configuration`,
      ]) {
        raw.route({
          method: ['GET', 'POST'],
          url,
          handler: async (request, reply) => {
            const place = placeOf(request)
            if (url === `${OIDC_PATH}/auth`) await takeBegun(context, place.instance, request.ip)
            const provider = await providerOf(place)
            reply.hijack()
            for (const [name, value] of Object.entries(SECURITY_HEADERS)) reply.raw.setHeader(name, value)
            reply.raw.setHeader('cache-control', 'no-store')
            await provider.callback()(asNode(request, place), reply.raw)
          },
        })
      }
    })
  })
}

/** A sign-in that begins is a row: strangers begin no more of them than a large office does. Refuses `sign_in_throttled`. */
async function takeBegun(context: Context, instance: Instance, address: string): Promise<void> {
  const { network, site } = guessNetworksOf(address)
  const budgets = [
    { name: JSON.stringify(['network', network]), limit: MOST_BEGUN },
    ...(site ? [{ name: JSON.stringify(['site', site]), limit: 2 * MOST_BEGUN }] : []),
  ]
  const isAllowed = await takeTry(context, instance, {
    scope: 'staff-sign-in-begun',
    budgets,
    windowMs: BEGUN_WINDOW_MS,
  })
  if (!isAllowed) throw new Refusal('sign_in_throttled')
}
