/** The calls about what a creditor has across its invoices and claims: its debtors, its own data, its figures. */
import type { BodyOf } from '@kvitt/domain/contract.ts'
import type { Bounds } from '@kvitt/domain/conversations/request.ts'
import * as creditor from '@kvitt/domain/creditors/office-creditor.contract.ts'
import * as debtor from '@kvitt/domain/people/office-debtor.contract.ts'
import { startPeek } from '@kvitt/domain/sign-in/peek.contract.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Binding } from '../platform/http/call.ts'
import { JsonText } from '../platform/http/json.ts'
import { bind, bindSharedRow } from '../sign-in/bind.ts'
import { actorOf, type ClientPrincipal } from '../staff/staff.ts'
import { findOfficeDebtor } from './creditor-desk.ts'
import { searchDebtorRows } from './debtors.queries.ts'
import { readFigures } from './figures.queries.ts'
import { readSettings, setBoundsRow } from './settings.queries.ts'
import { beginPeek } from './start-peek.ts'

/** Once: the same bounds again change nothing and leave no deed. */
async function setBounds(
  { db }: Context,
  principal: ClientPrincipal,
  bounds: BodyOf<typeof creditor.setOfficeBounds>,
): Promise<Bounds> {
  const { creditorId } = principal
  const instanceId = principal.instance.id
  return db.transaction(async (tx) => {
    const isNew = await setBoundsRow(tx, { instanceId, creditorId }, bounds)
    const { bounds: now } = JSON.parse(await readSettings(tx, principal)) as { bounds: Bounds }
    if (!isNew) return now
    const about = `creditor:${creditorId}`
    await noteDeed(tx, {
      instanceId,
      kind: 'bounds_changed',
      by: actorOf(principal),
      about,
      after: now,
    })
    return now
  })
}

export const CREDITOR_DESK_BINDINGS: readonly Binding[] = [
  bind(debtor.searchOfficeDebtors, ({ context, principal, query, body }) =>
    searchDebtorRows(context, principal, query, body),
  ),
  bindSharedRow(debtor.getOfficeDebtor, findOfficeDebtor, async ({ row }) => row),
  bindSharedRow(startPeek, findOfficeDebtor, async ({ context, principal, row, body }) => {
    const debtor = JSON.parse(row.text) as { id: string; identificationNumber: string | null }
    return beginPeek(context, principal, { debtor, reason: body.reason })
  }),
  bind(
    creditor.getOfficeSettings,
    async ({ context, principal }) => new JsonText(await readSettings(context.db, principal)),
  ),
  bind(creditor.setOfficeBounds, ({ context, principal, body }) => setBounds(context, principal, body)),
  bind(
    creditor.getOfficeFigures,
    async ({ context, principal }) =>
      new JsonText(
        await readFigures(context.db, principal, context.clock.today(principal.instance.timeZone)),
      ),
  ),
]
