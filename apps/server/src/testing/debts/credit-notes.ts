/** An invoice over 842,00 of a debtor of its own for each test, that is credited by notes that come in (M-05). */
import { readFileSync } from 'node:fs'
import { beforeAll, beforeEach, expect } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { makeReference } from '@kvitt/domain/references.ts'
import { reversePayment, performDailyRun } from '../../collection/collection.ts'
import { importInvoices } from '../../imports/imports.ts'
import { newReferenceDigits } from '../../platform/identity.ts'
import { openLog } from '../../platform/log.ts'
import { recordApplied } from './applied.ts'
import { agreeReminderFees } from '../build.ts'
import { NIGHTS_TO_CLAIM } from '../build-claim.ts'
import { startTestServer, type TestServer } from '../start-test-server.ts'
import { transfer } from './transfer.ts'

const fixture = (file: string): string =>
  readFileSync(new URL(`../../imports/fixtures/${file}`, import.meta.url), 'utf8')
const INVOICE = fixture('se-invoice.xml')
  .replace('2026-11-02', '2026-02-02')
  .replace('2026-12-02', '2026-03-04')
const NOTE = fixture('se-credit-note.xml').replace('2026-11-10', '2026-03-11')
const REFERENCE = /<cbc:PaymentID>(\d+)</.exec(INVOICE)?.[1] ?? ''
const SENT = date('2026-02-02')
export const DUE = date('2026-03-04')

export let server: TestServer
let serial = 0
let reference = ''
let name = ''

/** For the top of a test file. */
export function useCreditNotes(): void {
  beforeAll(async () => {
    server = await startTestServer()
  })
  beforeEach(anotherDebtor)
}

/** 1 is a, 27 is aa: a name has no digits. */
function inLetters(count: number): string {
  const before = Math.floor((count - 1) / 26)
  return `${before > 0 ? inLetters(before) : ''}${String.fromCharCode(97 + ((count - 1) % 26))}`
}

/** Whose invoices the next ones are. */
export function anotherDebtor(): void {
  serial += 1
  reference = makeReference('SE', newReferenceDigits())
  // Files that share a process share the count: it goes further than any alphabet.
  name = `Alva Provlund ${inLetters(serial)}`
}

/** The claim of the invoice is taken to the authority, so many days after the due date. */
export async function apply(number: string, after: number): Promise<void> {
  const [{ claim_id: claimId }] = await sql('select claim_id from invoice where invoice_number = $1', [
    number,
  ])
  const on = addDays(DUE, after)
  server.clock.moveTo(on)
  await recordApplied(server.product.context, { instanceId: server.instanceId, claimId, on })
}

const context = () => ({ db: server.test.db, clock: server.clock, log: openLog('silent') })

async function importText(text: string): Promise<string> {
  const instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
  const file = {
    name: 'file.xml',
    async *open() {
      yield Buffer.from(text.replaceAll('Alva Provlund', name).replace(REFERENCE, reference))
    },
  }
  for await (const { outcome, reason } of importInvoices(context(), instance, [file], {
    as: 'distributed',
  })) {
    return reason ?? outcome
  }
  throw new Error('no answer')
}

/** An invoice over 842,00. */
export async function invoice(number: string): Promise<string> {
  server.clock.moveTo(SENT)
  const own = `${serial}-${number}`
  expect(await importText(INVOICE.replace('2026-70012', own))).toBe('created')
  await agreeReminderFees(server.test, server.instanceId)
  return own
}

export const credit = (number: string, amount: string): Promise<string> =>
  importText(
    NOTE.replaceAll('142.00', amount)
      .replace('2026-70012', number)
      .replace('K-2026-0031', `K-${number}-${amount}`),
  )

async function night(day: CalendarDate): Promise<void> {
  server.clock.moveTo(day)
  await performDailyRun(context(), { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}

export async function nights(...after: number[]): Promise<void> {
  for (const days of after) await night(addDays(DUE, days))
}

/** Until what is overdue is in a claim, every letter sent on its day. */
export async function handOver(): Promise<void> {
  for (const after of NIGHTS_TO_CLAIM) {
    await nights(after)
    await server.product.sendMail()
  }
}

export const sql = async (text: string, values: unknown[]) =>
  (await server.test.owner.query(text, values)).rows

const OWED = `status, principal_minor::int as principal, costs_minor::int as costs, interest_minor::int as interest`
export const owed = async (number: string) =>
  (await sql(`select ${OWED} from invoice where invoice_number = $1`, [number]))[0]
export const owedOnClaim = async (number: string) =>
  (
    await sql(
      `select ${OWED} from claim where id = (select claim_id from invoice where invoice_number = $1)`,
      [number],
    )
  )[0]
export const owedBack = async (number: string): Promise<number> =>
  (
    await sql(
      `select coalesce(-sum(l.balance_minor), 0)::int as minor from ledger_account l
       join invoice i on i.debtor_id = l.debtor_id where l.kind in ('credit', 'credit_at_creditor') and i.invoice_number = $1`,
      [number],
    )
  )[0].minor
/** The debtor's own address of the calls. */
export const door = () => `/api/public/invoices/${reference}/11122`
export const eventsOf = async (): Promise<string[]> => {
  const { json } = await server.call('GET', `${door()}/events`)
  return (json as { type: string; amount: number; balance: number }[])
    .filter(({ amount }) => amount !== null)
    .map(({ type, amount, balance }) => `${type} ${amount} ${balance}`)
}
/** Money comes so many days after the last day to pay. Answers the payment. */
export async function pay(minor: number, after: number): Promise<string> {
  server.clock.moveTo(addDays(DUE, after))
  await transfer(server, { reference }, minor)
  const [line] = await sql(`select id from bank_line where status = 'BOOKED' order by id desc limit 1`, [])
  return line.id
}

/** The bank takes a payment back so many days after the last day to pay. */
export async function takeBack(paymentId: string, after: number): Promise<void> {
  const payment = { instanceId: server.instanceId, paymentId }
  expect(await reversePayment(context(), payment, addDays(DUE, after))).toBe(true)
}

export const NOTHING = { status: 'CLOSED', principal: 0, costs: 0, interest: 0 }
