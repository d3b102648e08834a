/**
 * Our OpenID provider at each address of an instance: authorisation code with PKCE for our own portals. The library
 * (`oidc-provider`) does the protocol; who somebody is, and what their session is, is ours.
 */
import { createECDH, createHash } from 'node:crypto'
import Provider, { interactionPolicy, type Configuration } from 'oidc-provider'
import type { Context } from '../context.ts'
import { BY_ISSUER, keepByIssuer } from './issuer-proof.ts'
import { readPersonById } from './oidc-items.queries.ts'
import { openStore } from './oidc-store.ts'
import { OIDC_PATH, PORTAL_CLIENTS, type Place } from './place.ts'

const MINUTE_S = 60
/** Half a day of work; the session itself ends earlier when nobody uses it. */
const SESSION_S = 12 * 60 * MINUTE_S

/** A P-256 key made of 32 secret bytes, so that every process signs with the same. */
function signingKey(secret: Uint8Array) {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(createHash('sha256').update(secret).update('signing').digest())
  const open = pair.getPublicKey()
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
  const [x, y] = [text(open.subarray(1, 33)), text(open.subarray(33, 65))]
  return { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', x, y, d: text(pair.getPrivateKey()) }
}

function configuration(
  context: Pick<Context, 'db' | 'clock'>,
  { instance, origin, bases }: Place,
  secret: Uint8Array,
): Configuration {
  const policy = interactionPolicy.base()
  // Whoever comes here shows who they are, also when this browser has signed in before: our session is the token's.
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check(
        'anew',
        'a sign-in is always shown',
        ({ oidc }) => oidc.result?.login === undefined,
      ),
    )
  policy.remove('consent')
  return {
    adapter: (model: string) => openStore(context, instance.id, model),
    clients: PORTAL_CLIENTS.map((client_id) => ({
      client_id,
      application_type: 'web',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      redirect_uris: [`${origin}${bases[client_id]}`],
      id_token_signed_response_alg: 'ES256',
    })),
    claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
    conformIdTokenClaims: false,
    cookies: {
      keys: [createHash('sha256').update(secret).update('cookies').digest('hex')],
      names: { session: 'kvitt_oidc', interaction: 'kvitt_oidc_try', resume: 'kvitt_oidc_resume' },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
      long: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    async findAccount(_ctx, id) {
      const person = await readPersonById(context.db, id)
      return (
        person && {
          accountId: id,
          claims: async () => ({ sub: id, email: person.email, name: person.name }),
        }
      )
    },
    interactions: { policy, url: (_ctx, { uid }) => `${OIDC_PATH}/interaction/${uid}` },
    jwks: { keys: [signingKey(secret)] },
    // The portals are our own: nobody is asked whether they may be used.
    loadExistingGrant: (ctx) => grantOf(context, instance.id, ctx),
    pkce: { required: () => true },
    renderError: (ctx) => {
      ctx.type = 'json'
      ctx.body = { error: 'invalid_request' }
    },
    ttl: {
      AccessToken: SESSION_S,
      AuthorizationCode: MINUTE_S,
      Grant: SESSION_S,
      IdToken: 10 * MINUTE_S,
      Interaction: 30 * MINUTE_S,
      Session: 30 * MINUTE_S,
    },
  }
}

type GrantLoader = NonNullable<Configuration['loadExistingGrant']>

/** A grant of this sign-in. Of one that was proven at the provider's own issuer it is kept by which, and when. */
async function grantOf(
  context: Pick<Context, 'db' | 'clock'>,
  instanceId: string,
  ctx: Parameters<GrantLoader>[0],
): Promise<Awaited<ReturnType<GrantLoader>>> {
  const { client, session, provider } = ctx.oidc
  if (!client || !session?.accountId) return undefined
  const { accountId: personId, amr, acr: issuer } = session
  const grant = new provider.Grant({ clientId: client.clientId, accountId: personId })
  grant.addOIDCScope('openid email profile')
  const grantId = await grant.save()
  if (amr?.includes(BY_ISSUER)) {
    const signedInAtMs = (session.authTime() ?? 0) * 1_000
    const by = { grantId, personId, issuer: issuer ?? '', signedInAtMs, validS: SESSION_S }
    await keepByIssuer(context, instanceId, by)
  }
  return grant
}

/** The provider of an instance at one of its addresses. */
export function openProvider(
  context: Pick<Context, 'db' | 'clock'>,
  place: Place,
  secret: Uint8Array,
): Provider {
  const provider = new Provider(`${place.origin}${OIDC_PATH}`, configuration(context, place, secret))
  // The address by which the browser came is told in headers that we write ourselves.
  provider.proxy = true
  return provider
}
