/** The log: JSON lines on standard error, without personal data. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import pino from 'pino'

export type Log = pino.Logger
export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export function openLog(level: LogLevel): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ['*.authorization', '*.cookie', '*.email', '*.zip', '*.personalNumber', '*.callbackSecret'],
        censor: '[removed]',
      },
    },
    pino.destination({ fd: 2, sync: true }),
  )
}

/** A request path without what identifies a debtor: references, zips, file names and callback secrets. */
export function pathForLog(url: string): string {
  return (url.split('?', 1)[0] ?? '')
    .replace(/(\/public\/[a-z-]+\/)[^/]+\/[^/]+/, '$1:reference/:zip')
    .replace(/^(\/[a-z]{2}\/[A-Za-z-]+)\/.*/, '$1/:rest')
    .replace(/(\/storage\/)[^/]+/, '$1:name')
    .replace(/(\/callbacks\/[a-z-]+\/)[^/]+/, '$1:secret')
}

/** The line of a request that has been answered, at level info. */
export function logAnswer(
  log: Log,
  { method, url, traceId }: FastifyRequest,
  { reply, ms }: { readonly reply: FastifyReply; readonly ms: number },
): void {
  if (!log.isLevelEnabled('info')) return
  log.info({ method, path: pathForLog(url), status: reply.statusCode, ms, traceId })
}
