/**
 * The demand of a claim: capital, interest with its rate, period and base, and costs, each by itself; the ground,
 * the last day, and how to object (inkassolagen 5 § and the Nordic acts like it).
 */
import { addDays, date } from '@kvitt/domain/calendar.ts'
import { COUNTRY_PARAMS } from '@kvitt/domain/collection/country-params.ts'
import { interestOn, type OwedDays } from '@kvitt/domain/collection/interest-posting.ts'
import { groupInFours } from '@kvitt/domain/references.ts'
import type { MemberRow, ShownClaim } from '../claims/claims.ts'
import type { PayeeRow } from '../creditors/creditors.ts'
import type { InstanceRow } from '../instances/instances.ts'
import { textOf, type Language } from '../platform/texts.ts'
import type { DemandRow } from './demand.queries.ts'
import type { LetterRow } from './documents.queries.ts'
import { fromAndTo, openPage, payeeRows } from './letters.ts'
import { printedAmount, type Page } from './page.ts'

export type Demand = {
  readonly instance: InstanceRow
  readonly language: Language
  readonly claim: ShownClaim
  readonly demand: DemandRow
  readonly members: readonly MemberRow[]
  readonly parties: LetterRow
  readonly payee: PayeeRow | undefined
  /** What interest was posted on besides what was owed then. */
  readonly lateDays: readonly OwedDays[]
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

/** Since when and on what interest has run: each invoice until it joined, then the claim, and what was paid meanwhile. */
function owedDaysOf({ claim, demand, members, lateDays }: Demand): OwedDays[] {
  const opened = date(claim.opened_on)
  const ofInvoices = members.map((member) => ({
    principalMinor: member.principal_minor,
    from: addDays(date(member.expire_date), 1),
    to: opened,
  }))
  const ofClaim = {
    principalMinor: demand.principal_minor,
    from: addDays(opened, 1),
    to: date(demand.sent_on),
  }
  return [...ofInvoices, ofClaim, ...lateDays.filter(({ to }) => to <= demand.sent_on)]
}

function interest(page: Page, letter: Demand): void {
  const { language, claim, demand, parties } = letter
  const country = parties.creditor_country
  const bears = COUNTRY_PARAMS[country]?.currency === claim.currency
  const debtorKind = demand.debtor_kind === 'COMPANY' ? 'business' : 'consumer'
  const owed = bears && demand.interest_minor > 0 ? owedDaysOf(letter) : []
  for (const segment of interestOn({ owed, country, debtorKind })?.segments ?? []) {
    const text = page.say('document.interest_rate', {
      percent: language === 'en' ? segment.percent : segment.percent.replace('.', ','),
      base: printedAmount(segment.principalMinor, claim.currency, language),
      from: segment.from,
      to: segment.to,
    })
    page.makeRoom(40)
    page.paragraph(text, { soft: true, size: 9 })
  }
  page.row(page.say('document.interest'), printedAmount(demand.interest_minor, claim.currency, language))
}

function costs(page: Page, { language, claim, demand }: Demand): void {
  const print = (minor: number): string => printedAmount(minor, claim.currency, language)
  const before = demand.costs_minor - demand.fee_minor
  if (before !== 0) page.row(page.say('document.demand_before'), print(before))
  if (demand.fee_minor !== 0) page.row(page.say('document.demand_fee'), print(demand.fee_minor))
}
