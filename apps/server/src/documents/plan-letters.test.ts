import { beforeAll, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import type { OptionsAnswer, PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { buildInvoice, buildPlanSettings, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { wordsOf } from '../testing/files/pdf-words.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await buildPlanSettings(server.test, server.instanceId)
})

const build = (): Promise<BuiltInvoice> => {
  server.clock.moveTo(TODAY)
  return buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 499_900 })
}

const call = (method: string, invoice: BuiltInvoice, path: string, body?: unknown) =>
  server.call(method, `/api/public/invoices/${invoice.reference}/${invoice.zip}${path}`, { body })

async function open(name: string): Promise<{ status: number; words: string; type: string | null }> {
  const response = await fetch(`${server.origin}/api/storage/${name}`)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, words: wordsOf(bytes), type: response.headers.get('content-type') }
}

async function documentsOf(invoice: BuiltInvoice, code: string) {
  const offered: OptionsAnswer = (await call('GET', invoice, '/part-payment/options')).json
  const plan = offered.plans.find((p) => p.code === code)
  if (!plan) throw new Error(`${code} is not offered`)
  return plan.documents
}

test('terms and credit information have the figures of the offer', async () => {
  const { terms, secci } = await documentsOf(await build(), 'PLAN_12')
  const [first, second] = await Promise.all([open(terms), open(secci ?? '')])
  expect([first.status, first.type, second.status]).toEqual([200, 'application/pdf', 200])
  for (const text of ['4 999,00 SEK', '47,58 %', '19,90 %, fast', '6 097,07 SEK', '686,84 SEK']) {
    expect(first.words).toContain(text)
    expect(second.words).toContain(text)
  }
  // From which sum on late interest of the days before is billed by itself.
  expect(first.words).toContain('100,00 SEK')
  expect(second.words).toContain('Standardiserad europeisk')
  expect(second.words).toContain('12 månader')
})

test('of a plan that runs they have the figures that were agreed, also when nothing is offered any more', async () => {
  const invoice = await build()
  const plan: PlanAnswer = (await call('PUT', invoice, '/part-payment/start', { type: 'PLAN_6' })).json
  server.clock.moveTo(addDays(TODAY, 40))
  const { words } = await open(plan.documents.terms)
  expect(words).toContain(TODAY)
  expect(words).toContain('5 268,00 SEK')
})

test('an offer that is withdrawn has no documents, and a name that was changed opens nothing', async () => {
  const invoice = await build()
  const { terms } = await documentsOf(invoice, 'PLAN_12')
  expect((await open(`s${terms.slice(1)}`)).status).toBe(404)
  await call('POST', invoice, '/dispute', { debtorEmail: 'a@example.com', reason: 'Fel.' })
  expect((await open(terms)).status).toBe(404)
})

test('a file that the instance has uploaded wins', async () => {
  const { owner } = server.test
  await owner.query(
    `insert into file (instance_id, id, public_name, mime_type, content)
     values ($1, gen_random_uuid(), 'villkor.pdf', 'application/pdf', $2)`,
    [server.instanceId, Buffer.from('%PDF-1.7 ours')],
  )
  await owner.query(`update instance set terms_name = 'villkor.pdf' where id = $1`, [server.instanceId])
  await expect
    .poll(
      async () => {
        const { terms } = await documentsOf(await build(), 'PLAN_6')
        return (await fetch(`${server.origin}/api/storage/${terms}`)).text()
      },
      { timeout: 8_000 },
    )
    .toBe('%PDF-1.7 ours')
})
