/** Which entries of a camt file are new: each is held against what is kept of its account (match-entries.ts). */
import type { Deposit } from '@kvitt/domain/bank-files/bank-file.ts'
import { sumOfBankLines } from '@kvitt/domain/bank-files/bank-file.ts'
import { matchEntries, type ComparedEntry, type EntryMatch } from '@kvitt/domain/bank-files/match-entries.ts'
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { endToEndId } from '@kvitt/domain/payments/end-to-end.ts'
import { ImportRefusal } from '../../imports/imports.ts'
import { openBreather } from '../../platform/breathe.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { RETURNED, REVERSAL } from './camt.ts'
import { readKeptLines, type KeptLineRow } from '../kept-entries.queries.ts'

export type NewDeposit = Deposit & { readonly isDoubtful: boolean }

/** What a report tells of: what is new, and the names of all its entries as they are kept. */
export type ToldEntries = { readonly found: readonly NewDeposit[]; readonly names: readonly string[] }

type Kept = {
  readonly name: string
  readonly key: string
  readonly currency: string
  readonly entry: ComparedEntry
}

const distinct = (texts: readonly (string | null)[]): string[] =>
  [...new Set(texts.filter((text) => text !== null && text !== ''))] as string[]

/** What its key says of an entry: that it takes back, that it came back, or neither. */
const sortOf = (key: string): string => [REVERSAL, RETURNED].find((end) => key.endsWith(end)) ?? ''

/** Before ids were kept, the name of an entry was in its key: the servicer's, or a digest with a number. */
const DIGEST = /^camt:[\w-]{43}:\d+$/
function servicerOf(key: string): string[] {
  const name = key.slice(0, key.length - sortOf(key).length)
  return DIGEST.test(name) || !name.startsWith('camt:') ? [] : [name.slice('camt:'.length)]
}

const nameOf = (account: string, key: string): string => `${account} ${key}`

function keptOf(key: string, lines: readonly KeptLineRow[]): Kept {
  const ids = lines.map(({ bank_ids: found }) => found).find((found) => Object.keys(found).length > 0)
  const named = lines.flatMap(({ named_payment_id: id }) => (id === null ? [] : [endToEndId(id)]))
  const known = ids ?? { servicer: servicerOf(key) }
  const [first] = lines
  return {
    name: nameOf(first?.account_key ?? '', key),
    key,
    currency: first?.currency ?? '',
    entry: {
      minor: lines.reduce((sum, line) => sum + (line.kind === 'PAYMENT' ? 1 : -1) * line.amount_minor, 0),
      day: date(first?.bank_date ?? ''),
      ids: known.endToEnd || named.length === 0 ? known : { ...known, endToEnd: named },
      references: distinct(lines.flatMap((line) => line.payment_references)),
      payers: distinct(lines.map(({ payer }) => payer)),
      messages: distinct(lines.map(({ message }) => message)),
    },
  }
}

type Of = {
  readonly instanceId: string
  readonly accountId: string
  readonly isWhole: boolean
  /** Names of entries that other pages of the same statement have told of: only under the bank's own id are they told again. */
  readonly ofOtherPages: ReadonlySet<string>
}

/** The entries of the account on the days of the deposits, and those with their names. */
async function readKept(
  tx: Transaction,
  of: Of,
  deposits: readonly [Deposit, ...Deposit[]],
): Promise<Kept[]> {
  const breathe = openBreather()
  const days = deposits.flatMap(({ lines }) => lines.map(({ day }) => day))
  const [first, last] = [days.reduce((a, b) => (a < b ? a : b)), days.reduce((a, b) => (a > b ? a : b))]
  const keys = deposits.map(({ key }) => key)
  const [{ account }] = deposits
  const entries = new Map<string, KeptLineRow[]>()
  for await (const line of readKeptLines(tx, { ...of, account, first, last, keys })) {
    const name = nameOf(line.account_key, line.deposit_key)
    const lines = entries.get(name)
    if (lines) lines.push(line)
    else entries.set(name, [line])
  }
  const kept: Kept[] = []
  for (const lines of entries.values()) {
    await breathe()
    kept.push(keptOf(lines[0]?.deposit_key ?? '', lines))
  }
  return kept
}

function comparedOf({ lines, entry }: Deposit): ComparedEntry {
  return {
    minor: sumOfBankLines(lines),
    day: lines[0]?.day as CalendarDate,
    ids: entry?.ids ?? {},
    references: distinct(lines.flatMap(({ references }) => references)),
    payers: distinct(lines.map(({ payer }) => payer)),
    messages: distinct(lines.map(({ message }) => message)),
  }
}

/** A bank's name for an entry stands for one sum: another one under it means that a file is wrong. */
function refuseOtherSum(kept: readonly Kept[], { account }: Deposit, told: ComparedEntry): void {
  const [name] = told.ids.servicer ?? []
  if (name === undefined) return
  const named = kept.filter(
    ({ entry }) =>
      entry.ids.servicer?.includes(name) &&
      entry.day === told.day &&
      Math.sign(entry.minor) === Math.sign(told.minor),
  )
  if (named.length === 0 || named.some(({ entry }) => entry.minor === told.minor)) return
  throw new ImportRefusal(
    `The deposit camt:${name} on ${account} is known with another sum. Ask the bank which is right.`,
  )
}

/** A key that nothing on the account has: the same name may stand for several entries. */
function freeKey(key: string, day: CalendarDate, taken: Set<string>): string {
  const reversal = sortOf(key)
  const name = key.slice(0, key.length - reversal.length)
  let free = key
  for (let n = 2; taken.has(free); n += 1) free = `${name}:${day}:${n}${reversal}`
  taken.add(free)
  return free
}

type Breathe = () => Promise<void>

async function groupBy<Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string,
  breathe: Breathe,
): Promise<Map<string, Item[]>> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    await breathe()
    const known = groups.get(keyOf(item))
    if (known) known.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

type Told = { readonly deposit: Deposit; readonly entry: ComparedEntry }

async function compareAll(
  kept: readonly Kept[],
  told: readonly Told[],
  { isWhole, breathe }: { readonly isWhole: boolean; readonly breathe: Breathe },
): Promise<Map<Deposit, Kept | 'new' | 'doubtful'>> {
  const bySum = await groupBy(
    kept,
    ({ key, entry, currency }) => `${entry.minor} ${currency} ${sortOf(key)}`,
    breathe,
  )
  const matches = new Map<Deposit, Kept | 'new' | 'doubtful'>()
  const ofTold = ({ entry, deposit }: Told): string =>
    `${entry.minor} ${deposit.currency} ${sortOf(deposit.key)}`
  for (const [sum, group] of await groupBy(told, ofTold, breathe)) {
    await breathe()
    const beside = bySum.get(sum) ?? []
    const compared = group.map(({ entry }) => entry)
    const found: readonly EntryMatch[] = matchEntries(
      beside.map(({ entry }) => entry),
      compared,
      isWhole,
    )
    for (const [index, { deposit }] of group.entries()) {
      const match = found[index] ?? 'new'
      matches.set(deposit, typeof match === 'object' ? (beside[match.same] ?? 'new') : match)
    }
  }
  return matches
}

/** Two entries within one statement are always two, also on two of its pages; an id of the bank's own stands for one. */
function isComparable({ name, entry }: Kept, { ofOtherPages }: Of, told: readonly Told[]): boolean {
  if (!ofOtherPages.has(name)) return true
  const own = entry.ids.servicer ?? []
  return told.some(({ entry: { ids } }) => ids.servicer?.some((id) => own.includes(id)))
}

/**
 * The deposits of one report that no file has told of, with keys of their own. `isWhole`: the report is a statement of whole
 * days. Throws ImportRefusal when an entry is known with another sum.
 */
export async function newEntries(
  tx: Transaction,
  of: Of,
  deposits: readonly Deposit[],
): Promise<ToldEntries> {
  const [first, ...rest] = deposits
  if (!first) return { found: [], names: [] }
  const breathe = openBreather()
  const kept = await readKept(tx, of, [first, ...rest])
  const byName = await groupBy(kept, ({ entry }) => entry.ids.servicer?.[0] ?? '', breathe)
  const told: Told[] = []
  for (const deposit of deposits) {
    await breathe()
    told.push({ deposit, entry: comparedOf(deposit) })
  }
  const compared = of.ofOtherPages.size === 0 ? kept : kept.filter((one) => isComparable(one, of, told))
  const matches = await compareAll(compared, told, { isWhole: of.isWhole, breathe })
  const taken = new Set(kept.map(({ key }) => key))
  const found: NewDeposit[] = []
  const names: string[] = []
  for (const { deposit, entry } of told) {
    const match = matches.get(deposit)
    if (match === undefined) continue
    if (typeof match === 'object') {
      names.push(match.name)
      continue
    }
    await breathe()
    refuseOtherSum(byName.get(entry.ids.servicer?.[0] ?? '') ?? [], deposit, entry)
    const key = freeKey(deposit.key, entry.day, taken)
    names.push(nameOf(deposit.account, key))
    found.push({ ...deposit, key, isDoubtful: match === 'doubtful' })
  }
  return { found, names }
}
