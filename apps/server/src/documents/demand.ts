/**
 * The demand of a claim: capital, interest with its rate, period and base, and costs, each by itself; the ground,
 * the last day, and how to object (inkassolagen 5 § and the Nordic acts like it).
 */
import { groupInFours } from '@kvitt/domain/references.ts'
import type { MemberRow, ShownClaim } from '../claims/claims.ts'
import type { PayeeRow } from '../creditors/creditors.ts'
import type { InstanceRow } from '../instances/instances.ts'
import type { InterestLine } from '../ledger/ledger.ts'
import { textOf, type Language } from '../platform/texts.ts'
import type { DemandRow } from './demand.queries.ts'
import type { LetterRow } from './documents.queries.ts'
import { fromAndTo, genuine, openPage, payeeRows, periodsOf } from './letters.ts'
import { printedAmount, type Page } from '../platform/files/pdf-page.ts'

export type Demand = {
  readonly instance: InstanceRow
  readonly portalUrl: string
  readonly language: Language
  readonly claim: ShownClaim
  readonly demand: DemandRow
  readonly members: readonly MemberRow[]
  readonly parties: LetterRow
  readonly payee: PayeeRow | undefined
  /** Of the claim and its invoices, as of the day of the demand. */
  readonly interest: readonly InterestLine[]
}

/** A demand as it was on the day it was sent. */
export async function drawDemand(letter: Demand): Promise<Uint8Array> {
  const { instance, language, claim, demand, parties } = letter
  const title = `${textOf(language, 'document.demand')} ${claim.claim_number}`
  const page = await openPage({ ...letter, datedOn: demand.sent_on }, title)
  fromAndTo(page, parties)
  page.row(page.say('document.claim_number'), claim.claim_number)
  page.row(page.say('document.reference'), groupInFours(claim.payment_reference))
  page.row(page.say('document.date'), demand.sent_on)
  page.row(page.say('document.pay_by'), demand.last_pay_date)
  page.y += 8
  page.paragraph(page.say('document.demand_text', { name: instance.name, creditor: parties.creditor_name }))
  genuine(page, letter)
  capital(page, letter)
  interest(page, letter)
  costs(page, letter)
  page.y += 8
  const total = demand.principal_minor + demand.interest_minor + demand.costs_minor
  page.row(page.say('document.to_pay'), printedAmount(total, claim.currency, language), true)
  page.y += 8
  page.makeRoom(90)
  page.paragraph(page.say('document.demand_object', { email: instance.email }))
  page.paragraph(page.say('document.demand_else'))
  if (letter.payee) {
    page.makeRoom(96)
    heading(page, page.say('document.pay_to'))
    payeeRows(page, letter.payee)
  }
  return page.finish()
}

function heading(page: Page, text: string): void {
  page.makeRoom(60)
  page.y += 10
  page.y += page.write('H2', text, { size: 13, bold: true }) + 6
}

/** The invoices that it is about, with what was left of each when it joined the claim. */
function capital(page: Page, { language, claim, demand, members }: Demand): void {
  heading(page, page.say('document.demand_ground'))
  for (const member of members) {
    const text = page.say('document.demand_invoice', {
      number: member.invoice_number,
      date: member.issue_date,
      due: member.expire_date,
    })
    page.row(text, printedAmount(member.principal_minor, claim.currency, language))
  }
  page.row(page.say('document.principal'), printedAmount(demand.principal_minor, claim.currency, language))
}

/** Each posting, those of the invoices before they joined and those of the claim; what was paid of it by itself. */
function interest(page: Page, { language, claim, demand, interest: lines }: Demand): void {
  const print = (minor: number): string => printedAmount(minor, claim.currency, language)
  for (const line of lines) {
    const text = periodsOf(page, { invoice: claim, language }, line)
    page.makeRoom(40)
    page.row(text || page.say('document.interest_settled'), print(line.amountMinor))
  }
  page.row(page.say('document.interest'), print(demand.interest_minor))
}

function costs(page: Page, { language, claim, demand }: Demand): void {
  const print = (minor: number): string => printedAmount(minor, claim.currency, language)
  const before = demand.costs_minor - demand.fee_minor - demand.let_off_minor
  if (before !== 0) page.row(page.say('document.demand_before'), print(before))
  if (demand.fee_minor !== 0) page.row(page.say('document.demand_fee'), print(demand.fee_minor))
  if (demand.let_off_minor !== 0) page.row(page.say('document.let_off'), print(demand.let_off_minor))
}
