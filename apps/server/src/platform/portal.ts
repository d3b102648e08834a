/** The built portals: files in memory with their compressed twins, and the start page with a tenant's brand. */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'
import { presentInstance, type Instance } from '../instances/instances.ts'
import { StartupError } from './startup-error.ts'

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

/** JSON that may stand inside a script element: no "<" can close it. */
function jsonForHtml(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')
}

const COLOUR = /^#[0-9a-f]{3,8}$/i

function brandHead(instance: Instance, nonce: string): string {
  const answer = presentInstance(instance)
  const { brandInformation: brand, fileInformation: files } = answer
  const variables: Record<string, string> = {
    '--brand-1': brand.debtorPortalPrimaryBrandColor,
    '--brand-2': brand.debtorPortalSecondaryBrandColor,
    '--brand-btn': brand.debtorPortalButtonColor,
    '--fill': brand.palette.fill,
    '--on-fill': brand.palette.onFill,
    '--fill-d': brand.palette.fillDark,
    '--on-fill-d': brand.palette.onFillDark,
    '--ink-brand-l': brand.palette.inkLight,
    '--ink-brand-d': brand.palette.inkDark,
  }
  const css = Object.entries(variables)
    .filter(([, value]) => COLOUR.test(value))
    .map(([name, value]) => `${name}:${value}`)
    .concat(`--edge:${brand.palette.edge ? 1 : 0}`)
    .join(';')
  const favicon = files.debtorPortalFaviconFileName
  return [
    `<title>${escapeHtml(answer.name)}</title>`,
    favicon ? `<link rel="icon" href="/api/storage/${encodeURIComponent(favicon)}">` : '',
    `<style nonce="${nonce}">:root{${css}}</style>`,
    `<script type="application/json" id="kvitt-instance" nonce="${nonce}">${jsonForHtml(answer)}</script>`,
  ].join('')
}

/** The name that fits a bar: the tenant's without its legal form is not ours to guess, so the alias's spelling. */
function brandBar(instance: Instance): string {
  const { logo_name: logo, name } = instance.row
  const image = logo
    ? `<img src="/api/storage/${encodeURIComponent(logo)}" alt="" width="30" height="30">`
    : ''
  return `${image}<span>${escapeHtml(shortName(instance, name))}</span>`
}

/** The first word of the name when it is the alias in other letters ("Nordklar" for nordklar), else all of it. */
export function shortName(instance: Instance, name: string): string {
  const first = name.split(' ', 1)[0] ?? name
  return first.toLowerCase() === instance.row.url_alias.toLowerCase() ? first : name
}

function contentPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Serves the debtor portal built in `folder` at `/`. Throws StartupError when it is not built. */
export function servePortal(app: FastifyInstance, folder: string): void {
  const indexFile = join(folder, 'index.html')
  if (!existsSync(indexFile)) {
    throw new StartupError(
      'The debtor portal is not built. Run "npm run build" first, or "npm start", which does it.',
    )
  }
  const template = readFileSync(indexFile, 'utf8')
  const assets = readAssets(folder)

  app.get('/', async (request, reply) => sendStartPage(request, reply, template))
  app.get('/assets/*', async (request, reply) => {
    const name = `assets/${(request.params as { '*': string })['*']}`
    const asset = assets.get(name)
    if (!asset) throw new Refusal('not_found')
    return sendAsset(request, reply, asset)
  })
}

function sendStartPage(request: FastifyRequest, reply: FastifyReply, template: string): FastifyReply {
  const instance = request.instanceOfHost
  if (!instance) throw new Refusal('not_found')
  const nonce = randomBytes(16).toString('base64')
  const html = template
    .replaceAll('__NONCE__', nonce)
    .replace('<!--kvitt:head-->', () => brandHead(instance, nonce))
    .replace('<!--kvitt:brand-->', () => brandBar(instance))
    .replace(/<html lang="[a-z]+">/, `<html lang="${instance.language}">`)
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', contentPolicy(nonce))
    .header('cache-control', 'no-cache')
    .send(html)
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const accepted = String(request.headers['accept-encoding'] ?? '')
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
