/** A company may pay in parts, and is no consumer: plain terms, no credit information, no right to withdraw. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { OptionsAnswer, PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { makeLink } from '../platform/files/file-links.ts'
import { buildInvoice, buildPlanSettings, type BuiltInvoice } from '../testing/build.ts'
import { wordsOf } from '../testing/files/pdf-words.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await buildPlanSettings(server.test, server.instanceId)
})

type Kind = 'PERSON' | 'COMPANY'
const build = (debtorKind: Kind): Promise<BuiltInvoice> =>
  buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 600_000, debtorKind })

const call = (method: string, { reference, zip }: BuiltInvoice, path: string, body?: unknown) =>
  server.call(method, `/api/public/invoices/${reference}/${zip}/part-payment${path}`, { body })

async function open(name: string): Promise<{ status: number; words: string }> {
  const answer = await fetch(`${server.origin}/api/storage/${name}`)
  return { status: answer.status, words: wordsOf(Buffer.from(await answer.arrayBuffer())) }
}

/** The offer, the plan that it becomes, and the message about it. */
async function throughIt(debtorKind: Kind) {
  const invoice = await build(debtorKind)
  const { plans, account, offerVersion }: OptionsAnswer = (await call('GET', invoice, '/options')).json
  const offer = plans.find(({ code }) => code === 'PLAN_6')
  if (!offer || !account) throw new Error('nothing is offered')
  const offeredTerms = await open(offer.documents.terms)
  const forged = makeLink(
    server.product.context,
    { kind: 's', id: invoice.id, second: offer.id, session: undefined },
    'pdf',
  )
  const secciBefore = (await open(forged)).status
  const body = { type: 'PLAN_6', agreementAccepted: true, offerVersion }
  const plan: PlanAnswer = (await call('PUT', invoice, '/start', body)).json
  const { rows } = await server.test.owner.query<{ text: string; html: string }>(
    `select text_body as text, html_body as html from mail_outbox where invoice_id = $1 and kind = 'plan_started'`,
    [invoice.id],
  )
  return {
    invoice,
    offer,
    account,
    offeredTerms,
    secci: [secciBefore, (await open(forged)).status],
    plan,
    mail: rows[0],
  }
}

describe('a company', () => {
  test('is offered plain terms and starts a plan under them', async () => {
    const { invoice, offer, account, offeredTerms, secci, plan, mail } = await throughIt('COMPANY')
    expect([offer.documents.secci, account.documents.secci, plan.documents.secci]).toEqual([null, null, null])
    for (const { legalText } of [offer, account]) expect(legalText).not.toMatch(/kreditinformation/i)
    expect(offer.legalText).toContain('villkoren')
    const terms = await open(plan.documents.terms)
    for (const { status, words } of [offeredTerms, terms]) {
      expect(status).toBe(200)
      expect(words).toContain('6 000,00 SEK')
      expect(words).not.toMatch(/ångra|Effektiv ränta/)
    }
    expect(secci).toEqual([404, 404])
    expect(plan).toMatchObject({ status: 'ACTIVE', withdrawUntil: null, canWithdraw: false })
    expect(mail?.text).not.toContain('ångra')
    expect(mail?.text).not.toMatch(/\n\n\n|\{/)
    expect(mail?.html).not.toContain('"></p>')
    const refused = await call('POST', invoice, '/withdraw')
    expect([refused.status, (refused.json as { code: string }).code]).toEqual([400, 'plan_not_available'])
    expect(((await call('GET', invoice, '')).json as PlanAnswer).status).toBe('ACTIVE')
  })

  test('gets no credit information that the instance has uploaded either', async () => {
    await server.test.owner.query(
      `with f as (insert into file (instance_id, id, public_name, mime_type, content)
         values ($1, gen_random_uuid(), 'sekki.pdf', 'application/pdf', '%PDF-1.7 ours') returning id)
       update instance set sekki_name = 'sekki.pdf' where id = $1`,
      [server.instanceId],
    )
    const { secci } = await throughIt('COMPANY')
    expect(secci).toEqual([404, 404])
    await server.test.owner.query('update instance set sekki_name = null where id = $1', [server.instanceId])
  })
})

test('a person gets all of it', async () => {
  const { offer, offeredTerms, secci, plan, mail } = await throughIt('PERSON')
  expect(offer.documents.secci).toMatch(/^s/)
  expect(offer.legalText).toContain('kreditinformationen')
  expect(offeredTerms.words).toContain('ångra')
  expect(secci).toEqual([200, 200])
  expect(plan.canWithdraw).toBe(true)
  expect(mail?.text).toContain(`Du kan ångra dig till och med ${plan.withdrawUntil}.`)
})
