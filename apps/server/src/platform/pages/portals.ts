/** Which portal a request is for, and the files that each was built to. What a page looks like, the portal knows itself. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'
import { PORTALS, portalOfPath, type PortalName } from '@kvitt/domain/instances/portals.ts'
import type { Tenant } from '../http/call.ts'
import type { Encoding } from '../http/encodings.ts'
import { encodingOf, readAssets, sendAsset } from './assets.ts'
import { CSP_REPORTS } from './csp-reports.ts'
import type { KeptAssets } from './kept-assets.ts'
import { StartupError } from '../startup-error.ts'

/** A request for a page. */
export type Visit = {
  readonly request: FastifyRequest
  readonly tenant: Tenant
  /** What stands before the portal's own paths: nothing on its own host, `/home` on a host that several portals share. */
  readonly base: string
  /** The rest of the path, such as `sv/payments`; empty for the first page. */
  readonly path: string
}

export type Portal = {
  readonly name: PortalName
  /** Where it was built: what stands in `assets` there is served as it is. */
  readonly folder: string
  /** Answers a visit, or says undefined: the portal has no such page. */
  readonly answer: (
    visit: Visit,
    reply: FastifyReply,
  ) => FastifyReply | Promise<FastifyReply | undefined> | undefined
}

/**
 * Serves each portal at its own host, and by its path where `portalOf` names none.
 * @param portalOf the portal that the request's host names; undefined on a host that all share
 * @param kept what portals of other releases were built to; without it only this release's files are served
 * @throws StartupError when a portal is not built
 */
export function servePortals(
  app: FastifyInstance,
  portals: readonly Portal[],
  portalOf: (request: FastifyRequest) => PortalName | undefined,
  kept?: Pick<KeptAssets, 'find'>,
): void {
  const built = portals.map((portal) => {
    if (existsSync(portal.folder)) return { ...portal, assets: readAssets(join(portal.folder, 'assets')) }
    throw new StartupError(
      `The ${portal.name} portal is not built. Run "npm run build" first, or "npm start", which does it.`,
    )
  })
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { tenant } = request
    if (!tenant) throw new Refusal('not_found')
    const path = request.url.split('?', 1)[0] ?? ''
    const named = portalOf(request)
    const other = named && portalOfPath(path)
    if (other && portals.some(({ name }) => name === other.name)) return leadToHost(request, reply, named)
    const { name, base } = findPortal(path, named)
    const portal = built.find((one) => one.name === name)
    if (!portal) return notFound(reply)
    const rest = path.slice(base.length + 1)
    // "/home" stands beside what "/home/" holds.
    if (path === base) return redirect(reply, `${base}/${request.url.slice(path.length)}`)
    if (rest.startsWith('assets/')) {
      const file = rest.slice('assets/'.length)
      const asset = portal.assets.get(file) ?? (await kept?.find(file))
      return asset ? sendAsset(request, reply, asset) : notFound(reply)
    }
    return (await portal.answer({ request, tenant, base, path: rest }, reply)) ?? notFound(reply)
  }
  app.get('/', answer)
  app.get('/*', answer)
}

/** As where no route is: a call that has another method says so there. */
function notFound(reply: FastifyReply): FastifyReply {
  reply.callNotFound()
  return reply
}

/** The portal of a path, and what stands before the portal's own paths. */
function findPortal(path: string, named: PortalName | undefined): { name: PortalName; base: string } {
  if (named) return { name: named, base: '' }
  const found = portalOfPath(path)
  return { name: found?.name ?? 'debtor', base: found?.path ?? '' }
}

/**
 * From another portal's path to its own host: `/support/sv/` leads to a page at every host of an instance, so that links
 * between portals need not know where they are. The host is the one that named the instance, with the other's prefix.
 */
function leadToHost(request: FastifyRequest, reply: FastifyReply, named: PortalName): FastifyReply {
  const [, path = '', rest = ''] = /^(\/[a-z]+)\/?(.*)$/.exec(request.url) ?? []
  const prefixOf = (wanted: (portal: (typeof PORTALS)[number]) => boolean): string =>
    PORTALS.find(wanted)?.hostPrefix ?? ''
  const host = request.headers.host?.slice(prefixOf(({ name }) => name === named).length) ?? ''
  const target = `//${prefixOf((portal) => portal.path === path)}${host}/${rest}`
  return reply.header('cache-control', 'no-cache').redirect(target, 302)
}

/** Leads on within this host: `target` begins with a slash that is ours. */
export function redirect(reply: FastifyReply, target: string): FastifyReply {
  return reply.header('cache-control', 'no-cache').redirect(target, 302)
}

/** A page of this size takes brotli about a millisecond at this quality, and each one is another: its nonce. */
const PAGE_QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const PACKED: Readonly<Record<Encoding, (html: string) => Buffer>> = {
  br: (html) => brotliCompressSync(html, PAGE_QUALITY),
  gzip: (html) => gzipSync(html),
}

/** Sends a page that was made for this visit. `isAnswer`: to what somebody typed, so nothing keeps it. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { html, policy, isAnswer }: { readonly html: string; readonly policy: string; readonly isAnswer?: boolean },
): FastifyReply {
  const encoding = encodingOf(request, ['br', 'gzip'])
  if (encoding) reply.header('content-encoding', encoding)
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('reporting-endpoints', `csp="${CSP_REPORTS}"`)
    .header('cache-control', isAnswer ? 'no-store' : 'no-cache')
    .header('vary', 'accept-encoding, accept-language')
    .send(encoding ? PACKED[encoding](html) : html)
}
