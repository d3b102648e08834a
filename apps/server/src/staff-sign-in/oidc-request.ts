/** A request of a browser that signs in, as the provider's library wants it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import { Refusal } from '@kvitt/domain/errors.ts'
import { siblingHost } from '@kvitt/domain/instances/portals.ts'
import { hostName, portalOfHost, type Instance } from '../instances/instances.ts'
import { OIDC_PATH, type Place } from './place.ts'

/** Where the portals of staff stand on the host that this request came to. */
export function placeOf(request: FastifyRequest): Place {
  const instance = request.tenant as Instance | undefined
  if (!instance) throw new Refusal('not_found')
  const { host = '' } = request.headers
  const own = portalOfHost(instance, host)
  const isShared = siblingHost(hostName(host) ?? '') === undefined
  const base = (name: 'client' | 'admin'): string => (isShared || own !== name ? `/${name}/` : '/')
  return {
    instance,
    origin: `${request.isHttps ? 'https' : 'http'}://${host.toLowerCase()}`,
    bases: { 'client-portal': base('client'), 'admin-portal': base('admin') },
  }
}

type NodeRequest = FastifyRequest['raw'] & { originalUrl?: string }

/** The request as the library wants it: below its own root, and with the address by which the browser came. */
export function asNode(request: FastifyRequest, { origin }: Place): NodeRequest {
  const raw: NodeRequest = request.raw
  const { protocol, host } = new URL(origin)
  raw.originalUrl ??= raw.url ?? '/'
  raw.url = raw.originalUrl.slice(OIDC_PATH.length)
  raw.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  raw.headers['x-forwarded-host'] = host
  delete raw.headers['x-forwarded-for']
  return raw
}

/** The sign-in that this browser is in the middle of. Refuses `sign_in_expired` when there is none. */
export async function detailsOf(provider: Provider, request: FastifyRequest, reply: FastifyReply) {
  const { uid } = request.params as { uid: string }
  try {
    const details = await provider.interactionDetails(asNode(request, placeOf(request)), reply.raw)
    if (details.uid === uid) return details
  } catch (error) {
    if ((error as Error).name !== 'SessionNotFound') throw error
  }
  throw new Refusal('sign_in_expired')
}
