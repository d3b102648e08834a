/** What an operator looks at first. Amounts are in the currency's main unit, days are business days of the instance. */
import { z } from 'zod'
import { PROOF_VERDICTS } from '../client-funds/proof.ts'
import { adminCall, amount, day, instant } from '../contract.ts'
import { creditorOfRow } from '../creditors/creditor-of-row.contract.ts'
import { AGE_BUCKETS } from '../receivables/ageing.ts'
import { ALL_TASKS } from '../tasks/task-kind.ts'
import { COUNTERPARTIES, HEALTH_STATES, MONEY_METHODS, STAGES, STUCK_KINDS, type Stage } from './dashboard.ts'
import { CHART_UNITS, PERIODS } from './period.ts'

const counted = { currency: z.string(), count: z.number().int(), amount }
const count = z.number().int()
const period = z.strictObject({ from: day, to: day })

/**
 * Of what was booked within the days. What is taken back later counts on the day on which it is. What staff moved to another debt
 * neither came in nor was taken back: it counts on the day on which it came, for the creditor whose debt it pays now.
 */
const figures = {
  /** What came in, before anything of it was taken back. */
  received: z.array(z.strictObject(counted)),
  /** Of payments that were booked: taken back, positive. */
  takenBack: z.array(z.strictObject(counted)),
  /** Owed back to debtors and sent, positive. */
  refunded: z.array(z.strictObject(counted)),
  /** Of the invoices that were sent within the days, how far each has come by now. */
  stages: z.strictObject(
    Object.fromEntries(STAGES.map((stage) => [stage, count])) as Readonly<Record<Stage, typeof count>>,
  ),
  /** Disputes that were opened within the days, and plans that began. */
  disputed: count,
  planned: count,
}

/**
 * The figures of a period, of all creditors of an instance or of one of them: one by its name, or the days from one to another, both of
 * them in it. Without either it is this month. They are kept and not counted: what has just been committed is in them.
 */
export const getDashboard = adminCall({
  name: 'dashboard',
  right: 'see',
  path: '/dashboard',
  query: z.object({
    period: z.enum(PERIODS).optional(),
    from: day.optional(),
    to: day.optional(),
    creditor: z.uuid().optional(),
  }),
  response: z.strictObject({
    today: day,
    ...period.shape,
    creditors: z.array(creditorOfRow),
    ...figures,
    /** As many days right before the period as have come of it: days to come are compared with none. */
    before: z.strictObject({ ...period.shape, ...figures }),
    /** What one row of `money` is of. */
    unit: z.enum(CHART_UNITS),
    /**
     * What came in, by how it came; `start` is the day, or the first of the month. Money that is found later to lie on the creditor's own
     * account keeps the method that it was booked with first.
     */
    money: z.array(z.strictObject({ start: day, method: z.enum(MONEY_METHODS), ...counted })),
    /** Open balances of invoices by themselves, by how many days they are late now, whatever the period is. */
    ageing: z.array(
      z.strictObject({ bucket: z.enum(AGE_BUCKETS), currency: z.string(), count, balance: amount }),
    ),
    /** What is owed on claims that are not over, whatever the period is: with `ageing` it is all that debtors owe. */
    openClaims: z.array(z.strictObject({ currency: z.string(), count, balance: amount })),
    /** Disputes that nobody has decided, whatever the period is. */
    openDisputes: count,
  }),
  refusals: ['invalid_request', 'period_reversed', 'period_too_long'],
})

/** What waits for somebody now, and whether what the books say is what the bank says. */
export const getWorkNow = adminCall({
  name: 'dashboardNow',
  right: 'see',
  path: '/dashboard/now',
  query: z.object({ creditor: z.uuid().optional() }),
  response: z.strictObject({
    /** When it was looked. */
    at: instant,
    /** What waits for a person, of each kind. */
    tasks: z.array(z.strictObject({ kind: z.enum(ALL_TASKS), count })),
    /**
     * Money at the bank that nobody could place; of a creditor, what came to that creditor's own account. `oldest`: the bank's day of
     * the first.
     */
    suspense: z.array(z.strictObject({ ...counted, oldest: day })),
    /** Of all creditors, whichever is asked for. `since`: of the oldest. */
    stuck: z.array(z.strictObject({ kind: z.enum(STUCK_KINDS), count, since: instant })),
    /**
     * Of the last day, of all creditors. `lastAt`: when something last went through; of payments and
     * messages within the day, else null. Of messages the newest thousand of each channel are looked at.
     */
    health: z.array(
      z.strictObject({
        counterparty: z.enum(COUNTERPARTIES),
        state: z.enum(HEALTH_STATES),
        lastAt: instant.nullable(),
        waiting: count,
        failed: count,
      }),
    ),
    /** The proof of client funds on the last day that a statement tells of; null for those who may not read it. */
    agreement: z
      .strictObject({
        day,
        currencies: z.array(
          z.strictObject({
            currency: z.string(),
            verdict: z.enum(PROOF_VERDICTS),
            /** What we have less what we owe; null without a statement of the day. */
            difference: amount.nullable(),
            waitingLines: count,
          }),
        ),
      })
      .nullable(),
  }),
  refusals: ['invalid_request'],
})
