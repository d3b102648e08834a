import { expect, test } from 'vitest'
import { startTestServer } from '../../testing/start-test-server.ts'
import { CSP_REPORTS, readReports } from './csp-reports.ts'

const NEW = (blockedURL: unknown, effectiveDirective: unknown = 'script-src-elem') => [
  {
    type: 'csp-violation',
    age: 1,
    url: 'https://pay.example/?email=alva@example.com',
    body: { blockedURL, effectiveDirective, sample: 'Alva' },
  },
]
const OLD = (blocked: unknown) => ({
  'csp-report': {
    'document-uri': 'https://pay.example/',
    'violated-directive': "script-src 'self'",
    'blocked-uri': blocked,
    'script-sample': 'Alva',
  },
})

test.each([
  [
    NEW('https://evil.example/a.js?ref=260101314920'),
    [{ directive: 'script-src-elem', host: 'evil.example' }],
  ],
  [NEW('inline'), [{ directive: 'script-src-elem', host: 'inline' }]],
  [
    NEW('trusted-types-sink', 'require-trusted-types-for'),
    [{ directive: 'require-trusted-types-for', host: 'trusted-types-sink' }],
  ],
  [NEW('a b'), [{ directive: 'script-src-elem', host: 'other' }]],
  [NEW(7, 'Alva Berg 411 05'), [{ directive: 'other', host: 'other' }]],
  [NEW(`https://${'a'.repeat(200)}.example/`), [{ directive: 'script-src-elem', host: 'other' }]],
  [[{ type: 'deprecation', body: {} }, null, 7], []],
  [OLD('https://evil.example/x'), [{ directive: 'script-src', host: 'evil.example' }]],
  [OLD('eval'), [{ directive: 'script-src', host: 'eval' }]],
  [{}, []],
  [null, []],
  ['x', []],
])('%j is read as %j', (body, reports) => {
  expect(readReports(body)).toEqual(reports)
})

const server = await startTestServer()
const send = (text: string, type = 'application/reports+json') =>
  fetch(server.origin + CSP_REPORTS, { method: 'POST', headers: { 'content-type': type }, body: text })
const metrics = async (): Promise<string> => {
  const text = await (await fetch(`${server.origin}/metrics`)).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith('kvitt_csp_reports_total'))
    .join('\n')
}
const sum = (text: string): number =>
  [...text.matchAll(/ (\d+)$/gm)].reduce((all, [, n]) => all + Number(n), 0)

test('reports are counted by directive and host, and nothing else of them is kept', async () => {
  expect((await send(JSON.stringify(NEW('https://evil.example/?zip=41105')))).status).toBe(204)
  expect((await send(JSON.stringify(OLD('inline')), 'application/csp-report')).status).toBe(204)
  const told = await metrics()
  expect(told).toContain('kvitt_csp_reports_total{directive="script-src-elem",host="evil.example"} 1')
  expect(told).toContain('kvitt_csp_reports_total{directive="script-src",host="inline"} 1')
  expect(told).not.toMatch(/41105|Alva|pay\.example/)
})

test('what is no report, or too large, is refused', async () => {
  expect((await send('{')).status).toBe(400)
  expect((await send(JSON.stringify(NEW('x'.repeat(20_000))))).status).toBe(413)
  expect((await send('{}', 'text/plain')).status).toBe(415)
  expect((await send('{}', 'application/json')).status).toBe(415)
})

test('many reports fill a limit and nothing else', async () => {
  const before = sum(await metrics())
  const many = Array.from({ length: 40 }, (_, n) => NEW(`https://host-${n}.example/`)[0])
  for (let n = 0; n < 10; n++) expect((await send(JSON.stringify(many))).status).toBe(204)
  // A minute may end in between.
  expect(sum(await metrics()) - before).toBeLessThanOrEqual(120)
})
