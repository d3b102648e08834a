/** What is held about a person as one table: what it is, its day, its words, its amount. The JSON has each column by itself. */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Row, TableHead } from '../platform/tables/tables.ts'
import { textOf, type Language, type TextKey } from '../platform/texts.ts'
import type { PersonalRows } from './export-person.queries.ts'
import { columnsOf, PERSONAL_DATA } from './personal-columns.queries.ts'

type Given = Readonly<Record<string, unknown>>

/** Whole pages of codes help nobody: what a person would not call words stands in the JSON alone. */
const ONLY_JSON = [
  'html_body', 'identity', 'account_key', 'deposit_key', 'authority_key', 'case_key', 'debtor_ids', 'cause', 'property', 'rows', 'taxes',
  'refusals', 'next_channels', 'periods', 'bank_ids', 'already_sent', 'original_reference', 'callback_identifier', 'event_id',
] as const // biome-ignore format: a list
const DAYS = [
  'issue_date', 'booked_on', 'opened_on', 'written_on', 'started_on', 'added_on', 'asked_on', 'applied_on', 'decided_on', 'bank_date',
  'paid_on', 'performed_date', 'planned_date', 'started_at', 'at', 'created_at', 'received_at', 'noted_at', 'moved_at', 'set_at',
  'came_on', 'set_on', 'made_on',
] as const // biome-ignore format: a list
/** Many things beside one another that say nothing in words. */
const NOT_IN_TABLE = ['payment_move', 'bank_line_key', 'money_out', 'payment_reference']

export function headOf(name: string, language: Language): TableHead {
  const label = (key: TextKey) => textOf(language, key)
  return {
    title: label('personal.title'),
    language,
    instance: { name },
    columns: [
      { label: label('personal.what'), isAmount: false, share: 17 },
      { label: label('document.date'), isAmount: false, share: 12 },
      { label: label('personal.held'), isAmount: false, share: 51 },
      { label: label('document.currency'), isAmount: false, share: 7 },
      { label: label('document.amount'), isAmount: true, share: 13 },
    ],
  }
}

export function* tableRows(found: PersonalRows, language: Language): Generator<Row[]> {
  for (const [table, rows] of Object.entries(found)) {
    if (NOT_IN_TABLE.includes(table)) continue
    const name = textOf(language, `personal.${table}` as TextKey)
    if (name === `personal.${table}`) throw new Refusal('internal_error', { table })
    yield rows.map((row) => [name, dayOf(row), wordsOf(table, row), currencyOf(row), amountOf(row)])
  }
}

function dayOf(row: Given): string {
  const found = DAYS.map((name) => row[name]).find((value) => typeof value === 'string')
  return typeof found === 'string' ? found.slice(0, 10) : ''
}

function currencyOf(row: Given): string {
  return typeof row.currency === 'string' ? row.currency : ''
}

function amountOf(row: Given): Row[number] {
  const minor = row.amount_minor ?? row.total_minor
  return typeof minor === 'number' ? { minor } : null
}

/** A letter's page is a few thousand letters; more than that of one row is in the JSON. */
const LONGEST = 6_000

function wordsOf(table: string, row: Given): string {
  const { goes, stays } = PERSONAL_DATA.persons[table] ?? {}
  const own = table === 'audit_event' ? ['kind', 'who', 'who_hash', 'about'] : undefined
  const names = own ?? [...Object.values(goes ?? {}).flatMap(columnsOf), ...columnsOf(stays)]
  const words = names
    .filter((name) => name !== 'currency' && !(ONLY_JSON as readonly string[]).includes(name))
    .flatMap((name) => textOfValue(row[name]))
  return words.join(' · ').slice(0, LONGEST)
}

function textOfValue(value: unknown): string[] {
  if (value === null || value === undefined || value === '') return []
  if (typeof value === 'string') return [value]
  const text = JSON.stringify(value)
  return text === '{}' || text === '[]' ? [] : [text]
}
