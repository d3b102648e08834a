/** The calls of what an operator looks at first. */
import { parseDocumentDay, type CalendarDate } from '@kvitt/domain/calendar.ts'
import * as contract from '@kvitt/domain/dashboard/dashboard.contract.ts'
import {
  comparedWith,
  periodFault,
  periodOf,
  unitOf,
  type Period,
  type PeriodName,
} from '@kvitt/domain/dashboard/period.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import type { Binding } from '../platform/http/call.ts'
import { JsonText } from '../platform/http/json.ts'
import { bind } from '../sign-in/bind.ts'
import { hasCreditor, readDashboard } from './dashboard.queries.ts'
import { lookAtWork } from './work-now.ts'

type Asked = {
  readonly period?: PeriodName | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** A day of this century: what lies beyond is a slip of the hand, and leads out of the calendar. */
function dayOf(text: string | undefined, field: keyof Asked): CalendarDate | undefined {
  const day = text === undefined ? undefined : parseDocumentDay(text)
  if (text !== undefined && !day) throw new Refusal('invalid_request', {}, [field])
  return day
}

/** The days that are meant: this month up to today, where neither is said. Refuses what is no period. */
function periodMeant({ period: name, from, to }: Asked, today: CalendarDate): Period {
  if (name !== undefined && (from ?? to) !== undefined) throw new Refusal('invalid_request', {}, ['period'])
  if (name !== undefined) return periodOf(name, today)
  const month = periodOf('this_month', today)
  const period = { from: dayOf(from, 'from') ?? month.from, to: dayOf(to, 'to') ?? month.to }
  const fault = periodFault(period)
  if (fault) throw new Refusal(fault, {}, ['from', 'to'])
  return period
}

/** Another instance's is as one that there is not. */
async function requireCreditor({ db }: Context, instanceId: string, id: string | undefined): Promise<void> {
  if (id !== undefined && !(await hasCreditor(db, instanceId, id))) throw new Refusal('not_found')
}

export const DASHBOARD_BINDINGS: readonly Binding[] = [
  bind(contract.getDashboard, async ({ context, principal, query }) => {
    const { id: instanceId, timeZone } = principal.instance
    const today = context.clock.today(timeZone)
    const period = periodMeant(query, today)
    await requireCreditor(context, instanceId, query.creditor)
    const of = { instanceId, creditorId: query.creditor ?? null }
    const asked = { period, before: comparedWith(period, today), today, unit: unitOf(period) }
    return new JsonText(await readDashboard(context.db, of, asked))
  }),
  bind(contract.getWorkNow, async ({ context, principal, query }) => {
    await requireCreditor(context, principal.instance.id, query.creditor)
    return lookAtWork(context, principal, query.creditor ?? null)
  }),
]
