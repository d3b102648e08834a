/** The calls about the creditors of an instance and what is agreed with each, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/creditors/client.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import type { Binding } from '../platform/http/call.ts'
import { JsonText } from '../platform/http/json.ts'
import { presentProposal } from '../proposals/proposals.ts'
import { bind, bindSharedRow } from '../sign-in/bind.ts'
import type { OperatorMember } from '../staff/staff.ts'
import { readClientJson, searchClientRows } from './clients.queries.ts'
import { proposeTerms } from './propose-agreement.ts'

/** Refuses `not_found`: another provider's creditors do not exist. */
async function findClient(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  principal: OperatorMember,
  id: string,
): Promise<{ readonly id: string; readonly json: JsonText }> {
  const today = clock.today(principal.instance.timeZone)
  const json = await readClientJson(db, principal, { id, today })
  if (json === undefined) throw new Refusal('not_found')
  return { id, json: new JsonText(json) }
}

export const CLIENT_BINDINGS: readonly Binding[] = [
  bind(contract.searchClients, ({ context, principal, query, body }) =>
    searchClientRows(context, principal, query, body),
  ),
  bindSharedRow(contract.getClient, findClient, async ({ row }) => row.json),
  bindSharedRow(contract.proposeAgreement, findClient, async ({ context, principal, row, body }) => {
    const id = await proposeTerms(context, principal, { creditorId: row.id, written: body })
    return presentProposal(context, principal, id)
  }),
]
