/**
 * What is written off from the screen. A creditor's manager gives up what is the creditor's; an operator's person does so up to a limit
 * for a debtor and a day, above which another decides.
 */
import { Refusal } from '@kvitt/domain/errors.ts'
import { amountText, parseAmount } from '@kvitt/domain/money.ts'
import { lockBankFiles } from '../bank-files/bank-files.ts'
import { lockClaim } from '../claims/claims.ts'
import { decideDebtWithin, refuseInClaim } from '../collection/collection.ts'
import type { Context } from '../context.ts'
import { tryAgain } from '../imports/imports.ts'
import { lockInvoiceRow } from '../invoices/invoices.ts'
import { keepByHand, needsAnother, type ByHand } from '../manual-postings/manual-postings.ts'
import type { Transaction } from '../platform/database/database.ts'
import { withinApart } from '../platform/database/within.ts'
import type { JsonText } from '../platform/http/json.ts'
import { Proposed, type Replayed } from '../platform/http/replayed.ts'
import { presentProposal, propose, type ProposalWork, type ProposedState } from '../proposals/proposals.ts'
import { actorOf, onceUnderKey, type ClientPrincipal, type OfficePrincipal } from '../staff/staff.ts'
import { answerActed, type Acted, type Asked } from './act-once.ts'
import { asRefusals, decide } from './decide.ts'

type Debt = { readonly kind: 'invoice' | 'claim'; readonly id: string }
type Wish = { readonly amount: string | null; readonly reason: string }
type Act = {
  readonly context: Context
  readonly principal: ClientPrincipal
  readonly asked: Asked
  readonly debt: Debt
}

/** The claim, the invoice, or the proposal where that is what came of it. */
export async function writeOff(
  act: Act,
  wish: Wish,
): Promise<Acted | Proposed<JsonText> | Replayed<JsonText>> {
  const { context, principal, asked, debt } = act
  if (principal.kind !== 'operator')
    return decide(act, async (tx) => {
      await give(tx, act, debt, wish)
      return debt.id
    })
  const { id, isReplayed } = await tryAgain(() =>
    onceUnderKey(context, principal, asked, (tx) =>
      asRefusals(async () => (await giveOrPropose(tx, act, wish)) ?? debt.id),
    ),
  )
  if (id !== debt.id) return new Proposed(await presentProposal(context, principal, id))
  return answerActed(context, principal, asked, { id, isReplayed })
}

/** By the use case of the command. */
function give(
  tx: Transaction,
  { context, principal, asked }: Pick<Act, 'context'> & { principal: OfficePrincipal; asked?: Asked },
  { kind, id }: Debt,
  { amount, reason }: Wish,
) {
  return decideDebtWithin(context, tx, {
    instanceId: principal.instance.id,
    debt: { kind, name: id },
    decision: { act: 'write-off', amount },
    reason,
    by: actorOf(principal),
    isKeyed: asked === undefined || asked.key !== undefined,
  })
}

class AboveLimit extends Error {
  override readonly name = 'AboveLimit'
}

/** Does it, or writes down that somebody else is to decide. Answers the proposal. */
async function giveOrPropose(tx: Transaction, act: Act, wish: Wish): Promise<string | undefined> {
  const { context, principal, debt } = act
  const { id: instanceId } = principal.instance
  // One at a time: of two who stay below the limit, both together may not.
  await lockBankFiles(tx, instanceId)
  const before = await lockState(tx, instanceId, debt)
  let off = 0
  try {
    await withinApart(tx).transaction(async (inner) => {
      const done = await give(inner, act, debt, wish)
      off = done.off?.minor ?? 0
      if (!done.isNew || off === 0) return
      const byHand = byHandOf(context, principal, { debt, state: before, off })
      if (await needsAnother(inner, instanceId, byHand)) throw new AboveLimit()
      await keepByHand(inner, instanceId, byHand, null)
    })
    return undefined
  } catch (error) {
    if (!(error instanceof AboveLimit)) throw error
    return propose(tx, context, principal, {
      kind: 'write_off',
      about: aboutOf(debt),
      creditorId: principal.creditorId,
      before: shown(before),
      after: { ...shown(before), amount: amountText(off), isAll: wish.amount === null, reason: wish.reason },
    })
  }
}

const aboutOf = ({ kind, id }: Debt): string => `${kind}:${id}`

type State = {
  readonly number: string
  readonly debtorId: string
  readonly currency: ByHandCurrency
  readonly owedMinor: number
}
type ByHandCurrency = Parameters<typeof needsAnother>[2]['currency']

/** Under its lock. Refuses `in_claim`. */
async function lockState(tx: Transaction, instanceId: string, { kind, id }: Debt): Promise<State> {
  if (kind === 'claim') {
    const claim = await lockClaim(tx, { instanceId, claimId: id })
    const { claim_number: number, debtor_id: debtorId, currency, balance_minor: owedMinor } = claim
    return { number, debtorId, currency, owedMinor }
  }
  const invoice = await lockInvoiceRow(tx, instanceId, id)
  refuseInClaim(invoice)
  const { invoice_number: number, debtor_id: debtorId, currency, balance_minor: owedMinor } = invoice
  return { number, debtorId, currency, owedMinor }
}

/** As the proposal has it: what owes something else by now is another decision. */
function shown({ number, currency, owedMinor }: State): ProposedState {
  return { debt: number, owed: amountText(owedMinor), currency }
}

function byHandOf(
  { clock }: Pick<Context, 'clock'>,
  { instance }: OfficePrincipal,
  { debt, state, off }: { readonly debt: Debt; readonly state: State; readonly off: number },
): ByHand & Pick<State, 'currency'> {
  const { debtorId, currency } = state
  return {
    kind: 'WRITE_OFF',
    about: aboutOf(debt),
    debtorIds: [debtorId],
    currency,
    amountMinor: off,
    on: clock.today(instance.timeZone),
  }
}

function debtOf(about: string): Debt {
  const [kind = '', id = ''] = about.split(':')
  return { kind: kind === 'claim' ? 'claim' : 'invoice', id }
}

/** Above the limit it is written off when another has approved it. */
export const WRITE_OFF_WORK: ProposalWork = {
  readNow: async (tx, { instanceId, about }) => {
    await lockBankFiles(tx, instanceId)
    return asRefusals(async () => shown(await lockState(tx, instanceId, debtOf(about))))
  },
  carryOut: async (tx, { context, principal, proposal }) => {
    const { id: instanceId } = principal.instance
    const debt = debtOf(proposal.about)
    const { amount, isAll, reason } = proposal.after as { amount: string; isAll: boolean; reason: string }
    await asRefusals(async () => {
      const state = await lockState(tx, instanceId, debt)
      const wish = { amount: isAll ? null : amount, reason }
      const { off } = await give(tx, { context, principal }, debt, wish)
      if (off?.minor !== parseAmount(amount, state.currency)?.minor) throw new Refusal('changed_meanwhile')
      const byHand = byHandOf(context, principal, { debt, state, off: off?.minor ?? 0 })
      await keepByHand(tx, instanceId, byHand, proposal.id)
    })
  },
}
