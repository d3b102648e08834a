/** What happened to the cast's claims: respite on the way, and what debtors and staff did afterwards. */
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { amountText } from '@kvitt/domain/money.ts'
import type { NameClaim } from '../claims/claims.ts'
import { pauseClaim, pauseInvoice, resumeClaim, stopClaim } from '../collection/collection.ts'
import type { Context } from '../context.ts'
import { recordApplication, recordDecision } from '../court/court.ts'
import { disputeClaim } from '../disputes/disputes.ts'
import type { Instance } from '../instances/instances.ts'
import { publicViewer } from '../sign-in/viewer.ts'
import { goToBank } from './go-to-bank.ts'
import { startCastPlan } from './live-plans.ts'
import type { Cast, CastClaim, ClaimAct } from './cast.ts'
import { findCastClaim, findCastInvoice, type CastClaimRow } from './demo.queries.ts'

type Stage = { readonly context: Context; readonly instance: Instance; readonly cast: Cast }

/** The days on which something happens. */
export function claimDays({ claims, invoices }: Cast, today: CalendarDate): CalendarDate[] {
  const respites = invoices.flatMap(({ respite }) => (respite ? [respite.from, respite.to] : []))
  return [...respites, ...claims.flatMap(({ acts }) => acts.map(({ on }) => on))].map((on) =>
    addDays(today, on),
  )
}

/** The cast's claims have numbers and references of their own. */
export function nameClaimOf({ claims }: Cast): NameClaim {
  return (numbers) => {
    const found = claims.find(({ invoiceNumbers }) => invoiceNumbers.some((n) => numbers.includes(n)))
    return found && { claimNumber: found.claimNumber, reference: found.paymentReference }
  }
}

/** Does what happened on `day`, before the daily run. `stage.context` is of that day. */
export async function liveClaims(stage: Stage, day: CalendarDate, today: CalendarDate): Promise<void> {
  const { context, instance, cast } = stage
  for (const { respite, invoiceNumber } of cast.invoices) {
    if (!respite || addDays(today, respite.from) !== day) continue
    const found = await findCastInvoice(context.db, instance.id, invoiceNumber)
    if (found?.status !== 'ACTIVATED' || found.was_paused) continue
    const key = { instanceId: instance.id, invoiceId: found.id }
    const resumeDate = addDays(today, respite.to)
    await pauseInvoice(context, key, { on: day, reason: 'respite', resumeDate })
  }
  for (const claim of cast.claims) {
    for (const done of claim.acts.filter(({ on }) => addDays(today, on) === day)) {
      const found = await findCastClaim(context.db, instance.id, claim.claimNumber)
      if (!found) throw new Error(`the cast's claim ${claim.key} was not opened`)
      await act(stage, { claim, found, done, day })
    }
  }
}

const AUTHORITY = 'Kronofogden'
/** Who records what the cast's creditors did. */
const CAST = { actor: 'demo', reason: 'the cast' }

type Deed = {
  readonly claim: CastClaim
  readonly found: CastClaimRow
  readonly done: ClaimAct
  readonly day: CalendarDate
}

/** Each deed asks for the state that it starts from, so that doing it again changes nothing. */
async function act({ context, instance, cast }: Stage, { claim, found, done, day }: Deed): Promise<void> {
  const key = { instanceId: instance.id, claimId: found.id }
  const reason = done.reason ?? ''
  const zip = cast.debtors.find((d) => d.key === claim.debtor)?.zip ?? ''
  const email = cast.debtors.find((d) => d.key === claim.debtor)?.email ?? 'debtor@example.com'
  switch (done.act) {
    case 'pause':
      if (found.status === 'OPEN') await pauseClaim(context, key, { on: day, reason, resumeDate: null })
      break
    case 'resume':
      await resumeClaim(context, key, day)
      break
    case 'stop':
      if (found.status !== 'STOPPED') await stopClaim(context, key, { on: day, reason })
      break
    case 'dispute':
      if (found.status !== 'OPEN') break
      await disputeClaim(context, publicViewer(instance, claim.paymentReference, zip), claim.claimNumber, {
        debtorEmail: email,
        reason,
      })
      break
    case 'plan':
      await startCastPlan(context, publicViewer(instance, claim.paymentReference, zip), {
        wanted: { claim: claim.claimNumber },
        code: done.plan ?? '',
      })
      break
    case 'apply': {
      const application = { on: day, authority: AUTHORITY, caseNumber: done.caseNumber ?? '' }
      await recordApplication(context, key, { application, today: day, by: CAST })
      break
    }
    case 'order':
    case 'noAssets': {
      const kind = done.act === 'order' ? 'ORDER' : 'NO_ASSETS'
      const decided = { kind, on: day, caseNumber: done.caseNumber ?? '' } as const
      await recordDecision(context, key, { decided, today: day, by: CAST })
      break
    }
    case 'pay':
    case 'sign':
      if (found.status !== 'OPEN') break
      await goToBank(context, instance, {
        debt: { claimId: found.id },
        wanted: { claim: claim.claimNumber },
        reference: claim.paymentReference,
        zip,
        paymentDate: day,
        amount: amountText(found.balance_minor),
        key: claim.key,
        act: done.act === 'sign' ? 'hold' : 'approve',
      })
  }
}
