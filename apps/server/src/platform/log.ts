/** The log: JSON lines on standard error, without personal data. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import pino from 'pino'
import { errorForLog, withoutData } from './log-text.ts'

export type Log = pino.Logger
export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** @param destination where lines go instead of standard error */
export function openLog(level: LogLevel, destination?: pino.DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorForLog, reason: (text: unknown) => withoutData(String(text)) },
      redact: {
        paths: ['*.authorization', '*.cookie', '*.email', '*.zip', '*.personalNumber', '*.callbackSecret'],
        censor: '[removed]',
      },
    },
    destination ?? pino.destination({ fd: 2, sync: true }),
  )
}

/** The call that a request is, as the router names it. What was written in its place is nobody's but the sender's. */
export function routeForLog({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): string {
  return (routeOptions as { url?: string } | undefined)?.url ?? 'none'
}

/** The line of a request that has been answered, at level info. */
export function logAnswer(
  log: Log,
  request: FastifyRequest,
  { reply, ms }: { readonly reply: FastifyReply; readonly ms: number },
): void {
  if (!log.isLevelEnabled('info')) return
  const { method, traceId } = request
  log.info({ method, route: routeForLog(request), status: reply.statusCode, ms, traceId })
}
