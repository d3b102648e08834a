/** What the nights tell debtors: on the way that reaches them, once, and only while there is something to say. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { pauseInvoice, performDailyRun, stopInvoice } from '../collection/collection.ts'
import { DatabaseAway } from '../platform/database/database-away.ts'
import type { BuiltInvoice } from '../testing/build.ts'
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
import { deliverMail, type Ways } from './deliver-mail.ts'
import { openPrintQueue, type PrintQueue } from './print-queue.ts'
import { heldBy } from './prepare-mail.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
const queueFolder = mkdtempSync(join(tmpdir(), 'kvitt-print-'))
afterAll(() => rmSync(queueFolder, { recursive: true, force: true }))

const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows

const build = (reach: Reach = {}): Promise<BuiltInvoice> => buildReached(server, reach)
const nights = (from: CalendarDate, days: number): Promise<void> => liveNights(server, from, days)
const rowsOf = (invoice: BuiltInvoice) => outboxOf(server, invoice)
const delivered = async (where: (mail: SentMail) => boolean): Promise<SentMail[]> =>
  (await readSentMail(server)).filter(where)

async function pdfAt(href: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${server.sandbox.port}${href}`)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  return Buffer.from(await answer.arrayBuffer()).toString('latin1')
}

describe('which way', () => {
  test('by e-mail with the letter attached, and no word of it in a subject', async () => {
    const invoice = await build({ email: 'mail@example.com', phone: '0701234567' })
    await liveDays(server, DUE, DEMANDED)
    expect((await rowsOf(invoice)).map((r) => [r.channel, r.kind, r.status])).toEqual([
      ['EMAIL', 'expired_notice', 'SENT'],
      ['EMAIL', 'reminder', 'SENT'],
      ['EMAIL', 'collection_notice', 'SENT'],
      ['EMAIL', 'demand', 'SENT'],
    ])
    const mails = (await delivered(({ to }) => to === 'mail@example.com')).reverse()
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      'Betalningspåminnelse',
      'En faktura har förfallit',
      'Inkassokrav',
      'Varsel om inkasso',
    ])
    for (const mail of mails) {
      const isNotice = mail.subject === 'En faktura har förfallit'
      expect(mail.attachments.map(({ type }) => type)).toEqual(isNotice ? [] : ['application/pdf'])
      expect(mail.text).not.toMatch(/\d+,\d\d/)
      for (const { href } of mail.attachments) expect(await pdfAt(href)).toMatch(/^%PDF-/)
    }
  })

  test('on paper, with the address and the PDF, when there is no e-mail address; a notice by SMS', async () => {
    const invoice = await build({ phone: '0701234599' })
    await liveDays(server, DUE, DEMANDED)
    expect((await rowsOf(invoice)).map((r) => [r.channel, r.kind, r.status])).toEqual([
      ['SMS', 'expired_notice', 'SENT'],
      ['LETTER', 'reminder', 'SENT'],
      ['LETTER', 'collection_notice', 'SENT'],
      ['LETTER', 'demand', 'SENT'],
    ])
    const letters = await delivered(({ channel }) => channel === 'letter')
    expect(letters.map(({ subject }) => subject).sort()).toEqual([
      'Betalningspåminnelse',
      'Inkassokrav',
      'Varsel om inkasso',
    ])
    for (const letter of letters) {
      expect(letter.to).toBe('Alva Provlund\nStorgatan 1\n111 22 Stockholm')
      expect(letter.attachments).toHaveLength(1)
      expect(letter.attachments[0]?.name).toMatch(/^[0-9a-f-]{36}\.pdf$/)
      expect(await pdfAt(letter.attachments[0]?.href ?? '')).toMatch(/^%PDF-/)
    }
    const sms = await delivered(({ to }) => to === '+46701234599')
    expect(sms.map(({ text }) => text)).toEqual([`Du har ett meddelande från nordklar AB: ${server.origin}/`])
  })

  test('nobody who cannot be reached hears of a due date; without an address a letter is a task', async () => {
    const invoice = await build({ address: null })
    await nights(DUE, REMINDED)
    await server.product.sendMail()
    expect(await rowsOf(invoice)).toMatchObject([
      { channel: 'LETTER', kind: 'reminder', status: 'DEAD', last_error: 'no address' },
    ])
    expect(
      await sql(
        `select t.kind from task t join mail_outbox m on t.about = 'mail:' || m.id where m.invoice_id = $1`,
        [invoice.id],
      ),
    ).toEqual([{ kind: 'mail_undeliverable' }])
  })
})

test('twenty-four runs of each night, and many senders, send one letter for each step', async () => {
  const invoice = await build({ address: 'Engatan 1' })
  const instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
  for (let n = 0; n < REMINDED; n++) {
    const day = addDays(DUE, n)
    server.clock.moveTo(day)
    await Promise.all(
      Array.from({ length: 24 }, () => performDailyRun(server.product.context, instance, day)),
    )
  }
  await Promise.all(Array.from({ length: 5 }, () => server.product.sendMail()))
  expect(await rowsOf(invoice)).toMatchObject([{ channel: 'LETTER', kind: 'reminder', status: 'SENT' }])
  expect(await delivered(({ to }) => to.includes('Engatan 1'))).toHaveLength(1)
})

describe('nothing, when it was over before it could be sent', () => {
  const on = addDays(DUE, REMINDED)
  type Key = { instanceId: string; invoiceId: string }
  const later = { reason: 'respite', on, resumeDate: addDays(on, 20) } as const
  test.each([
    ['PAUSED', 'paused', (key: Key) => pauseInvoice(server.product.context, key, later)],
    ['STOPPED', 'over', (key: Key) => stopInvoice(server.product.context, key, { on, reason: 'withdrawn' })],
  ])('%s', async (status, reason, act) => {
    const email = `${status}@example.com`
    const invoice = await build({ email })
    await nights(DUE, REMINDED)
    await act({ instanceId: server.instanceId, invoiceId: invoice.id })
    await server.product.sendMail()
    const rows = await rowsOf(invoice)
    expect(rows.map((r) => r.status)).toEqual(['DROPPED', 'DROPPED'])
    expect(rows.map((r) => r.last_error)).toEqual([reason, reason])
    expect(await delivered(({ to }) => to === email)).toEqual([])
  })

  test('objected to through the portal: only the answer to that is sent', async () => {
    const invoice = await build({ address: 'Tvistgatan 1' })
    await nights(DUE, REMINDED)
    const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/dispute`
    const body = { debtorEmail: 'tvist@example.com', reason: 'Fel belopp.' }
    expect((await server.call('POST', path, { body })).status).toBe(201)
    await server.product.sendMail()
    expect((await rowsOf(invoice)).map((r) => `${r.kind} ${r.status}`).sort()).toEqual([
      'dispute_opened SENT',
      'dispute_received SENT',
      'reminder DROPPED',
    ])
    expect(await delivered(({ to }) => to.includes('Tvistgatan 1'))).toEqual([])
  })

  test.each([
    ['ACTIVATED', null, 100, undefined],
    ['ACTIVATED', null, 0, 'over'],
    ['PENDING_AUTHORIZATION', null, 100, 'later'],
    ['DISPUTED', null, 100, 'disputed'],
    ['PAUSED', null, 100, 'paused'],
    ['CLOSED', null, 0, 'over'],
    ['STOPPED', null, 100, 'over'],
    ['ARCHIVED', null, 0, 'over'],
    ['ACTIVATED', 'OPEN', 100, undefined],
    ['ACTIVATED', 'RESUME', 100, undefined],
    ['ACTIVATED', 'DISPUTED', 100, 'disputed'],
    [null, 'PAUSED', 100, 'paused'],
    [null, 'CLOSED', 0, 'over'],
    [null, 'STOPPED', 100, 'over'],
  ] as const)('invoice %s, claim %s, %i left: %s', (invoice_status, claim_status, balance_minor, held) => {
    const matter = {
      invoice_status,
      claim_status,
      balance_minor,
      is_part_payment: false,
      step_status: 'PERFORMED',
    }
    expect(heldBy(matter)).toBe(held)
    const over = held ?? 'over'
    expect(heldBy({ ...matter, is_part_payment: true })).toBe(over)
    expect(heldBy({ ...matter, step_status: 'SKIPPED' })).toBe('over')
  })
})

describe('a sender that dies', () => {
  const whole = openPrintQueue({ folder: queueFolder })
  // What ends a run at once: any other failure is set aside, and the run goes on.
  const die = () => Promise.reject(new DatabaseAway('killed'))
  const inView = () => readdirSync(queueFolder).filter((name) => name.endsWith('.pdf'))

  function deliver(change: Partial<PrintQueue>): Promise<void> {
    const ways: Ways = { LETTER: { ...whole, ...change } }
    const drawLetter = async () => ({ name: 'a.pdf', title: 'Inkassokrav', bytes: Buffer.from('%PDF-drawn') })
    const nothing = {
      writeBill: async () => undefined,
      dropStepMail: async () => {},
      dateLetter: async () => '2099-12-31',
    }
    return deliverMail({ ...server.product.context, drawLetter, ...nothing }, ways)
  }
  const later = () => sql(`update mail_outbox set next_at = now() where status = 'WAITING'`)

  test.each<[string, Partial<PrintQueue>]>([
    ['before the letter is on disk', { stage: die }],
    [
      'when half of it is',
      { stage: (letter) => whole.stage(letter, { title: '', to: [] }, Buffer.from('%PD')).then(die) },
    ],
    ['when the database has it as sent, and nobody can see it', { release: die }],
    ['when it can be seen', { release: (letter) => whole.release(letter).then(die) }],
  ])('%s: the letter is in the queue once', async (_, change) => {
    const before = inView().length
    const invoice = await build({ address: 'Dödgatan 1' })
    await nights(DUE, REMINDED)
    await expect(deliver(change)).rejects.toThrow('killed')
    for (let again = 0; again < 3; again++) {
      await later()
      await deliver({})
    }
    expect(await rowsOf(invoice)).toMatchObject([{ status: 'SENT' }])
    expect(inView()).toHaveLength(before + 1)
    expect(readdirSync(join(queueFolder, '.staged'))).toEqual([])
    for (const name of inView()) {
      expect(name).toMatch(/^[0-9a-f-]{36}\.pdf$/)
      expect(readFileSync(join(queueFolder, name), 'utf8')).toBe('%PDF-drawn')
      const ticket: unknown = JSON.parse(
        readFileSync(join(queueFolder, name.replace('.pdf', '.json')), 'utf8'),
      )
      expect(ticket).toMatchObject({
        title: 'Inkassokrav',
        to: ['Alva Provlund', 'Dödgatan 1', '111 22 Stockholm'],
      })
    }
  })

  test('printed meanwhile: it is not put there again', async () => {
    const invoice = await build({ address: 'Dödgatan 1' })
    await nights(DUE, REMINDED)
    await expect(deliver({ release: (letter) => whole.release(letter).then(die) })).rejects.toThrow('killed')
    for (const name of inView()) rmSync(join(queueFolder, name))
    await later()
    await deliver({})
    expect(inView()).toEqual([])
    expect(await rowsOf(invoice)).toMatchObject([{ status: 'SENT' }])
  })

  test('a sender that slept while another took over puts nothing there', async () => {
    const invoice = await build({ address: 'Dödgatan 1' })
    await nights(DUE, REMINDED)
    const before = inView().length
    const slow: PrintQueue['stage'] = async (letter, ticket, pdf) => {
      await whole.stage(letter, ticket, pdf)
      await later()
      await deliver({})
    }
    await deliver({ stage: slow })
    expect(inView()).toHaveLength(before + 1)
    expect(readdirSync(join(queueFolder, '.staged'))).toEqual([])
    expect(await rowsOf(invoice)).toMatchObject([{ status: 'SENT' }])
  })

  test('a full disk: tried again later', async () => {
    const invoice = await build({ address: 'Dödgatan 1' })
    await nights(DUE, REMINDED)
    const full = openPrintQueue({ folder: '/dev/null/queue' })
    await deliver({ stage: full.stage, staged: async () => [] })
    expect(await rowsOf(invoice)).toMatchObject([{ status: 'WAITING', last_error: 'ENOTDIR' }])
    await later()
    await deliver({})
    expect(await rowsOf(invoice)).toMatchObject([{ status: 'SENT', last_error: null }])
  })
})
