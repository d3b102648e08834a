/** What waits now: for a person, for a counterparty, and whether the books say what the bank says. */
import { COUNTERPARTIES, type HealthState } from '@kvitt/domain/dashboard/dashboard.ts'
import { uuidV7 } from '@kvitt/domain/ids.ts'
import { Amount } from '@kvitt/domain/money.ts'
import { proveClientFunds } from '../client-funds/client-funds.ts'
import type { Context } from '../context.ts'
import { rightsOf, type OperatorMember } from '../staff/staff.ts'
import { readHealth, readStuck, readWaiting, type HealthRow } from './work-now.queries.ts'

const DAY_MS = 86_400_000
const NO_BYTES = new Uint8Array(10)

function stateOf({ waiting, isLastFailed, isHeard }: HealthRow): HealthState {
  if (isLastFailed) return 'FAILING'
  if (waiting > 0) return 'LATE'
  return isHeard ? 'OK' : 'QUIET'
}

async function healthOf({ db, clock }: Context, instanceId: string) {
  const since = clock.now() - DAY_MS
  const rows = await readHealth(db, instanceId, {
    firstId: uuidV7(since, NO_BYTES),
    from: new Date(since).toISOString(),
  })
  return COUNTERPARTIES.flatMap((counterparty) => {
    const row = rows.find((one) => one.counterparty === counterparty)
    if (!row) return []
    const { lastAt, waiting, failed } = row
    return [{ counterparty, state: stateOf(row), lastAt, waiting, failed }]
  })
}

async function agreementOf(context: Context, principal: OperatorMember) {
  if (!rightsOf(principal).includes('client_funds')) return null
  const { day, proofs } = await proveClientFunds(context, principal, undefined)
  return {
    day,
    currencies: proofs.map(({ currency, proof: { verdict, differenceMinor }, waitingLines }) => ({
      currency,
      verdict,
      difference: differenceMinor === null ? null : new Amount(differenceMinor),
      waitingLines,
    })),
  }
}

/** Of one creditor, or of all; what has no creditor is the same for each. */
export async function lookAtWork(context: Context, principal: OperatorMember, creditorId: string | null) {
  const { db, clock } = context
  const instanceId = principal.instance.id
  const [waiting, stuck, health, agreement] = await Promise.all([
    readWaiting(db, { instanceId, creditorId }),
    readStuck(db, instanceId),
    healthOf(context, instanceId),
    agreementOf(context, principal),
  ])
  return {
    at: new Date(clock.now()).toISOString(),
    ...(JSON.parse(waiting) as { tasks: []; suspense: [] }),
    stuck,
    health,
    agreement,
  }
}
