/** Bodies in JSON: UTF-8 and nothing else, each name once, and no deeper or longer than anything that is asked here. */
import type { FastifyInstance } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'

const DEEPEST = 32
/** A list of 10,000 ids is one that calls take; there is more than the list in a body. */
const MOST_VALUES = 10_100

/** In `app` JSON is read with these limits. Refuses with `invalid_request`. */
export function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(request.headers['content-type'] ?? '')?.[1]
    const text = /^utf-?8$/i.test(charset ?? 'utf-8') ? decode(bytes) : undefined
    if (text === undefined) return done(new Refusal('invalid_request'))
    void parse(request, text, (error, body: unknown) => {
      if (error) return done(error)
      return isReasonable(body, text) ? done(null, body) : done(new Refusal('invalid_request'))
    })
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The text of bytes; undefined when they are no UTF-8. */
function decode(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** Without recursion, so that no depth is too deep to be told. */
function isReasonable(body: unknown, text: string): boolean {
  let level: unknown[] = [body]
  let values = 0
  let names = 0
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length
    if (depth > DEEPEST || values > MOST_VALUES) return false
    level = level.flatMap((value) => {
      if (value === null || typeof value !== 'object') return []
      const inside = Object.values(value)
      if (!Array.isArray(value)) names += inside.length
      return inside
    })
  }
  return names === namesIn(text)
}

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/g

/**
 * How many names stand in a text that is JSON: each has a colon behind it, and outside of strings no colon stands anywhere
 * else. When fewer arrive, one stood twice, and two readers of the text could each take another of its values.
 */
function namesIn(text: string): number {
  return text.replace(STRING, '').split(':').length - 1
}
