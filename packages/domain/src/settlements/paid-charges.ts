/**
 * What of debtors' fees and interest has been paid and is the operator's (decision 029). A charge keeps its owner; a payment knows
 * none. So what was paid of the charges of a debt is divided by their owners, the oldest first.
 */
import type { Bucket } from '../ledger/booking.ts'
import { NOT_AGREED, chargeOf, type ChargeOwner } from '../ledger/charge-owner.ts'

const BUCKETS = ['principal', 'costs', 'interest'] as const

/** What one entry of the books did to the buckets of one debt, in minor units. */
export type BucketMove = { readonly debt: string } & Readonly<Record<`${Bucket}Minor`, number>>

/** An entry of the books, as far as it is about what debtors owe. */
export type ChargeEntry = {
  readonly kind: string
  readonly cause: string
  /** Of a charge; null for anything else, and for charges from before owners were kept. */
  readonly owner: ChargeOwner | null
  /** The cause of the charge that it takes back or waives, where it names one. */
  readonly restates: string | null
  readonly moves: readonly BucketMove[]
}

type Slice = { readonly cause: string; readonly owner: ChargeOwner; minor: number }

/** One bucket of a debt: the charges that stand, oldest first, what is open, and what of it was given up and so never paid, of that what was written off. */
type State = { slices: Slice[]; openMinor: number; givenUpMinor: number; writtenOffMinor: number }

/** As if each entry were booked again, in its order. Answers what of each debt's charges the operator has got, in minor units. */
export function operatorsShare(entries: readonly ChargeEntry[]): Map<string, number> {
  const books = new Books()
  for (const entry of entries) books.post(entry)
  return books.shares()
}

/** By how much each entry changed that, of the debts where it did. */
export function operatorsChanges(entries: readonly ChargeEntry[]): Map<string, number>[] {
  const books = new Books()
  let before = new Map<string, number>()
  return entries.map((entry) => {
    books.post(entry)
    const after = books.shares()
    const changes = [...after]
      .map(([debt, minor]) => [debt, minor - (before.get(debt) ?? 0)] as const)
      .filter(([, minor]) => minor !== 0)
    before = after
    return new Map(changes)
  })
}

class Books {
  #states = new Map<string, State>()
  /** What left one debt of a plan and has not come to stand on another yet. */
  #onTheWay: Record<Bucket, Slice[]> = { principal: [], costs: [], interest: [] }
  #givenUpBy = new Map<string, { state: State; minor: number }[]>()

  post(entry: ChargeEntry): void {
    const isTransfer = entry.kind.startsWith('TRANSFER_')
    // What leaves a debt is on its way before it arrives.
    const moves = entry.moves.toSorted((a, b) => totalOf(a) - totalOf(b))
    for (const move of moves)
      for (const bucket of BUCKETS) {
        const minor = move[`${bucket}Minor`]
        if (minor !== 0) this.#move(entry, { bucket, minor, isTransfer }, this.#at(move.debt, bucket))
      }
    if (isTakeBack(entry)) this.#takeBack(entry, -moves.reduce((sum, move) => sum + totalOf(move), 0))
    if (entry.cause.startsWith('reversal:')) {
      const undone = this.#givenUpBy.get(`write-off:${entry.cause.slice('reversal:'.length)}`) ?? []
      // As far as nothing has undone it before.
      for (const { state, minor } of undone)
        giveUp(state, 0 - Math.min(minor, Math.max(0, state.writtenOffMinor)))
    }
  }

  #move(
    { kind, cause, owner }: ChargeEntry,
    { bucket, minor, isTransfer }: { bucket: Bucket; minor: number; isTransfer: boolean },
    state: State,
  ): void {
    const charge = chargeOf(kind)
    state.openMinor += minor
    if (owner !== null || charge !== undefined) {
      // What a court costs was paid by the creditor when it was applied for.
      const isOutlay = kind === 'COURT_FEE'
      const whose = owner ?? NOT_AGREED[charge ?? 'fees']
      if (minor > 0) state.slices.push({ cause, owner: isOutlay ? 'CREDITOR' : whose, minor })
    } else if (isTransfer && minor < 0)
      this.#onTheWay[bucket].push(...detach(state, Math.min(-minor, standing(state))))
    else if (minor > 0 && (isTransfer || kind === 'INVOICE'))
      state.slices.push(...this.#arrive(bucket, minor))
    else if (kind === 'WRITE_OFF') {
      giveUp(state, -minor)
      const before = this.#givenUpBy.get(cause) ?? []
      if (minor < 0) this.#givenUpBy.set(cause, [...before, { state, minor: -minor }])
    } else if (kind === 'CREDIT_INVOICE') state.givenUpMinor -= minor
  }

  /** What an entry takes back in all, out of whatever bucket: of the charge that it names, else the newest of the debt first. */
  #takeBack(entry: ChargeEntry, totalMinor: number): void {
    let left = totalMinor
    for (const slice of this.#namedBy(entry)) {
      const part = Math.max(0, Math.min(left, slice.minor))
      slice.minor -= part
      left -= part
    }
  }

  #namedBy({ cause, restates, moves }: ChargeEntry): Slice[] {
    const all = [...this.#states.values()].flatMap(({ slices }) => slices)
    const names = restates === null ? chargesNamed(cause) : [restates]
    if (names.length > 0)
      return names.flatMap((name) =>
        all.filter((slice) => slice.cause === name || name.startsWith(`${slice.cause}:`)),
      )
    const debts = [...new Set(moves.map(({ debt }) => debt))]
    return debts
      .flatMap((debt) => (['costs', 'interest'] as const).map((bucket) => this.#at(debt, bucket)))
      .flatMap(({ slices }) => slices.toReversed())
  }

  #arrive(bucket: Bucket, minor: number): Slice[] {
    const arrived: Slice[] = []
    let left = minor
    const way = this.#onTheWay[bucket]
    while (left > 0 && way[0]) {
      const part = Math.min(left, way[0].minor)
      arrived.push({ ...way[0], minor: part })
      way[0].minor -= part
      left -= part
      if (way[0].minor === 0) way.shift()
    }
    return arrived
  }

  #at(debt: string, bucket: Bucket): State {
    const key = `${debt} ${bucket}`
    const state = this.#states.get(key) ?? { slices: [], openMinor: 0, givenUpMinor: 0, writtenOffMinor: 0 }
    this.#states.set(key, state)
    return state
  }

  shares(): Map<string, number> {
    const shares = new Map<string, number>()
    for (const [key, state] of this.#states) {
      const [debt = ''] = key.split(' ')
      if (state.slices.length > 0) shares.set(debt, (shares.get(debt) ?? 0) + operatorsOf(state))
    }
    return shares
  }
}

/** Writes off; below zero it undoes. */
function giveUp(state: State, minor: number): void {
  state.givenUpMinor += minor
  state.writtenOffMinor += minor
}

function operatorsOf(state: State): number {
  let left = standing(state) - state.openMinor - state.givenUpMinor
  let operators = 0
  for (const { owner, minor } of state.slices) {
    const part = Math.max(0, Math.min(left, minor))
    if (owner === 'OPERATOR') operators += part
    left -= part
  }
  return operators
}

function standing({ slices }: State): number {
  return slices.reduce((sum, { minor }) => sum + minor, 0)
}

/** The newest of what stands: the oldest was paid first. */
function detach(state: State, minor: number): Slice[] {
  const gone: Slice[] = []
  let left = minor
  for (const slice of state.slices.toReversed()) {
    const part = Math.min(left, slice.minor)
    if (part > 0) gone.unshift({ ...slice, minor: part })
    slice.minor -= part
    left -= part
  }
  return gone
}

function totalOf({ principalMinor, costsMinor, interestMinor }: BucketMove): number {
  return principalMinor + costsMinor + interestMinor
}

/** It takes charges back; what takes a payment back, or uses what was owed back, only moves what is open. */
function isTakeBack({ kind, cause }: ChargeEntry): boolean {
  return kind === 'REVERSAL' && !/^(reversal|credit-used|holder|moved|placed|known|repeated):/.test(cause)
}

function chargesNamed(cause: string): string[] {
  const unsent = /^unsent:(.+)$/.exec(cause)?.[1]
  if (unsent !== undefined) return [`step:${unsent}`, `interest:${unsent}`]
  const credited = /^credited:((?:step|interest):.+)$/.exec(cause)?.[1]
  return credited === undefined ? [] : [credited]
}
