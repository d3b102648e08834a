/**
 * Browsers tell here what the policy of a page has kept from happening. Counted by directive and host; nothing else of a
 * report is kept or logged, and whoever sends many only fills a limit.
 */
import type { FastifyInstance } from 'fastify'
import { Counter } from 'prom-client'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Clock } from '../clock.ts'

export const CSP_REPORTS = '/api/csp-reports'
/** Bytes of a report, or of a few that a browser sends together. */
const LARGEST = 16 * 1024
const MOST_PER_MINUTE = 60
/** A report is written by whoever likes to: it makes no more rows of a metric than this. */
const MOST_KINDS = 100
const OTHER = 'other'

/** What stands for an address where nothing was fetched. */
const WORDS = [
  'inline',
  'eval',
  'wasm-eval',
  'data',
  'blob',
  'self',
  'trusted-types-policy',
  'trusted-types-sink',
]
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+){0,10}$/

export type CspReport = { readonly directive: string; readonly host: string }

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (value: unknown): Fields =>
  value !== null && typeof value === 'object' ? (value as Fields) : {}

function hostOf(blocked: unknown): string {
  if (typeof blocked !== 'string') return OTHER
  if (WORDS.includes(blocked)) return blocked
  const host = URL.canParse(blocked) ? new URL(blocked).hostname : ''
  return host.length <= 100 && HOST.test(host) ? host : OTHER
}

function reportOf(directive: unknown, blocked: unknown): CspReport {
  const isOne = typeof directive === 'string' && /^[a-z-]{3,40}$/.test(directive)
  return { directive: isOne ? directive : OTHER, host: hostOf(blocked) }
}

/** Both shapes that browsers send: one `csp-report` (CSP 2), or a list of the Reporting API. */
export function readReports(body: unknown): CspReport[] {
  if (Array.isArray(body)) {
    return body
      .map(fieldsOf)
      .filter(({ type }) => type === 'csp-violation')
      .map(({ body: of }) => fieldsOf(of))
      .map(({ effectiveDirective, blockedURL }) => reportOf(effectiveDirective, blockedURL))
  }
  const report = fieldsOf(body)['csp-report']
  if (report === undefined) return []
  const {
    'effective-directive': effective,
    'violated-directive': violated,
    'blocked-uri': blocked,
  } = fieldsOf(report)
  return [reportOf(effective ?? String(violated).split(' ', 1)[0], blocked)]
}

/** Answers 204 to reports, and gives what counts them. Of each process by itself. */
export function serveCspReports(app: FastifyInstance, clock: Clock): Counter<'directive' | 'host'> {
  const counter = new Counter({
    name: 'kvitt_csp_reports_total',
    help: 'What the policy of a page has kept from happening',
    labelNames: ['directive', 'host'],
    registers: [],
  })
  const kinds = new Set<string>()
  let minute = 0
  let taken = 0
  const count = ({ directive, host }: CspReport): void => {
    const now = Math.floor(clock.now() / 60_000)
    if (now !== minute) [minute, taken] = [now, 0]
    taken += 1
    if (taken > MOST_PER_MINUTE) return
    const kind = `${directive} ${host}`
    const isKnown = kinds.has(kind) || kinds.size < MOST_KINDS
    if (isKnown) kinds.add(kind)
    counter.inc(isKnown ? { directive, host } : { directive: OTHER, host: OTHER })
  }
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/csp-report', 'application/reports+json'],
      { parseAs: 'string', bodyLimit: LARGEST },
      (_request, text, done) => {
        try {
          done(null, JSON.parse(String(text)))
        } catch {
          done(new Refusal('invalid_request'))
        }
      },
    )
    scope.post(CSP_REPORTS, async (request, reply) => {
      for (const report of readReports(request.body)) count(report)
      return reply.code(204).send()
    })
  })
  return counter
}
