/** The SQL of money that nobody could place, as an operator's people see it: all of the instance $1. */
import { BANK_LINE_KINDS, SUSPENSE_REASONS, type SuspenseReason } from '@kvitt/domain/bank-files/bank-desk.ts'
import { CURRENCIES, type Currency } from '@kvitt/domain/money.ts'
import { amount, asWritten, sqlJson, word } from '../../platform/database/sql-json.ts'
import { openOfficeList, openOfficeRow, type OfficeListShape, type Whose } from '../../staff/office-list.ts'
import { tasksOf } from '../../tasks/tasks.ts'
import type { EndedLineRow } from '../suspense.queries.ts'
import { ON, REASON, type OnJson } from './batches.queries.ts'

const SIGNED = `case l.kind when 'PAYMENT' then l.amount_minor else -l.amount_minor end`
const REFERENCES = `array_to_string(l.payment_references, ' ')`

const from =
  (condition: string) =>
  (whose: Whose): string =>
    `bank_line l
   join bank_file f on f.instance_id = l.instance_id and f.id = l.file_id
   where l.instance_id = $1 and ${whose('null::uuid')} and ${condition}`

const LISTED = {
  id: word('l.id'),
  version: asWritten('l.xmin::text'),
  kind: word('l.kind'),
  status: word('l.status'),
  amount: amount(SIGNED),
  currency: word('l.currency'),
  bankDate: word('l.bank_date'),
  account: 'l.account_key',
  references: 'l.payment_references',
  payer: 'l.payer',
  message: 'l.message',
  reason: REASON,
  batch: { id: word('f.id'), name: 'f.name' },
}

const SHAPE: OfficeListShape = {
  name: 'suspense.office',
  from: from(`l.status = 'SUSPENSE'`),
  json: sqlJson(LISTED),
  targets: {
    paymentReference: REFERENCES,
    name: `coalesce(l.payer, '')`,
    message: `coalesce(l.message, '')`,
  },
  filters: {
    id: { kind: 'id', sql: 'l.id::text' },
    kind: { kind: 'choice', values: BANK_LINE_KINDS, sql: 'l.kind' },
    reason: { kind: 'choice', values: SUSPENSE_REASONS, sql: REASON },
    currency: { kind: 'choice', values: CURRENCIES, sql: 'l.currency' },
    'batch.id': { kind: 'id', sql: 'l.file_id::text' },
    bankDate: { kind: 'day', sql: 'l.bank_date' },
    amount: { kind: 'amount', sql: SIGNED },
  },
  orders: { id: 'l.bank_date', bankDate: 'l.bank_date', amount: SIGNED, payer: `coalesce(l.payer, '')` },
  tie: 'l.id',
}

/** All that lies in suspense. */
export const searchSuspenseRows = openOfficeList(SHAPE)

/** A line that lies in suspense, or has lain there. */
const EVER = `(l.status = 'SUSPENSE' or exists (
    select from ${tasksOf(['bank_line'], 'all')} k where k.instance_id = l.instance_id and k.about = 'bank-line:' || l.id))`

export type SuspenseJson = {
  /** As the list has it, as JSON's text. */
  readonly listed: string
  readonly version: number
  readonly status: EndedLineRow['status']
  readonly kind: EndedLineRow['kind']
  readonly amountMinor: number
  readonly currency: Currency
  readonly bankDate: string
  readonly references: readonly string[]
  readonly payer: string | null
  readonly message: string | null
  readonly holder: 'INSTANCE' | 'CREDITOR' | null
  readonly accountId: string | null
  readonly creditorIds: readonly string[] | null
  readonly format: string
  readonly reason: SuspenseReason | null
  readonly on: readonly OnJson[]
}

/** One of them, with what candidates are looked for by. */
export const readSuspense = openOfficeRow({
  ...SHAPE,
  name: 'suspense.officeCase',
  from: from(EVER),
  json: sqlJson({
    listed: sqlJson(LISTED),
    version: asWritten('l.xmin::text'),
    status: word('l.status'),
    kind: word('l.kind'),
    amountMinor: asWritten('l.amount_minor'),
    currency: word('l.currency'),
    bankDate: word('l.bank_date'),
    references: 'l.payment_references',
    payer: 'l.payer',
    message: 'l.message',
    holder: 'l.holder',
    accountId: 'l.account_id',
    creditorIds: 'l.creditor_ids',
    format: word('f.format'),
    reason: REASON,
    on: asWritten(`(${ON})::text`),
  }),
})
