/** What a portal was built to beside its pages: scripts, styles, fonts, pictures, whose names carry a hash of their content. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodingFor, type Encoding } from '../http/encodings.ts'

export type Asset = {
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

/** The type by the ending of a name; undefined for what no portal is built to. */
export const typeOf = (name: string): string | undefined => TYPES[extname(name)]

/** The files below `folder` by their names, such as `index-1a2b.js`, in memory with their compressed twins. */
export function readAssets(folder: string): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>()
  if (!existsSync(folder)) return assets
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const type = typeOf(file)
    if (!entry.isFile() || !type) continue
    const twin = (ending: string): Buffer | undefined =>
      existsSync(file + ending) ? readFileSync(file + ending) : undefined
    const name = relative(folder, file).split(sep).join('/')
    assets.set(name, { type, plain: readFileSync(file), br: twin('.br'), gzip: twin('.gz') })
  }
  return assets
}

/** What the visitor's browser takes of what is offered. */
export function encodingOf({ headers }: FastifyRequest, offered: readonly Encoding[]): Encoding | undefined {
  return encodingFor([headers['accept-encoding']].flat().join(), offered)
}

export function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const twins = { br: asset.br, gzip: asset.gzip }
  const encoding = encodingOf(
    request,
    (['br', 'gzip'] as const).filter((one) => twins[one]),
  )
  const body = (encoding && twins[encoding]) ?? asset.plain
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
