/** Money on its way to the creditors: to which account, and what of three months is approved. */
import type { Today } from './desk.ts'
import { findCreditors, findOpenProposal, readSettlements } from './firm.queries.ts'

/** Where each creditor is paid out to: the numbers of the cast's accounts. */
export async function layOutMoney(stage: Today): Promise<void> {
  const { context, instance, creditors, desk } = stage
  const ids = await findCreditors(context.db, instance.id, [creditors.energy.name, creditors.gym.name])
  for (const { id, name, has_account: hasAccount } of ids) {
    const creditor = Object.values(creditors).find((one) => one.name === name)
    if (!creditor || hasAccount) continue
    const { account } = creditor
    const body = {
      paymentAccounts: [
        {
          currency: 'SEK',
          scheme: 'IBAN',
          number: account.iban,
          receiverName: account.receiverName,
          use: 'PAYOUT',
        },
      ],
    }
    const about = `payout-account:${id}:SEK`
    await approved(stage, { about, call: `PUT /admin/clients/${id}`, body, by: 'manager' })
  }
  for (const { id: creditorId, name } of ids) {
    const settlements = await readSettlements(context.db, instance.id, creditorId)
    // All but the newest are approved; of the gym's newest, finance has said that it should be.
    const waiting = settlements.slice(0, -1).filter(({ status }) => status === 'TO_APPROVE')
    for (const { id } of waiting) {
      const about = `settlement:${id}`
      await approved(stage, { about, call: `POST /admin/settlements/${id}/propose`, by: 'approver' })
    }
    const newest = settlements.at(-1)
    if (name !== creditors.gym.name || newest?.status !== 'TO_APPROVE') continue
    const call = `POST /admin/settlements/${newest.id}/propose`
    await desk.tries('finance', call, { orElse: 'proposal_open' })
  }
}

type Approved = { readonly about: string; readonly call: string; readonly body?: object; readonly by: string }

/** Finance proposes it, unless it did before the process was killed, and another person approves. */
async function approved(
  { context, instance, desk }: Today,
  { about, call, body, by }: Approved,
): Promise<void> {
  const open = await findOpenProposal(context.db, instance.id, about)
  const wish = body ? { body } : {}
  const id = open ?? (await desk.does<{ id: string }>('finance', call, wish)).id
  await desk.does(by, `POST /admin/proposals/${id}/approve`, { body: {} })
}
