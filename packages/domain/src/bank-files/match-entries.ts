/**
 * Which entries of a report are told again. A bank may tell of one entry in several files, under its own id or without any, and
 * of two equal payments in one file. So entries are compared as a multiset: the n-th equal entry of one report is the n-th of
 * another, what is more is new, and two entries within one report are always two.
 */
import type { CalendarDate } from '../calendar.ts'

/** What a bank calls an entry, from the most certain to the least. */
export const ENTRY_IDS = ['servicer', 'transaction', 'uetr', 'endToEnd'] as const
export type EntryIds = { readonly [Kind in (typeof ENTRY_IDS)[number]]?: readonly string[] }

/** One entry on an account, from the new report or from what is kept. */
export type ComparedEntry = {
  /** Minor units; less than zero for what takes money back. */
  readonly minor: number
  readonly day: CalendarDate
  readonly ids: EntryIds
  readonly references: readonly string[]
  readonly payers: readonly string[]
  readonly messages: readonly string[]
}

/**
 * `same`: the kept entry with that index. `doubtful`: a kept entry of that day and sum agrees with it in part and contradicts it in
 * part, or is missing from a statement that tells of the whole day.
 */
export type EntryMatch = { readonly same: number } | 'new' | 'doubtful'

type Fields = 'references' | 'payers' | 'messages'
const FIELDS: readonly Fields[] = ['references', 'payers', 'messages']

/** Nothing is said where one side says nothing. A text that a bank cut off agrees with the whole one. */
type Agreement = 'agrees' | 'contradicts' | undefined

const plain = (text: string): string => text.toUpperCase().replace(/\s+/g, ' ').trim()
const isAlike = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one)

function compareField(one: readonly string[], other: readonly string[], field: Fields): Agreement {
  if (one.length === 0 || other.length === 0) return undefined
  const [fewer, more] = one.length <= other.length ? [one, other] : [other, one]
  const isIn = (text: string): boolean =>
    field === 'references' ? more.includes(text) : more.some((m) => isAlike(plain(m), plain(text)))
  return fewer.every(isIn) ? 'agrees' : 'contradicts'
}

/** By the first id that both have. */
function compareIds(one: EntryIds, other: EntryIds): Agreement {
  for (const kind of ENTRY_IDS) {
    const [a, b] = [one[kind], other[kind]]
    if (a?.length && b?.length) return a.some((id) => b.includes(id)) ? 'agrees' : 'contradicts'
  }
  return undefined
}

/** `isLikely`: they agree in something, and do not name different debts. */
type Compared = {
  readonly isLikely: boolean
  readonly ids: Agreement
  readonly agreeing: number
  readonly contradicting: number
}

function compare(one: ComparedEntry, other: ComparedEntry): Compared {
  const fields = FIELDS.map((field) => compareField(one[field], other[field], field))
  const count = (wanted: Agreement) => fields.filter((found) => found === wanted).length
  const [references] = fields
  const agreeing = count('agrees')
  return {
    ids: compareIds(one.ids, other.ids),
    agreeing,
    contradicting: count('contradicts'),
    // One payer often pays several debts of one sum on one day: another reference is another payment.
    isLikely: agreeing > 0 && references !== 'contradicts',
  }
}

/** What an entry is looked up by; an entry with an id of the servicer is never another one that has such an id. */
type Keys = {
  ofKept(entry: ComparedEntry): readonly string[]
  ofTold(entry: ComparedEntry): readonly string[]
}
const kindOf = ({ ids, day }: ComparedEntry): string => `${day} ${ids.servicer?.length ? 'named' : 'unnamed'}`
const kindsBeside = ({ ids, day }: ComparedEntry): string[] =>
  ids.servicer?.length ? [`${day} unnamed`] : [`${day} unnamed`, `${day} named`]
const saidBy = ({ references, payers, messages }: ComparedEntry): string =>
  JSON.stringify([references, payers, messages])

class Matcher {
  readonly #kept: readonly ComparedEntry[]
  readonly #told: readonly ComparedEntry[]
  readonly #free: Set<number>
  readonly #open: Set<number>
  readonly matches: EntryMatch[]

  constructor(kept: readonly ComparedEntry[], told: readonly ComparedEntry[]) {
    this.#kept = kept
    this.#told = told
    this.#free = new Set(kept.keys())
    this.#open = new Set(told.keys())
    this.matches = told.map(() => 'new')
  }

  /** Pairs what has one key in common, in the order of both; a key is looked up, so that equal sums by the thousand are quick. */
  pairBy(keys: Keys, mayBe: (pair: Compared) => boolean): void {
    const byKey = new Map<string, { readonly all: number[]; from: number }>()
    for (const k of this.#free) {
      for (const key of keys.ofKept(this.#entry(this.#kept, k))) {
        const queue = byKey.get(key)
        if (queue) queue.all.push(k)
        else byKey.set(key, { all: [k], from: 0 })
      }
    }
    for (const t of this.#open) {
      const told = this.#entry(this.#told, t)
      const isSame = (k: number) => this.#free.has(k) && mayBe(compare(this.#entry(this.#kept, k), told))
      for (const key of keys.ofTold(told)) {
        const queue = byKey.get(key)
        if (!queue) continue
        while (queue.from < queue.all.length && !this.#free.has(queue.all[queue.from] ?? -1)) queue.from += 1
        let at = queue.from
        while (at < queue.all.length && !isSame(queue.all[at] ?? -1)) at += 1
        const k = queue.all[at]
        if (k === undefined) continue
        this.#pair(t, k)
        break
      }
    }
  }

  /** Pairs what contradicts in nothing, those first that agree in most. */
  pairRest(): void {
    const free = this.#freeByKind()
    for (const agreeing of [3, 2, 1, 0]) {
      for (const t of this.#open) {
        const told = this.#entry(this.#told, t)
        for (const k of kindsBeside(told).flatMap((kind) => free.get(kind) ?? [])) {
          const found = this.#comparable(k, told)
          if (!found || found.contradicting > 0 || found.agreeing !== agreeing) continue
          this.#pair(t, k)
          break
        }
      }
    }
  }

  /** `isWhole`: the report tells of all that is on the day, so that what is kept has to be in it. */
  markDoubtful(isWhole: boolean): void {
    const free = this.#freeByKind()
    for (const t of this.#open) {
      const told = this.#entry(this.#told, t)
      for (const k of kindsBeside(told).flatMap((kind) => free.get(kind) ?? [])) {
        const found = this.#comparable(k, told)
        if (!found || (!isWhole && !found.isLikely)) continue
        this.matches[t] = 'doubtful'
        this.#free.delete(k)
        break
      }
    }
  }

  #freeByKind(): ReadonlyMap<string, readonly number[]> {
    const free = new Map<string, number[]>()
    for (const k of this.#free) {
      const kind = kindOf(this.#entry(this.#kept, k))
      const known = free.get(kind)
      if (known) known.push(k)
      else free.set(kind, [k])
    }
    return free
  }

  /** Undefined when it is taken, or another entry for certain: of another day, or with other ids. */
  #comparable(k: number, told: ComparedEntry): Compared | undefined {
    const kept = this.#entry(this.#kept, k)
    if (!this.#free.has(k) || kept.day !== told.day) return undefined
    const found = compare(kept, told)
    return found.ids === 'contradicts' ? undefined : found
  }

  #pair(t: number, k: number): void {
    this.matches[t] = { same: k }
    this.#open.delete(t)
    this.#free.delete(k)
  }

  #entry(entries: readonly ComparedEntry[], index: number): ComparedEntry {
    const entry = entries[index]
    if (!entry) throw new Error(`there is no entry ${index}`)
    return entry
  }
}

const keysOfId = (kind: keyof EntryIds): Keys => {
  // Whoever orders money may call it the same every month; the bank's own names stand for one entry.
  const keysOf = ({ ids, day }: ComparedEntry): string[] =>
    (ids[kind] ?? []).map((id) => (kind === 'endToEnd' ? `${day} ${id}` : id))
  return { ofKept: keysOf, ofTold: keysOf }
}

const keyOfAll: Keys = {
  ofKept: (entry) => [`${kindOf(entry)} ${saidBy(entry)}`],
  ofTold: (entry) => kindsBeside(entry).map((kind) => `${kind} ${saidBy(entry)}`),
}

/**
 * What each entry of a report is among the kept ones, all of one account, currency and amount. First by the bank's ids, then by
 * what they say; an entry whose id is another one's is never the same.
 */
export function matchEntries(
  kept: readonly ComparedEntry[],
  told: readonly ComparedEntry[],
  isWhole: boolean,
): readonly EntryMatch[] {
  const matcher = new Matcher(kept, told)
  for (const kind of ENTRY_IDS) matcher.pairBy(keysOfId(kind), ({ ids }) => ids === 'agrees')
  matcher.pairBy(keyOfAll, ({ ids, contradicting }) => ids !== 'contradicts' && contradicting === 0)
  matcher.pairRest()
  matcher.markDoubtful(isWhole)
  return matcher.matches
}
