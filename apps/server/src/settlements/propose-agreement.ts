/** What is agreed with a creditor from a day on: one person proposes it, another decides. */
import type { BodyOf } from '@kvitt/domain/contract.ts'
import type { proposeAgreement } from '@kvitt/domain/creditors/client.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { amountText, parseAmount } from '@kvitt/domain/money.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { within } from '../platform/database/within.ts'
import { propose, type ProposalWork, type ProposedState } from '../proposals/proposals.ts'
import type { OperatorMember } from '../staff/staff.ts'
import { AgreementNotEntered, enterAgreement, whatIsWrong, type WantedAgreement } from './agreements.ts'
import { readAgreements } from './agreements.queries.ts'

type Written = BodyOf<typeof proposeAgreement>
type Terms = Omit<WantedAgreement, 'by' | 'creditor'>

const aboutOf = (creditorId: string): string => `agreement:${creditorId}`
const creditorOf = (about: string): string => about.slice(about.indexOf(':') + 1)

/** The fields of the wire that have hundredths, and what they are called here. */
const HUNDREDTHS = {
  invoiceCommissionPercent: 'invoiceCommissionBp',
  claimCommissionPercent: 'claimCommissionBp',
  paymentPrice: 'paymentPriceMinor',
  casePrice: 'casePriceMinor',
  vatPercent: 'vatBp',
  smallestPayout: 'smallestPayoutMinor',
} as const satisfies Partial<Record<keyof Written, keyof Terms>>
type Hundredth = keyof typeof HUNDREDTHS

/** As a proposal has it: names and values alone, amounts as decimal text. */
function stateOf(terms: Terms): ProposedState {
  const { from, currency, period, source } = terms
  const parts = (Object.keys(HUNDREDTHS) as Hundredth[]).map((name) => [
    name,
    amountText(terms[HUNDREDTHS[name]]),
  ])
  return { from, currency, period, source, ...Object.fromEntries(parts) }
}

/** Refuses `invalid_request` with the field that is wrong. */
function termsOf(written: Written, today: string): Terms {
  const read = (name: Hundredth): number => {
    const parsed = parseAmount(String(written[name] ?? '0'), 'SEK')
    if (!parsed) throw new Refusal('invalid_request', {}, [name])
    return parsed.minor
  }
  const parts = (Object.keys(HUNDREDTHS) as Hundredth[]).map((name) => [HUNDREDTHS[name], read(name)])
  const { from, currency, period, source } = written
  const terms = { from, currency, period, source: source.trim(), ...Object.fromEntries(parts) } as Terms
  const wrong = whatIsWrong(terms, today)
  if (wrong !== undefined) {
    const name = (Object.keys(HUNDREDTHS) as Hundredth[]).find((one) => HUNDREDTHS[one] === wrong.field)
    throw new Refusal('invalid_request', {}, [name ?? wrong.field])
  }
  return terms
}

/** Answers the proposal. */
export async function proposeTerms(
  context: Context,
  principal: OperatorMember,
  { creditorId, written }: { readonly creditorId: string; readonly written: Written },
): Promise<string> {
  const { id: instanceId, timeZone } = principal.instance
  const terms = termsOf(written, context.clock.today(timeZone))
  return context.db.transaction(async (tx) => {
    const before = await readNow(tx, { instanceId, about: aboutOf(creditorId) })
    return propose(tx, context, principal, {
      kind: 'agreement',
      about: aboutOf(creditorId),
      creditorId,
      before,
      after: stateOf(terms),
    })
  })
}

/** The latest word. */
async function readNow(
  tx: Transaction,
  { instanceId, about }: { readonly instanceId: string; readonly about: string },
): Promise<ProposedState> {
  const last = (await readAgreements(tx, instanceId, [creditorOf(about)])).at(-1)
  return last ? stateOf(last) : {}
}

export const AGREEMENT_WORK: ProposalWork = {
  readNow,
  carryOut: async (tx, { context, principal, proposal }) => {
    const { instance } = principal
    const terms = termsOf(proposal.after as Written, context.clock.today(instance.timeZone))
    const wanted = { ...terms, creditor: creditorOf(proposal.about), by: `person:${proposal.proposedBy}` }
    try {
      await enterAgreement({ ...context, db: within(tx) }, instance, wanted)
    } catch (error) {
      if (!(error instanceof AgreementNotEntered)) throw error
      throw new Refusal('invalid_request', {}, ['from'])
    }
  },
}
