/** The built portals: files in memory with their compressed twins, and the start page with a tenant's brand. */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { StartScreens } from '@kvitt/domain/instances/start-page.ts'
import { CSP_REPORTS } from './csp-reports.ts'
import { chatPolicy, pagePolicy, type Foreign } from './page-policy.ts'
import type { Tenant } from '../http/call.ts'
import { StartupError } from '../startup-error.ts'
import { LANGUAGES } from '../texts.ts'

type Asset = {
  readonly type: string
  readonly plain: Buffer
  readonly br: Buffer | undefined
  readonly gzip: Buffer | undefined
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

function readAssets(folder: string): Map<string, Asset> {
  const assets = new Map<string, Asset>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const type = TYPES[extname(file)]
    if (!entry.isFile() || !type) continue
    const twin = (ending: string): Buffer | undefined =>
      existsSync(file + ending) ? readFileSync(file + ending) : undefined
    const name = relative(folder, file).split(sep).join('/')
    assets.set(name, { type, plain: readFileSync(file), br: twin('.br'), gzip: twin('.gz') })
  }
  return assets
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => ESCAPES[c] ?? c)
}

/** JSON that may stand inside a script element: no "<" can close it. What is null is left out. */
function jsonForHtml(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => inner ?? undefined)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')
}

/** How a tenant's start page looks before any script has run. */
export type Branding = {
  readonly name: string
  readonly language: string
  readonly favicon: string | null
  /** CSS custom properties by name. Values that are not colours or numbers are dropped. */
  readonly variables: Readonly<Record<string, string>>
  /** What stands in the prerendered screens for each mark; null takes the element out that shows it. */
  readonly marks: readonly (readonly [mark: string, text: string | null])[]
  /** Which of the prerendered start pages: the codes of the ways to log in, sorted and with a comma between. */
  readonly logins: string
  /** What the portal would otherwise have to ask for. */
  readonly answer: unknown
  readonly foreign: Foreign
  /** The chat that stands in a frame; null without one. */
  readonly chatFrame: string | null
}

const HARMLESS = /^(#[0-9a-f]{3,8}|[0-9.]{1,6})$/i

function brandHead(branding: Branding): string {
  const css = Object.entries(branding.variables)
    .filter(([, value]) => HARMLESS.test(value))
    .map(([name, value]) => `${name}:${value}`)
    .join(';')
  return [
    `<title>${escapeHtml(branding.name)}</title>`,
    branding.favicon ? `<link rel="icon" href="/api/storage/${encodeURIComponent(branding.favicon)}">` : '',
    `<style nonce="__NONCE__">:root{${css}}</style>`,
    `<script type="application/json" id="kvitt-instance" nonce="__NONCE__">${jsonForHtml(branding.answer)}</script>`,
  ].join('')
}

function fillMarks(screen: string, { marks }: Branding): string {
  let filled = screen
  for (const [mark, text] of marks) {
    filled =
      text === null
        ? filled.replace(new RegExp(`<(?:img|link|div)[^>]*${mark}[^>]*>(</div>)?`, 'g'), '')
        : filled.replaceAll(mark, () => escapeHtml(text))
  }
  return filled
}

/** Serves the debtor portal built in `folder` at `/`. Throws StartupError when it is not built. */
export function servePortal(
  app: FastifyInstance,
  folder: string,
  brandingOf: (tenant: Tenant) => Branding,
): void {
  const indexFile = join(folder, 'index.html')
  if (!existsSync(indexFile)) {
    throw new StartupError(
      'The debtor portal is not built. Run "npm run build" first, or "npm start", which does it.',
    )
  }
  const template = readFileSync(indexFile, 'utf8')
  const screens = JSON.parse(readFileSync(join(folder, 'screens.json'), 'utf8')) as Record<
    string,
    StartScreens
  >
  const assets = readAssets(folder)

  app.get('/', async (request, reply) => {
    if (!request.tenant) throw new Refusal('not_found')
    const branding = brandingOf(request.tenant)
    const nonce = randomBytes(16).toString('base64')
    const html = writeStartPage(template, screens[branding.language], branding).replaceAll('__NONCE__', nonce)
    const policy = pagePolicy(nonce, branding.foreign)
    return sendStartPage(request, reply, { html, policy })
  })
  app.get('/chat', async (request, reply) => {
    const branding = request.tenant && brandingOf(request.tenant)
    if (!branding?.chatFrame) throw new Refusal('not_found')
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', chatPolicy(branding.foreign))
      .header('x-frame-options', 'SAMEORIGIN')
      .header('cache-control', 'no-cache')
      .send(`<!doctype html><meta charset="utf-8">${branding.chatFrame}`)
  })
  // The portal's routes stand behind the hash; a link without it is put there, whatever follows (specification
  // section 2). The target begins with our own path, so it never leads to another host.
  for (const rest of ['', '/*']) {
    app.get(`/:language(^(?:${LANGUAGES.join('|')})$)${rest}`, async (request, reply) => {
      if (!request.tenant) throw new Refusal('not_found')
      return reply.header('cache-control', 'no-cache').redirect(`/#${request.url}`, 302)
    })
  }
  app.get('/assets/*', async (request, reply) => {
    const name = `assets/${(request.params as { '*': string })['*']}`
    const asset = assets.get(name)
    if (!asset) throw new Refusal('not_found')
    return sendAsset(request, reply, asset)
  })
}

function describe(screens: StartScreens | undefined, branding: Branding): string {
  if (!screens) return ''
  return `<meta name="description" content="${fillMarks(escapeHtml(screens.description), branding)}">`
}

function writeStartPage(template: string, screens: StartScreens | undefined, branding: Branding): string {
  return template
    .replace('<!--kvitt:head-->', () => brandHead(branding) + describe(screens, branding))
    .replace('<!--kvitt:home-->', () => fillMarks(screens?.home[branding.logins] ?? '', branding))
    .replace('<!--kvitt:opening-->', () => fillMarks(screens?.opening ?? '', branding))
    .replace('<!--kvitt:lost-->', () => fillMarks(screens?.lost ?? '', branding))
    .replace(/<html lang="[a-z]+">/, `<html lang="${escapeHtml(branding.language)}">`)
}

/** A page of this size takes brotli about a millisecond at this quality, and each one is another: its nonce. */
const PAGE_QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

function sendStartPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { html, policy }: { html: string; policy: string },
): FastifyReply {
  const isBrotli = /\bbr\b/.test(request.headers['accept-encoding'] ?? '')
  if (isBrotli) reply.header('content-encoding', 'br')
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('reporting-endpoints', `csp="${CSP_REPORTS}"`)
    .header('cache-control', 'no-cache')
    .header('vary', 'accept-encoding')
    .send(isBrotli ? brotliCompressSync(html, PAGE_QUALITY) : html)
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const accepted = request.headers['accept-encoding'] ?? ''
  const encoding =
    asset.br && /\bbr\b/.test(accepted) ? 'br' : asset.gzip && /\bgzip\b/.test(accepted) ? 'gzip' : undefined
  const body = encoding === 'br' ? asset.br : encoding === 'gzip' ? asset.gzip : asset.plain
  if (encoding) reply.header('content-encoding', encoding)
  return (
    reply
      .header('vary', 'accept-encoding')
      .header('content-type', asset.type)
      // The name carries a hash of the content: it can never change.
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(body)
  )
}
