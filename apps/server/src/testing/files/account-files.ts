/** Instances whose nights know up to when an account is told, for tests: their files, their nights, and what waits. */
import { beforeAll } from 'vitest'
import type { AccountFiles } from '@kvitt/domain/bank-files/told-days.ts'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { importBankFiles } from '../../bank-files/bank-files.ts'
import { performAllRuns } from '../../collection/collection.ts'
import { chooseFiles, chooseOwnAccount, confirmTold } from '../../creditors/creditors.ts'
import { camt, type CamtEntry } from './bank-formats.ts'
import { buildInstance, buildInvoice, type BuiltInvoice, type InvoiceWishes } from '../build.ts'
import { startTestServer, type TestServer } from '../start-test-server.ts'

export const IBAN = 'SE4550000000058398257466'
/** A Tuesday; the reminder is due on the next one, and up to the Monday before it all has to be told. */
export const DUE = date('2026-03-10')
export const MONDAY = date('2026-03-16')
export const TUESDAY = date('2026-03-17')
export const WEDNESDAY = date('2026-03-18')
/** Three bank days after the Monday have passed. */
export const FRIDAY = date('2026-03-20')

export let server: TestServer
export let instance = { id: '', timeZone: 'Europe/Stockholm' }
const instances: string[] = []
let serial = 0

/** For the top of a test file with so many tests. */
export function useAccountFiles(tests: number): void {
  beforeAll(async () => {
    server = await startTestServer()
    // All before the product looks which there are: the tests go back in time, where it does not look again.
    for (let n = 0; n < tests; n++) {
      const named = { alias: `told${n}`, domain: 'localhost', isDefault: false }
      instances.push((await buildInstance(server.test, named)).id)
    }
  })
}

export const sql = async (text: string, ...values: unknown[]) =>
  (await server.test.owner.query(text, values)).rows

export const at = (of = IBAN) => ({
  instanceId: instance.id,
  today: server.clock.today(instance.timeZone),
  of,
  by: 'person:anna',
})

export const choose = (files: AccountFiles, of = IBAN) =>
  chooseFiles(server.product.context, { ...at(of), files })
export const confirm = (to: CalendarDate) => confirmTold(server.product.context, { ...at(), to })

/** An instance with one account of its own, of which everything is told up to the weekend before the reminder. */
export async function open(files: AccountFiles | null, instanceId = instances.pop() ?? ''): Promise<void> {
  instance = { id: instanceId, timeZone: 'Europe/Stockholm' }
  server.clock.moveTo(DUE)
  const account = { form: 'iban', number: IBAN, currency: 'SEK', receiver: 'Nordklar AB' } as const
  const wanted = { ...account, bank: undefined, bic: undefined, by: 'person:anna' }
  await chooseOwnAccount(server.product.context, instance.id, wanted)
  if (files) await choose(files)
  await take(statement(DUE, addDays(MONDAY, -3)))
}

/** Paid to the instance's account unless an account is wished for. */
export async function build(wishes: InvoiceWishes = {}): Promise<BuiltInvoice> {
  const today = server.clock.today(instance.timeZone)
  server.clock.moveTo(addDays(DUE, -30))
  const wanted = { dueDate: DUE, hasAccount: false, totalMinor: 100_000, ...wishes }
  const invoice = await buildInvoice(server.test, instance.id, server.clock, wanted)
  server.clock.moveTo(today)
  return invoice
}

type Told = {
  readonly entries?: readonly CamtEntry[]
  readonly head?: string
  readonly message?: '053' | '054'
}

export function report({ entries = [], head = '', message = '053' }: Told): string {
  serial += 1
  return camt({ account: { iban: IBAN }, entries, head, message, serial })
}

/** A statement over some days. */
export function statement(first: CalendarDate, last = first, entries: readonly CamtEntry[] = []): string {
  const period = `<FrDtTm>${first}T00:00:00</FrDtTm><ToDtTm>${last}T23:59:59</ToDtTm>`
  return report({ entries, head: `<FrToDt>${period}</FrToDt>` })
}

/** A numbered notification of money for nobody known. */
export function numbered(number: number, day: CalendarDate): string {
  const entry = { amountMinor: 100 + number, currency: 'SEK', day, bankId: `N${number}` }
  return report({ head: `<ElctrncSeqNb>${number}</ElctrncSeqNb>`, message: '054', entries: [entry] })
}

export async function take(...texts: readonly string[]): Promise<void> {
  const files = texts.map((text, index) => ({
    name: `file-${serial}-${index}`,
    async *open() {
      yield Buffer.from(text)
    },
  }))
  for await (const { outcome, reason } of importBankFiles(server.product.context, instance, files)) {
    if (outcome === 'refused') throw new Error(reason ?? '')
  }
}

/** What the product does in the night of today, or whenever it looks later that day, and what is sent after it. */
export async function nights(): Promise<void> {
  await performAllRuns(server.product.context, [instance])
  await sql('update mail_outbox set next_at = now() where instance_id = $1', instance.id)
  await server.product.sendMail()
}

export type Deeds = Readonly<Record<string, () => Promise<void>>>

/** Each day up to `last`: its night, then what is done on it, and what this lets go on. */
export async function liveTo(last: CalendarDate, deeds: Deeds = {}): Promise<void> {
  for (let day = addDays(server.clock.today(instance.timeZone), 1); day <= last; day = addDays(day, 1)) {
    server.clock.moveTo(day)
    await nights()
    const deed = deeds[day]
    if (!deed) continue
    await deed()
    await nights()
  }
}

/** The day on which a step of a debt was performed. */
export const dayOf = async (debtId: string, type: string): Promise<string | undefined> =>
  (
    await sql(
      `select performed_date::text as day from collection_step where debt_id = $1 and type = $2 and status = 'PERFORMED'`,
      debtId,
      type,
    )
  )[0]?.day

export const costsOf = async (invoiceId: string): Promise<number> =>
  (await sql('select costs_minor::int as costs from invoice where id = $1', invoiceId))[0]?.costs

/** The days of the open tasks for files that are missing. */
export const missing = async (): Promise<string[]> =>
  (
    await sql(
      `select about from task where instance_id = $1 and kind = 'bank_file_missing' and done_at is null order by about`,
      instance.id,
    )
  ).map(({ about }) => about.split(':').at(-1))
