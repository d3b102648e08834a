/** Messages through the public API, the outbox and a real mail server: the sandbox's. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildInvoice, buildPlanSettings, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  await server.control('DELETE', '/control/faults')
  // What an earlier test left waiting would take this one's faults.
  await server.product.sendMail()
})

type Mail = {
  channel: string
  to: string
  from: string
  fromAddress: string
  subject: string
  text: string
  html: string
  messageId: string
}
type Row = { status: string; tries: number; last_error: string | null; kind: string }

/** Of a creditor without an address, so that what is told is told the debtor. */
const build = async (): Promise<BuiltInvoice> => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  await server.test.owner.query('update creditor set email = null where id = $1', [invoice.creditorId])
  return invoice
}
const path = (invoice: BuiltInvoice, rest: string): string =>
  `/api/public/invoices/${invoice.reference}/${invoice.zip}${rest}`

async function pay(invoice: BuiltInvoice): Promise<void> {
  await server.call('POST', path(invoice, '/payment-requests'), {
    body: { amount: '842.00', serviceProviderCode: 'SWISH', redirectUri: `${server.origin}/` },
  })
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
  const order = orders.find((o) => o.reference === invoice.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`)
  await server.product.sweepAll()
}

const dispute = (invoice: BuiltInvoice, debtorEmail = 'somebody@example.com') =>
  server.call('POST', path(invoice, '/dispute'), { body: { debtorEmail, reason: 'Fel belopp.' } })

const mailsAbout = async (invoice: BuiltInvoice): Promise<Mail[]> =>
  ((await server.control('GET', '/control/mail')) as Mail[]).filter((m) => m.text.includes(invoice.number))
const rowsOf = async (invoice: BuiltInvoice): Promise<Row[]> =>
  (
    await server.test.owner.query(
      'select status, tries, last_error, kind from mail_outbox where invoice_id = $1 order by created_at',
      [invoice.id],
    )
  ).rows
/** As if the pause after a failed try were over. */
const wait = () => server.test.owner.query(`update mail_outbox set next_at = now() where status = 'WAITING'`)
const fault = (name: string, times = 1) =>
  server.control('POST', '/control/faults', { target: 'mail', fault: name, times })

describe('what is told', () => {
  test('a settled payment, in plain text and HTML, with no amount in the subject', async () => {
    const invoice = await build()
    await pay(invoice)
    await server.product.sendMail()
    const [mail, ...more] = await mailsAbout(invoice)
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      channel: 'email',
      to: 'alva.provlund@example.com',
      from: 'nordklar AB',
      fromAddress: 'no-reply@kvitt.example',
      subject: 'Vi har tagit emot din betalning',
    })
    expect(mail?.text).toContain('Hej Alva Provlund!')
    expect(mail?.text).toContain('842,00\u00a0SEK')
    expect(mail?.html).toContain('<html lang="sv">')
    expect(mail?.html).toContain('842,00\u00a0SEK')
    expect(mail?.messageId).toMatch(/^<[0-9a-f-]{36}@kvitt\.example>$/)
    expect(await rowsOf(invoice)).toMatchObject([{ status: 'SENT', tries: 1 }])
  })

  test('from the provider’s own address, where it has one', async () => {
    const from = (address: string | null) =>
      server.test.owner.query('update instance set mail_from = $2 where id = $1', [
        server.instanceId,
        address,
      ])
    await from('faktura@nordklar.example')
    const invoice = await build()
    await pay(invoice)
    await server.product.sendMail()
    await from(null)
    const [mail] = await mailsAbout(invoice)
    expect(mail).toMatchObject({ from: 'nordklar AB', fromAddress: 'faktura@nordklar.example' })
    await expect(from('nobody')).rejects.toThrow(/mail_from/)
  })

  test('a dispute, to the address that was given, by no name', async () => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    expect((await dispute(invoice)).status).toBe(201)
    await server.product.sendMail()
    const mails = await mailsAbout(invoice)
    const mail = mails.find(({ to }) => to === 'somebody@example.com')
    expect(mail).toMatchObject({ to: 'somebody@example.com', subject: 'Vi har tagit emot din invändning' })
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/Alva|Provlund|Fel belopp/)
    // The creditor hears of it too, with the reason, and of nobody (M-11).
    const told = mails.find(({ to }) => to !== 'somebody@example.com')
    expect(told).toMatchObject({ subject: 'En fordran har bestridits' })
    expect(told?.text).toContain('> Fel belopp')
    expect(`${told?.text}${told?.html}`).not.toMatch(/Alva|Provlund|somebody/)
  })

  test('a plan that was started, once however often it is asked for', async () => {
    await buildPlanSettings(server.test, server.instanceId)
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 499_900 })
    const body = { type: 'PLAN_3', agreementAccepted: true }
    const begin = () => server.call('PUT', path(invoice, '/part-payment/start'), { body })
    const answers = await Promise.all([begin(), begin(), begin()])
    expect(answers.map((a) => a.status)).toContain(200)
    await server.product.sendMail()
    const mails = await mailsAbout(invoice)
    expect(mails).toMatchObject([
      { to: 'alva.provlund@example.com', subject: 'Din delbetalning har startat' },
    ])
    expect(mails[0]?.text).toMatch(/skickas till dig \d{4}-\d{2}-\d{2}/)
  })

  test('nothing, when what it would tell of did not happen', async () => {
    const invoice = await build()
    await dispute(invoice, 'not an address')
    await dispute(invoice)
    await dispute(invoice)
    expect(await rowsOf(invoice)).toHaveLength(1)
  })

  test('nobody who has neither address nor phone', async () => {
    const invoice = await build()
    await server.test.owner.query('update debtor set email = null, phone = $2 where id = $1', [
      invoice.debtorId,
      'hemligt',
    ])
    await pay(invoice)
    expect(await rowsOf(invoice)).toEqual([])
  })

  test('an SMS to who has only a phone, that says nothing of what it is about', async () => {
    const invoice = await build()
    await server.test.owner.query('update debtor set email = null, phone = $2 where id = $1', [
      invoice.debtorId,
      `070-1${invoice.number}`,
    ])
    await pay(invoice)
    await fault('error500')
    await server.product.sendMail()
    expect(await rowsOf(invoice)).toMatchObject([{ status: 'WAITING', last_error: 'SMS 500' }])
    await wait()
    await server.product.sendMail()
    const all = (await server.control('GET', '/control/mail')) as Mail[]
    expect(all.filter((m) => m.channel === 'sms')).toMatchObject([
      {
        to: `+46701${invoice.number}`,
        from: 'nordklarAB',
        text: `Du har ett meddelande från nordklar AB: ${server.origin}/`,
      },
    ])
    expect(await rowsOf(invoice)).toMatchObject([{ status: 'SENT' }])
  })

  test('an SMS in another language than the provider’s leads to the portal in that language', async () => {
    const invoice = await build()
    await server.test.owner.query(
      `update debtor set email = null, phone = '040 1234567', country = 'FI' where id = $1`,
      [invoice.debtorId],
    )
    await pay(invoice)
    await server.product.sendMail()
    const all = (await server.control('GET', '/control/mail')) as Mail[]
    const sms = all.filter(({ to }) => to === '+358401234567')
    expect(sms.map(({ text }) => text)).toEqual([expect.stringMatching(/^Sinulle on viesti/)])
    expect(sms[0]?.text.endsWith(` ${server.origin}/fi`), sms[0]?.text).toBe(true)
  })

  test('marks in names stay marks', async () => {
    const invoice = await build()
    await server.test.owner.query(`update debtor set name = '<b>&"A' where id = $1`, [invoice.debtorId])
    await pay(invoice)
    await server.product.sendMail()
    const [mail] = await mailsAbout(invoice)
    expect(mail?.text).toContain('Hej <b>&"A!')
    expect(mail?.html).toContain('Hej &#60;b&#62;&#38;&#34;A!')
  })
})

describe('the mail server misbehaves', () => {
  test('refused for now: again after a while, then once', async () => {
    const invoice = await build()
    await dispute(invoice)
    await fault('error500', 2)
    await server.product.sendMail()
    await server.product.sendMail()
    expect(await rowsOf(invoice)).toMatchObject([{ status: 'WAITING', tries: 1, last_error: 'SMTP 451' }])
    await wait()
    await server.product.sendMail()
    await wait()
    await server.product.sendMail()
    expect(await rowsOf(invoice)).toMatchObject([{ status: 'SENT', tries: 3, last_error: null }])
    expect(await mailsAbout(invoice)).toHaveLength(1)
  })

  test('kept and refused all the same: the second copy has the first one’s id', async () => {
    const invoice = await build()
    await dispute(invoice)
    await fault('error-after-success')
    await server.product.sendMail()
    await wait()
    await server.product.sendMail()
    const mails = await mailsAbout(invoice)
    expect([mails.length, new Set(mails.map((m) => m.messageId)).size]).toEqual([2, 1])
    expect(await rowsOf(invoice)).toMatchObject([{ status: 'SENT' }])
  })

  test('no answer: given up for now after fifteen seconds of silence', { timeout: 30_000 }, async () => {
    const invoice = await build()
    await dispute(invoice)
    await fault('timeout')
    await server.product.sendMail()
    expect(await rowsOf(invoice)).toMatchObject([{ status: 'WAITING', tries: 1 }])
    await wait()
    await server.product.sendMail()
    expect(await rowsOf(invoice)).toMatchObject([{ status: 'SENT' }])
  })

  test('T-OUTBOX: nobody takes it for two days: it is dead, and a person is asked once', async () => {
    const invoice = await build()
    await dispute(invoice)
    await server.test.owner.query('update mail_outbox set tries = 15 where invoice_id = $1', [invoice.id])
    await fault('error500')
    await server.product.sendMail()
    await wait()
    await server.product.sendMail()
    expect(await rowsOf(invoice)).toMatchObject([{ status: 'DEAD', tries: 16, last_error: 'SMTP 451' }])
    const { rows } = await server.test.owner.query(
      `select t.details ->> 'error' as error from task t join mail_outbox m on t.about = 'mail:' || m.id
       where m.invoice_id = $1`,
      [invoice.id],
    )
    expect(rows).toEqual([{ error: 'SMTP 451' }])
  })
})

test('T-OUTBOX: two senders at once send each message once', async () => {
  const invoices = await Promise.all(Array.from({ length: 10 }, build))
  for (const invoice of invoices) await dispute(invoice)
  await Promise.all([server.product.sendMail(), server.product.sendMail(), server.product.sendMail()])
  for (const invoice of invoices) {
    expect(await mailsAbout(invoice)).toHaveLength(1)
    expect(await rowsOf(invoice)).toMatchObject([{ status: 'SENT', tries: 1 }])
  }
})

test('T-OUTBOX: a sender that died: the message is sent again after five minutes', async () => {
  const invoice = await build()
  await dispute(invoice)
  await server.test.owner.query(
    `update mail_outbox set tries = 1, next_at = now() + interval '5 minutes' where invoice_id = $1`,
    [invoice.id],
  )
  await server.product.sendMail()
  expect(await mailsAbout(invoice)).toEqual([])
  await wait()
  await server.product.sendMail()
  expect(await mailsAbout(invoice)).toHaveLength(1)
})
