/** Which way a letter or bill goes, and that it arrives once: in a digital mailbox, else the next way, at last on paper. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { buildInstance, type BuiltInvoice } from '../testing/build.ts'
import {
  buildReached,
  DEMANDED,
  DUE,
  liveDays,
  liveNights,
  outboxOf,
  readSentMail,
  REMINDED,
  type Reach,
  type SentMail,
} from '../testing/debts/letters.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { deliverMail } from './deliver-mail.ts'
import { openDigitalMailbox } from './digital-mailbox.ts'
import { claimMailRows, goNextWayRow, markSentRow } from './outbox.queries.ts'
import { openPrintQueue } from './print-queue.ts'

const NOTHING = {
  writeBill: async () => undefined,
  dropStepMail: async () => {},
  dateLetter: async () => '2099-12-31',
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  await server.control('DELETE', '/control/faults')
  await sql(`update mail_outbox set status = 'SENT', sent_at = now() where status = 'WAITING'`)
})

const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const fault = (name: string, times = 1) =>
  server.control('POST', '/control/faults', { target: 'mail', fault: name, times })
const again = () => sql(`update mail_outbox set next_at = now() where status = 'WAITING'`)

let people = 1000
/** A personal number that nobody else here has. */
const newNumber = () => `19900101-${++people}`
const connect = (number: string, connected = true) =>
  server.control('POST', '/control/recipients', {
    way: 'digital_mailbox',
    address: number.replace('-', ''),
    connected,
  })

async function build(reach: Reach = {}): Promise<BuiltInvoice & { readonly person: string }> {
  const { number = newNumber() } = reach
  return { ...(await buildReached(server, { ...reach, number })), person: number ?? '' }
}
const nights = (days: number, from: CalendarDate = DUE): Promise<void> => liveNights(server, from, days)
const rowsOf = (invoice: BuiltInvoice) => outboxOf(server, invoice)
const mails = (): Promise<SentMail[]> => readSentMail(server)
const inMailbox = async (number: string): Promise<SentMail[]> =>
  (await mails()).filter((m) => m.channel === 'digital_mailbox' && m.to === number.replace('-', ''))
const onPaper = async (address: string): Promise<SentMail[]> =>
  (await mails()).filter((m) => m.channel === 'letter' && m.to.includes(address))

describe('which way', () => {
  test('into the digital mailbox, as a PDF under our own name, before e-mail and paper', async () => {
    const invoice = await build({ email: 'alva@example.com' })
    await connect(invoice.person)
    await liveDays(server, DUE, DEMANDED)
    expect((await rowsOf(invoice)).map((r) => [r.channel, r.kind, r.status])).toEqual([
      ['EMAIL', 'expired_notice', 'SENT'],
      ['DIGITAL_MAILBOX', 'reminder', 'SENT'],
      ['DIGITAL_MAILBOX', 'collection_notice', 'SENT'],
      ['DIGITAL_MAILBOX', 'demand', 'SENT'],
    ])
    const letters = await inMailbox(invoice.person)
    expect(letters.map(({ subject }) => subject).reverse()).toEqual([
      'Betalningspåminnelse',
      'Varsel om inkasso',
      'Inkassokrav',
    ])
    for (const { attachments } of letters) {
      expect(attachments).toMatchObject([{ name: expect.stringMatching(/^[0-9a-f-]{36}\.pdf$/) }])
      const pdf = await fetch(`http://127.0.0.1:${server.sandbox.port}${attachments[0]?.href}`)
      expect(await pdf.text()).toMatch(/^%PDF-/)
    }
  })

  test('by e-mail when there is no mailbox, and on paper when there is neither', async () => {
    const [mailed, posted, unknown] = [
      await build({ email: 'utan-brevlada@example.com' }),
      await build({ address: 'Utanvägen 1' }),
      await build({ number: null, address: 'Utanvägen 2' }),
    ]
    await nights(REMINDED)
    await server.product.sendMail()
    const reminderOf = async (invoice: BuiltInvoice) =>
      (await rowsOf(invoice)).find(({ kind }) => kind === 'reminder')
    const refused = ['DIGITAL_MAILBOX not connected']
    expect(await reminderOf(mailed)).toMatchObject({ channel: 'EMAIL', status: 'SENT', refusals: refused })
    expect(await reminderOf(posted)).toMatchObject({ channel: 'LETTER', status: 'SENT', refusals: refused })
    expect(await reminderOf(unknown)).toMatchObject({ channel: 'LETTER', status: 'SENT', refusals: [] })
    expect(await onPaper('Utanvägen 1')).toHaveLength(1)
    expect(await onPaper('Utanvägen 2')).toHaveLength(1)
  })

  test('a number of another country, or one that is none, is in no Swedish mailbox', async () => {
    const norwegian = await build({ number: '12839140000', address: 'Oslogata 1' })
    await sql(`update debtor set country = 'NO' where id = $1`, [norwegian.debtorId])
    const broken = await build({ number: 'hemligt', address: 'Brutna gatan 1' })
    await nights(REMINDED)
    await server.product.sendMail()
    for (const invoice of [norwegian, broken]) {
      expect((await rowsOf(invoice)).at(-1)).toMatchObject({
        channel: 'LETTER',
        status: 'SENT',
        refusals: ['DIGITAL_MAILBOX not connected'],
      })
    }
  })

  test('a company is found by its VAT number', async () => {
    const invoice = await build({ number: '559999-0057' })
    await sql(`update debtor set kind = 'COMPANY' where id = $1`, [invoice.debtorId])
    await server.control('POST', '/control/recipients', {
      way: 'digital_mailbox',
      address: 'SE559999005701',
    })
    await nights(DEMANDED + 15)
    await server.product.sendMail()
    expect((await rowsOf(invoice)).map(({ channel }) => channel)).toContain('DIGITAL_MAILBOX')
    expect((await mails()).filter(({ to }) => to === 'SE559999005701')).not.toEqual([])
  })

  test('in the order that the instance wants, which ends on paper', async () => {
    const invoice = await build({ address: 'Papperstorget 1' })
    await connect(invoice.person)
    await sql(`update instance set letter_channels = '{LETTER}' where id = $1`, [server.instanceId])
    await nights(REMINDED)
    await sql('update instance set letter_channels = default where id = $1', [server.instanceId])
    await server.product.sendMail()
    expect(await rowsOf(invoice)).toMatchObject([{ channel: 'LETTER', status: 'SENT' }])
    const change = (column: string, order: string) =>
      sql(`update instance set ${column} = $2 where id = $1`, [server.instanceId, order])
    for (const order of ['{}', '{EMAIL}', '{LETTER,EMAIL}', '{SMS,LETTER}']) {
      await expect(change('letter_channels', order)).rejects.toThrow('letter_channels')
      await expect(change('bill_channels', order)).rejects.toThrow('bill_channels')
    }
    await expect(change('news_channels', '{LETTER}')).rejects.toThrow('news_channels')
  })

  test('past ways that this installation does not have', async () => {
    const invoice = await build({ email: 'ingen-vag@example.com' })
    await nights(REMINDED)
    const { context } = server.product
    const EMAIL = async () => {}
    const drawLetter = async () => ({ name: 'a.pdf', title: 'Påminnelse', bytes: Buffer.from('%PDF-') })
    await deliverMail({ ...context, drawLetter, ...NOTHING }, { EMAIL })
    expect((await rowsOf(invoice)).at(-1)).toMatchObject({
      channel: 'EMAIL',
      status: 'SENT',
      refusals: ['DIGITAL_MAILBOX not offered'],
    })
  })
})

describe('the operator of mailboxes misbehaves', () => {
  test('kept and refused all the same: it is in the mailbox once, and nowhere else', async () => {
    const invoice = await build({ address: 'Engångsgatan 1' })
    await connect(invoice.person)
    await nights(REMINDED)
    await fault('error-after-success', 3)
    for (let tries = 0; tries < 5; tries++) {
      await server.product.sendMail()
      await again()
    }
    expect(await rowsOf(invoice)).toMatchObject([{ channel: 'DIGITAL_MAILBOX', status: 'SENT', tries: 4 }])
    expect(await inMailbox(invoice.person)).toHaveLength(1)
    expect(await onPaper('Engångsgatan 1')).toEqual([])
  })

  test('a sender that died after it was taken: still once', async () => {
    const invoice = await build()
    await connect(invoice.person)
    await nights(REMINDED)
    await server.product.sendMail()
    await sql(
      `update mail_outbox set status = 'WAITING', sent_at = null, next_at = now() where invoice_id = $1`,
      [invoice.id],
    )
    await server.product.sendMail()
    expect(await rowsOf(invoice)).toMatchObject([{ status: 'SENT', tries: 2 }])
    expect(await inMailbox(invoice.person)).toHaveLength(1)
  })

  test('silent: tried again after a while', { timeout: 30_000 }, async () => {
    const invoice = await build()
    await connect(invoice.person)
    await nights(REMINDED)
    await fault('timeout')
    await server.product.sendMail()
    expect(await rowsOf(invoice)).toMatchObject([{ status: 'WAITING', tries: 1, last_error: 'no answer' }])
    await again()
    await server.product.sendMail()
    expect(await rowsOf(invoice)).toMatchObject([{ channel: 'DIGITAL_MAILBOX', status: 'SENT' }])
  })

  test('broken for an hour: the demand goes by post, once', async () => {
    const invoice = await build({ address: 'Brevgatan 1' })
    await connect(invoice.person)
    await liveDays(server, DUE, REMINDED)
    await nights(DEMANDED - REMINDED, addDays(DUE, REMINDED))
    await fault('error500', 100)
    // A mailbox of its own, with a circuit breaker of its own: this one is left alone for a while afterwards.
    const { context } = server.product
    const { digitalMailbox } = context.config.mail
    const drawLetter = async () => ({ name: 'a.pdf', title: 'Krav', bytes: Buffer.from('%PDF-') })
    const ways = {
      DIGITAL_MAILBOX: digitalMailbox && openDigitalMailbox(digitalMailbox, context.clock),
      LETTER: openPrintQueue(context.config.stores.letters ?? { folder: '' }),
    }
    for (let tries = 0; tries < 12; tries++) {
      await deliverMail({ ...context, drawLetter, ...NOTHING }, ways)
      await again()
    }
    const rows = await rowsOf(invoice)
    expect(rows.map(({ kind }) => kind)).toContain('demand')
    for (const row of rows.filter(({ kind }) => kind === 'demand' || kind === 'collection_notice')) {
      expect(row).toMatchObject({ channel: 'LETTER', status: 'SENT' })
      expect(row.refusals).toHaveLength(1)
    }
    expect(await onPaper('Brevgatan 1')).toHaveLength(2)
    expect(await inMailbox(invoice.person)).toHaveLength(1)
  })

  test('every way is closed: nothing is lost in silence', async () => {
    const invoice = await build({ email: 'nej', address: null })
    await nights(REMINDED)
    await server.product.sendMail()
    for (let tries = 0; tries < 10; tries++) {
      await again()
      await server.product.sendMail()
    }
    const row = (await rowsOf(invoice)).find(({ kind }) => kind === 'reminder')
    expect(row).toMatchObject({ channel: 'LETTER', status: 'DEAD', last_error: 'no address' })
    const tasks = await sql(
      `select t.details -> 'refusals' as refusals from task t join mail_outbox m on t.about = 'mail:' || m.id
       where m.invoice_id = $1 and m.kind = 'reminder'`,
      [invoice.id],
    )
    expect(tasks).toEqual([{ refusals: ['DIGITAL_MAILBOX not connected', expect.stringMatching(/^EMAIL /)] }])
  })
})

test('many nights and many senders at once: each letter arrives once', async () => {
  const invoices: (BuiltInvoice & { person: string })[] = []
  for (let n = 0; n < 6; n++) invoices.push(await build({ address: `Mångata ${n}` }))
  for (const [n, { person }] of invoices.entries()) if (n % 2 === 0) await connect(person)
  const instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
  for (let n = 0; n < REMINDED; n++) {
    const day = addDays(DUE, n)
    server.clock.moveTo(day)
    await Promise.all(Array.from({ length: 6 }, () => performDailyRun(server.product.context, instance, day)))
  }
  await Promise.all(Array.from({ length: 5 }, () => server.product.sendMail()))
  for (const [n, invoice] of invoices.entries()) {
    const arrived = [...(await inMailbox(invoice.person)), ...(await onPaper(`Mångata ${n}`))]
    expect(arrived.map(({ channel }) => channel)).toEqual([n % 2 === 0 ? 'digital_mailbox' : 'letter'])
  }
})

test('who slept while another took over neither ends nor sends what goes another way by then', async () => {
  const invoice = await build({ address: 'Sovgatan 1' })
  await nights(REMINDED)
  const { db } = server.test
  const [slept] = await claimMailRows(db, ['DIGITAL_MAILBOX'])
  if (!slept) throw new Error('nothing waits')
  await again()
  await server.product.sendMail()
  expect(await rowsOf(invoice)).toMatchObject([{ channel: 'LETTER', status: 'SENT' }])
  await sql(`update mail_outbox set status = 'WAITING', sent_at = null where id = $1`, [slept.id])
  await goNextWayRow(db, slept, 'not connected')
  expect(await markSentRow(db, slept, { recipient: 'nobody', representativeId: null })).toBe(false)
  expect(await rowsOf(invoice)).toMatchObject([{ channel: 'LETTER', status: 'WAITING' }])
})

test('what one instance tells says nothing of another', async () => {
  const other = await buildInstance(server.test, { alias: 'fjell', isDefault: false })
  await sql(`update instance set letter_channels = '{LETTER}' where id = $1`, [other.id])
  const invoice = await build()
  await connect(invoice.person)
  await nights(REMINDED)
  await server.product.sendMail()
  expect(await rowsOf(invoice)).toMatchObject([{ channel: 'DIGITAL_MAILBOX', status: 'SENT' }])
})
