/** On which accounts of its own books a creditor keeps its settlements, from which day on. */
import { parseDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { accountPlanOn, type ChosenAccounts } from '@kvitt/domain/settlements/account-plan.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { actorOf, type ClientPrincipal } from '../staff/staff.ts'
import { holdCreditor, insertChosenAccounts, readChosenAccounts } from './statement.queries.ts'

/** What holds today, and what was chosen. */
export async function presentAccountPlan(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  principal: ClientPrincipal,
) {
  const chosen = await readChosenAccounts(db, principal)
  return { accounts: accountPlanOn(chosen, clock.today(principal.instance.timeZone)), chosen }
}

/** Refuses `invalid_request` for a day that is none. The same again adds nothing. */
export async function chooseAccountPlan(
  { db }: Pick<Context, 'db'>,
  principal: ClientPrincipal,
  wanted: ChosenAccounts,
): Promise<void> {
  if (!parseDate(wanted.from)) throw new Refusal('invalid_request', {}, ['from'])
  const { creditorId } = principal
  const instanceId = principal.instance.id
  const by = actorOf(principal)
  await db.transaction(async (tx) => {
    await holdCreditor(tx, principal)
    const before = accountPlanOn(await readChosenAccounts(tx, principal), wanted.from)
    if (!(await insertChosenAccounts(tx, { instanceId, creditorId, by, ...wanted }))) return
    const about = `creditor:${creditorId}`
    await noteDeed(tx, { instanceId, kind: 'account_plan_chosen', by, about, before, after: wanted })
  })
}
