/** The calls about the creditors of an instance and what is agreed with each, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/creditors/client.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import { proposeChargeOwner, proposeReminderFee } from '../agreed-charges/agreed-charges.ts'
import { proposePayee } from '../payee-accounts/payee-accounts.ts'
import { proposeAccount } from '../payouts/payouts.ts'
import type { Binding } from '../platform/http/call.ts'
import { JsonText } from '../platform/http/json.ts'
import { Proposed, Replayed } from '../platform/http/replayed.ts'
import { presentProposal } from '../proposals/proposals.ts'
import { proposeTerms } from '../settlements/settlements.ts'
import { bind, bindSharedRow } from '../sign-in/bind.ts'
import { askedBy, rightsOf, type OperatorMember } from '../staff/staff.ts'
import { proposeManagerOf } from '../users/users.ts'
import { readClientJson, searchClientRows } from './clients.queries.ts'
import { changeContact, makeClient } from './clients.ts'

type Client = {
  readonly id: string
  readonly version: number
  readonly country: string
  readonly json: JsonText
}

/** Refuses `not_found`: another provider's creditors do not exist. */
async function findClient(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  principal: OperatorMember,
  id: string,
): Promise<Client> {
  const today = clock.today(principal.instance.timeZone)
  const json = await readClientJson(db, principal, { id, today })
  if (json === undefined) throw new Refusal('not_found')
  const { version, countryCode: country } = JSON.parse(json) as { version: number; countryCode: string }
  return { id, version, country, json: new JsonText(json) }
}

export const CLIENT_BINDINGS: readonly Binding[] = [
  bind(contract.searchClients, ({ context, principal, query, body }) =>
    searchClientRows(context, principal, query, body),
  ),
  bind(contract.createClient, async ({ context, principal, body, request }) => {
    const asked = askedBy(request, 'createClient', null, body)
    const { id, isReplayed } = await makeClient(context, principal, asked, body)
    const { json } = await findClient(context, principal, id)
    return isReplayed ? new Replayed(json) : json
  }),
  bindSharedRow(contract.getClient, findClient, async ({ row }) => row.json),
  bindSharedRow(contract.changeClient, findClient, async ({ context, principal, row: { id }, body }) => {
    const [written] = body.paymentAccounts ?? []
    if (!written) {
      await changeContact(context, principal, { id, written: body })
      return (await findClient(context, principal, id)).json
    }
    const at = 'paymentAccounts.0.'
    if (written.use === 'RECEIVE' && !rightsOf(principal).includes('creditors'))
      throw new Refusal('not_allowed')
    const proposal =
      written.use === 'RECEIVE'
        ? await proposePayee(context, principal, { creditorId: id, written, at })
        : await proposeAccount(context, principal, { creditorId: id, written, at })
    return new Proposed(await presentProposal(context, principal, proposal))
  }),
  bindSharedRow(contract.proposeFirstUser, findClient, async ({ context, principal, row, body }) => {
    const proposal = await proposeManagerOf(context, principal, { ...body, creditorId: row.id })
    return presentProposal(context, principal, proposal)
  }),
  bindSharedRow(contract.proposeAgreement, findClient, async ({ context, principal, row, body }) => {
    const id = await proposeTerms(context, principal, { creditorId: row.id, written: body })
    return presentProposal(context, principal, id)
  }),
  bindSharedRow(contract.proposeReminderFee, findClient, async ({ context, principal, row, body }) => {
    const { id: creditorId, country } = row
    const id = await proposeReminderFee(context, principal, { creditorId, country, written: body })
    return presentProposal(context, principal, id)
  }),
  bindSharedRow(contract.proposeChargeOwner, findClient, async ({ context, principal, row, body }) => {
    const id = await proposeChargeOwner(context, principal, { creditorId: row.id, written: body })
    return presentProposal(context, principal, id)
  }),
]
