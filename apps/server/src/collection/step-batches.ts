/** One pass over due steps: pages in transactions of their own, and a step at fault alone in its. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Figures } from '@kvitt/domain/collection/country-params.ts'
import { debtId } from '@kvitt/domain/ledger/booking.ts'
import type { NameClaim } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { holdFigures } from '../country-figures/country-figures.ts'
import type { Awaited } from '../creditors/creditors.ts'
import type { Transaction } from '../platform/database/database.ts'
import { inLanes } from '../platform/database/lanes.ts'
import { endsAllWork, retryOnce } from '../platform/database/retry.ts'
import { quarantine } from '../tasks/tasks.ts'
import { FIRST_PLACE, readPage, type DuePage, type Place } from './due-steps.queries.ts'
import { performSteps, type Decided, type Step } from './perform-steps.ts'

export type DailyRunContext = Pick<Context, 'db' | 'clock' | 'log'> &
  Partial<Pick<Context, 'config'>> & {
    readonly nameClaim?: NameClaim
    /** Nothing follows a letter that has not left. Not asked of days whose letters are known to have left. */
    readonly waitsForLetters?: boolean
    /** Another name than this process's own, in tests of several. */
    readonly processName?: string
  }

export type DailyRun = DailyRunContext & {
  readonly instanceId: string
  readonly day: CalendarDate
  /** Whose files are waited for: their debts are left alone. */
  readonly awaited: Awaited
  /** Told of due steps that are left because somebody else holds their debts. */
  readonly skipped: (steps: number) => void
  /** Told of the types of steps that were performed. */
  readonly performed: (types: readonly string[]) => void
}

type Dated = Step & { readonly planned_date: string }

export type Pass<Row extends Dated> = {
  readonly subject: 'invoice' | 'claim'
  readonly types: readonly string[]
  readonly lock: (tx: Transaction, page: DuePage) => Promise<Row[]>
  readonly decide: (charged: { readonly row: Row; readonly figures: Figures }) => Decided<Row>
}

const BATCH_STEPS = 1_000

type Ends = (last: Place | undefined) => void

/**
 * All due steps of some types once. Answers how many were performed. A batch that fails, and once more when somebody
 * stood in its way, is gone through step by step, so
 * that only the step at fault stays behind, with a task for an operator.
 */
export function performInBatches<Row extends Dated>(run: DailyRun, pass: Pass<Row>): Promise<number> {
  return inLanes<Place>(FIRST_PLACE, async (after, ends) => {
    let last: Place | undefined
    const told: Ends = (place) => {
      last = place
      ends(place)
    }
    try {
      return await retryOnce(() => performPage(run, pass, { after, limit: BATCH_STEPS }, told))
    } catch (error) {
      if (endsAllWork(error)) throw error
    }
    return performSingly(run, pass, after, last)
  })
}

/** Step by step from one place to another; a step that fails is set aside. */
async function performSingly<Row extends Dated>(
  run: DailyRun,
  pass: Pass<Row>,
  from: Place,
  to: Place | undefined,
): Promise<number> {
  const isWithin = (place: Place): boolean => to === undefined || isBefore(place, to)
  let performed = 0
  for (let after = from; isWithin(after); ) {
    let place: Place | undefined
    const about = (): string => `step ${place?.step ?? `after ${after.step}`}`
    const one = await quarantine(run, { instanceId: run.instanceId, about }, () =>
      performPage(run, pass, { after, limit: 1 }, (last) => (place = last)),
    )
    performed += one ?? 0
    if (!place) break
    after = place
  }
  return performed
}

function isBefore(a: Place, b: Place): boolean {
  return [a.date, a.debt, a.step].join() < [b.date, b.debt, b.step].join()
}

/** One page in one transaction. */
async function performPage<Row extends Dated>(
  run: DailyRun,
  { subject, types, lock, decide }: Pass<Row>,
  { after, limit }: Pick<DuePage, 'after' | 'limit'>,
  ends: Ends,
): Promise<number> {
  const { instanceId, day, awaited } = run
  const performed = await run.db.transaction(async (tx) => {
    const place = { instanceId, day, after, limit, types, awaited }
    const rows = await lock(tx, place)
    // After the debts, as everybody does who charges.
    const figures = await holdFigures(tx, instanceId)
    const decided = rows.map((row) => decide({ row, figures }))
    const [row, one] = [rows.at(-1), decided.at(-1)]
    // A page that is not full is the last one, or somebody holds some of its debts: it may end later than what we hold.
    const page = rows.length < limit ? await readPage(tx, subject, place) : undefined
    run.skipped(Math.max(0, (page?.steps ?? 0) - rows.length))
    ends(page?.last ?? (row && one && { date: row.planned_date, debt: debtId(one.debt), step: row.step_id }))
    return performSteps(tx, run, oneForEachDebt(decided))
  })
  run.performed(performed)
  return performed.length
}

/**
 * Steps up to the first of each debt that is performed: another of the same debt follows from it, and is decided in the
 * pass after this one.
 */
function oneForEachDebt<D extends Decided>(decided: readonly D[]): D[] {
  const performing = new Set<string>()
  return decided.filter(({ debt, decision }) => {
    const id = debtId(debt)
    if (performing.has(id)) return false
    if (decision.kind === 'perform') performing.add(id)
    return true
  })
}
