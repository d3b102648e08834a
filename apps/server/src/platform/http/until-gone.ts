/** Work that nobody waits for any more is not gone on with. */
import type { FastifyReply } from 'fastify'

/** Ends when whoever asked has gone. Fastify's own never does once a body has been read. */
export function untilGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const end = (): void => gone.abort()
  if (raw.destroyed) end()
  else raw.once('close', end)
  return gone.signal
}
