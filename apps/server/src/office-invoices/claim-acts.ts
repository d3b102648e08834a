/** What a creditor's staff decides about one claim, by the use cases that the operator's commands have: in one transaction, once. */
import { Refusal, type ErrorCode } from '@kvitt/domain/errors.ts'
import { getOfficeClaim, type OfficeClaim } from '../claims/office/office-claims.ts'
import { decideDebtWithin } from '../collection/collection.ts'
import { applyToCourt, CourtRefused } from '../court/court.ts'
import { within } from '../platform/database/within.ts'
import { actorOf } from '../staff/staff.ts'
import type { Acted } from './act-once.ts'
import { decide, decisionOf, stopWithin, type Decided, type Deciding } from './decide.ts'

export type ClaimAct = Deciding & { readonly row: OfficeClaim }

/** As the wire has the claim afterwards. */
export const READS_CLAIM = { read: getOfficeClaim } as const

type Wish = {
  readonly decision: Decided
  readonly reason: string
  readonly note?: string | null | undefined
}

/** A decision as the command of the operator takes it. Of an end without payment the debtor is told. */
export function decideClaim(act: ClaimAct, { decision: decided, reason, note }: Wish): Promise<Acted> {
  const { context, principal, row } = act
  const instanceId = principal.instance.id
  return decide(act, async (tx) => {
    const decision = decisionOf(decided)
    const debt = { kind: 'claim', id: row.id } as const
    const by = actorOf(principal)
    if (decision.act === 'stop') {
      await stopWithin(context, tx, { instanceId, debt, reason, note, by })
      return row.id
    }
    await decideDebtWithin(context, tx, {
      instanceId,
      debt: { kind: 'claim', name: row.id },
      decision,
      reason,
      note: note?.trim() || undefined,
      by,
      isKeyed: act.asked.key !== undefined,
    })
    return row.id
  })
}

const REFUSED: Readonly<Partial<Record<CourtRefused['code'], ErrorCode>>> = {
  in_a_plan: 'owed_in_plan',
  rests: 'debtor_rests',
  too_early: 'court_not_yet',
  schedule_running: 'court_not_yet',
}

/** The creditor's instruction: it makes the operator's task. */
export function applyClaim(act: ClaimAct): Promise<Acted> {
  const { context, principal, row } = act
  const key = { instanceId: principal.instance.id, claimId: row.id }
  const by = { actor: actorOf(principal), reason: 'instructed by the creditor' }
  return decide(act, async (tx, today) => {
    try {
      await applyToCourt({ ...context, db: within(tx) }, key, { today, by })
    } catch (error) {
      if (!(error instanceof CourtRefused)) throw error
      throw new Refusal(REFUSED[error.code] ?? 'act_not_open')
    }
    return row.id
  })
}
