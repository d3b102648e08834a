/** Invoices of ours: as files that the debtor's program reads, else in a mailbox, by e-mail, on paper. Each once. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, addMonths, date } from '@kvitt/domain/calendar.ts'
import type { PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { performDailyRun } from '../collection/collection.ts'
import { parseInvoice } from '../imports/ubl.ts'
import { buildInvoice, buildPlanSettings, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await buildPlanSettings(server.test, server.instanceId)
})
beforeEach(() => server.control('DELETE', '/control/faults'))

const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const fault = (name: string, times = 1) =>
  server.control('POST', '/control/faults', { target: 'mail', fault: name, times })
const again = () => sql(`update mail_outbox set next_at = now() where status = 'WAITING'`)
/** The night on which the plan's first instalment is billed. */
const BILLED = addDays(addMonths(TODAY, 1), -14)

let companies = 100
const newAddress = () => `0007:55999900${++companies}`
const connect = (address: string) =>
  server.control('POST', '/control/recipients', { way: 'electronic_invoice', address })

type Reach = { electronic?: string | null; email?: string | null; address?: string | null }

/** A plan whose first instalment has just been billed. */
async function bill({ electronic = null, email = null, address = 'Storgatan 1' }: Reach = {}) {
  server.clock.moveTo(TODAY)
  const wishes = { totalMinor: 600_000, debtorKind: 'COMPANY' as const, debtorName: 'Å & <B> AB' }
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, wishes)
  await sql('update debtor set email = $2, electronic_address = $3, address = $4 where id = $1', [
    invoice.debtorId,
    email,
    electronic,
    address,
  ])
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/part-payment/start`
  const started = await server.call('PUT', path, { body: { type: 'PLAN_3', agreementAccepted: true } })
  expect(started.status, started.text).toBe(200)
  server.clock.moveTo(BILLED)
  await performDailyRun(
    server.product.context,
    { id: server.instanceId, timeZone: 'Europe/Stockholm' },
    BILLED,
  )
  const [billed] = await sql(
    `select i.id, i.invoice_number as number, i.total_minor::int as total, i.expire_date::text as due, i.payment_reference as reference
     from part_payment_instalment n join invoice i on i.id = n.invoice_id where n.part_payment_id = $1`,
    [(started.json as PlanAnswer).id],
  )
  return { ...invoice, bill: billed }
}

/** The message of the bill itself: a payment of it has one of its own. */
const rowOf = async (built: { bill: BuiltInvoice }) =>
  (
    await sql(
      `select channel, status, kind, refusals, last_error, tries from mail_outbox
       where invoice_id = $1 and kind = 'plan_instalment'`,
      [built.bill.id],
    )
  )[0]

type Mail = { channel: string; to: string; text: string; attachments: { name: string; href: string }[] }
const mails = async (channel: string, to: string): Promise<Mail[]> =>
  ((await server.control('GET', '/control/mail')) as Mail[]).filter(
    (m) => m.channel === channel && m.to.includes(to),
  )

describe('a bill', () => {
  test('is a file by the rules of the network: our own import reads the same out of it', async () => {
    const electronic = newAddress()
    await connect(electronic)
    const built = await bill({ electronic, email: 'bolag@example.com' })
    await server.product.sendMail()
    expect(await rowOf(built)).toMatchObject({ channel: 'ELECTRONIC_INVOICE', status: 'SENT', refusals: [] })
    const [mail, ...more] = await mails('electronic_invoice', electronic)
    expect([more, mail?.attachments[0]?.name]).toEqual([[], `${built.bill.number}.xml`])
    const file = await fetch(`http://127.0.0.1:${server.sandbox.port}${mail?.attachments[0]?.href}`)
    const xml = await file.text()
    const read = await parseInvoice(
      (async function* () {
        yield Buffer.from(xml)
      })(),
    )
    expect(read).toMatchObject({
      document: 'Invoice',
      invoiceNumber: built.bill.number,
      issueDate: BILLED,
      dueDate: date(built.bill.due),
      currency: 'SEK',
      payableMinor: built.bill.total,
      reference: built.bill.reference,
      account: { scheme: 'BANKGIRO', accountNumber: '9990-0227', isUsable: true },
      debtor: { name: 'Å & <B> AB', zip: '11122' },
      debtorAddress: electronic,
      warnings: [],
    })
    expect(read.rows.reduce((sum, row) => sum + row.amountMinor, 0)).toBe(built.bill.total)
    for (const rule of [
      '<cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0</cbc:CustomizationID>',
      '<cbc:EndpointID schemeID="0007">5599990016</cbc:EndpointID>',
      '<cbc:TaxExemptionReason>Not subject to VAT</cbc:TaxExemptionReason>',
      `<cbc:BuyerReference>${built.bill.reference}</cbc:BuyerReference>`,
    ]) {
      expect(xml).toContain(rule)
    }
  })

  test('goes by e-mail with its copy to who takes no such files, and on paper to who has no e-mail', async () => {
    const mailed = await bill({ electronic: newAddress(), email: 'kopia@example.com' })
    const posted = await bill({ electronic: newAddress(), address: 'Kopiegatan 1' })
    await server.product.sendMail()
    const refusals = ['ELECTRONIC_INVOICE not connected']
    expect(await rowOf(mailed)).toMatchObject({ channel: 'EMAIL', status: 'SENT', refusals })
    expect(await rowOf(posted)).toMatchObject({ channel: 'LETTER', status: 'SENT', refusals })
    const [mail] = await mails('email', 'kopia@example.com').then((all) =>
      all.filter(({ text }) => text.includes(mailed.bill.number)),
    )
    expect(mail?.attachments[0]?.name).toBe(`Faktura ${mailed.bill.number}.pdf`)
    expect(await mails('letter', 'Kopiegatan 1')).toHaveLength(1)
  })

  test('of interest goes the same ways', async () => {
    server.clock.moveTo(date('2026-03-02'))
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock, {
      totalMinor: 5_000_000,
      dueDate: date('2026-03-10'),
      debtorKind: 'COMPANY',
    })
    const electronic = newAddress()
    await connect(electronic)
    await sql('update debtor set electronic_address = $2 where id = $1', [invoice.debtorId, electronic])
    server.clock.moveTo(date('2026-05-10'))
    const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`
    const body = { amount: '50000.00', serviceProviderCode: 'SWISH', redirectUri: `${server.origin}/` }
    expect((await server.call('POST', path, { body })).status).toBe(201)
    const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
    const order = orders.find((o) => o.reference === invoice.reference)
    await server.control('POST', `/control/orders/${order?.id}/approve`)
    await server.product.sweepAll()
    const day = date('2026-05-11')
    server.clock.moveTo(day)
    await performDailyRun(
      server.product.context,
      { id: server.instanceId, timeZone: 'Europe/Stockholm' },
      day,
    )
    await server.product.sendMail()
    const [row] = await sql(
      `select m.kind, m.channel, m.status from mail_outbox m join invoice i on i.id = m.invoice_id
       where i.type = 'INTEREST_INVOICE' and i.debtor_id = $1`,
      [invoice.debtorId],
    )
    expect(row).toEqual({ kind: 'interest_invoice', channel: 'ELECTRONIC_INVOICE', status: 'SENT' })
    expect(await mails('electronic_invoice', electronic)).toHaveLength(1)
  })

  test('that was paid before it could be sent is not sent', async () => {
    const built = await bill({ email: 'betald@example.com' })
    const path = `/api/public/invoices/${built.bill.reference}/${built.zip}/payment-requests`
    const amount = `${Math.floor(built.bill.total / 100)}.${String(built.bill.total % 100).padStart(2, '0')}`
    const body = { amount, serviceProviderCode: 'SWISH', redirectUri: `${server.origin}/` }
    expect((await server.call('POST', path, { body })).status).toBe(201)
    const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
    const order = orders.find((o) => o.reference === built.bill.reference)
    await server.control('POST', `/control/orders/${order?.id}/approve`)
    // The sweep leaves a payment alone whose news is being booked at this moment.
    const statusNow = async () => {
      await server.product.sweepAll()
      return (await sql(`select status from invoice where id = $1`, [built.bill.id]))[0]?.status
    }
    await expect.poll(statusNow, { timeout: 5_000 }).toBe('CLOSED')
    await server.product.sendMail()
    expect(await rowOf(built)).toMatchObject({ status: 'DROPPED', last_error: 'over' })
  })

  test('that is disputed before it could be sent waits for the end of that', async () => {
    const built = await bill({ email: 'tvist@example.com' })
    await sql(`update invoice set status = 'PAUSED', paused_on = '2026-12-06' where id = $1`, [built.bill.id])
    await server.product.sendMail()
    expect(await rowOf(built)).toMatchObject({ status: 'WAITING', last_error: 'waits', tries: 0 })
    await sql(`update invoice set status = 'ACTIVATED', paused_on = null where id = $1`, [built.bill.id])
    await again()
    await server.product.sendMail()
    expect(await rowOf(built)).toMatchObject({ status: 'SENT' })
  })
})

describe('the access point misbehaves', () => {
  test('handed over, and answered with an error: it is not submitted again', async () => {
    const electronic = newAddress()
    await connect(electronic)
    const built = await bill({ electronic })
    await fault('error-after-success')
    await server.product.sendMail()
    expect(await rowOf(built)).toMatchObject({ status: 'WAITING', last_error: 'access point 500' })
    await again()
    await server.product.sendMail()
    expect(await rowOf(built)).toMatchObject({ channel: 'ELECTRONIC_INVOICE', status: 'SENT', tries: 2 })
    expect(await mails('electronic_invoice', electronic)).toHaveLength(1)
  })

  test('broken, then not: once', async () => {
    const electronic = newAddress()
    await connect(electronic)
    const built = await bill({ electronic })
    await fault('error500', 2)
    for (let tries = 0; tries < 3; tries++) {
      await server.product.sendMail()
      await again()
    }
    expect(await rowOf(built)).toMatchObject({ channel: 'ELECTRONIC_INVOICE', status: 'SENT', tries: 3 })
    expect(await mails('electronic_invoice', electronic)).toHaveLength(1)
  })

  test('silent: asked again after a while', { timeout: 40_000 }, async () => {
    const electronic = newAddress()
    await connect(electronic)
    const built = await bill({ electronic })
    await fault('timeout')
    await server.product.sendMail()
    expect(await rowOf(built)).toMatchObject({ status: 'WAITING', last_error: 'no answer' })
    await again()
    await server.product.sendMail()
    expect(await rowOf(built)).toMatchObject({ channel: 'ELECTRONIC_INVOICE', status: 'SENT' })
  })

  test('two senders at once, and one that died: once', async () => {
    const electronic = newAddress()
    await connect(electronic)
    const built = await bill({ electronic })
    await Promise.all(Array.from({ length: 4 }, () => server.product.sendMail()))
    await sql(
      `update mail_outbox set status = 'WAITING', sent_at = null, next_at = now() where invoice_id = $1`,
      [built.bill.id],
    )
    await server.product.sendMail()
    expect(await rowOf(built)).toMatchObject({ status: 'SENT', tries: 2 })
    expect(await mails('electronic_invoice', electronic)).toHaveLength(1)
  })
})
