/** The terms of a plan and its credit information (directive 2008/48/EC, Annex II), with the figures agreed or offered. */
import { smallestInterestBill } from '@kvitt/domain/collection/interest-posting.ts'
import type { Money } from '@kvitt/domain/money.ts'
import { rateText } from '@kvitt/domain/part-payments/apr.ts'
import { instalmentDueDate, WITHDRAWAL_DAYS } from '@kvitt/domain/part-payments/part-payment.ts'
import type { PlanFigures } from '../part-payments/part-payments.ts'
import { textOf, type TextKey } from '../platform/texts.ts'
import type { Language } from '../platform/texts.ts'
import type { InstanceRow } from '../instances/instances.ts'
import type { LetterRow } from './documents.queries.ts'
import { genuine, placeOf, writeSender } from './letters.ts'
import { LEFT, Page, printedAmount, RIGHT, type PageInfo } from '../platform/files/pdf-page.ts'

export type PlanLetter = {
  readonly instance: InstanceRow
  readonly portalUrl: string
  readonly language: Language
  /** Of the invoice or claim. */
  readonly number: string
  readonly parties: LetterRow
}

/** Who supervises consumer credit, and who settles complaints about it. */
const AUTHORITIES: Readonly<Record<string, readonly [string, string]>> = {
  SE: ['Finansinspektionen, Konsumentverket', 'Allmänna reklamationsnämnden (ARN)'],
  NO: ['Finanstilsynet', 'Finansklagenemnda'],
  DK: ['Forbrugerombudsmanden', 'Forbrugerklagenævnet'],
  FI: ['Kilpailu- ja kuluttajavirasto', 'Kuluttajariitalautakunta'],
}

const TYPES: Readonly<Record<string, TextKey>> = {
  PART_PAYMENT: 'plan.type_part',
  ONGOING_PAYMENT: 'plan.type_ongoing',
  PART_PAYMENT_ACCOUNT: 'plan.type_account',
}

async function open(letter: PlanLetter & Pick<PageInfo, 'datedOn'>, heading: TextKey): Promise<Page> {
  const page = await Page.open(`${textOf(letter.language, heading)} ${letter.number}`, letter)
  writeSender(page, letter)
  page.y += page.write('H1', page.say(heading), { size: 19, bold: true, width: RIGHT - LEFT }) + 10
  return page
}

function heading(page: Page, key: TextKey): void {
  page.makeRoom(80)
  page.y += 10
  page.y += page.write('H2', page.say(key), { size: 13, bold: true }) + 6
}

function printer(page: Page): (amount: Money) => string {
  return ({ minor, currency }) => printedAmount(minor, currency, page.language)
}

function schedule(page: Page, { plan, setting, startedOn }: PlanFigures): void {
  const print = printer(page)
  heading(page, 'plan.schedule')
  for (const { month, total } of plan.instalments) {
    const date = instalmentDueDate(startedOn, month, setting.firstInDays)
    page.row(page.say('plan.schedule_row', { number: month, date }), print(total))
  }
  page.row(page.say('plan.secci_total'), print(plan.totalToPay), true)
}

/** The terms: what is agreed, in the order in which it happens. */
export async function drawPlanTerms(letter: PlanLetter, figures: PlanFigures): Promise<Uint8Array> {
  const { setting, plan, credit, startedOn, isConsumer } = figures
  const page = await open({ ...letter, datedOn: startedOn }, 'plan.terms')
  genuine(page, letter)
  const print = printer(page)
  const { instance, parties } = letter
  const intro = setting.months === null ? 'plan.terms_intro_account' : 'plan.terms_intro'
  const say = (key: TextKey, params: Record<string, string | number> = {}): void => {
    page.makeRoom(60)
    page.paragraph(page.say(key, params), { size: 11 })
    page.y += 6
  }
  say(intro, {
    invoice: letter.number,
    creditor: parties.creditor_name,
    amount: print(credit),
    count: plan.instalments.length,
    start: startedOn,
  })
  say('plan.terms_billing', { days: setting.termsDays })
  page.row(page.say('plan.secci_rate'), page.say('plan.rate_fixed', { percent: comma(setting.percent) }))
  if (isConsumer) page.row(page.say('plan.secci_apr'), aprText(figures))
  page.row(page.say('plan.secci_start_fee'), print({ ...credit, minor: setting.startFeeMinor }))
  page.row(page.say('plan.secci_monthly_fee'), print({ ...credit, minor: setting.monthlyFeeMinor }))
  page.row(page.say('plan.secci_total_cost'), print(plan.creditCost))
  page.y += 8
  say('plan.terms_missed')
  say('plan.terms_early')
  say('plan.terms_late', { amount: print({ ...credit, minor: smallestInterestBill(credit.currency) }) })
  if (isConsumer) say('plan.terms_withdraw', { days: WITHDRAWAL_DAYS })
  say('plan.terms_contact', { name: instance.name, phone: instance.phone, email: instance.email })
  schedule(page, figures)
  return page.finish()
}

/** A rate as people read it: two decimals and a comma. */
function comma(percent: string): string {
  return percent.replace('.', ',')
}

function aprText({ plan }: PlanFigures): string {
  return plan.apr === undefined ? '–' : `${comma(rateText(plan.apr, 2))} %`
}

function instalmentsText(page: Page, { setting, plan }: PlanFigures): string {
  const print = printer(page)
  const [first, last] = [plan.instalments[0], plan.instalments.at(-1)]
  if (setting.months === null || !first || !last) {
    return page.say('plan.instalments_account', { monthly: print(plan.monthly) })
  }
  const amounts = { first: print(first.total), monthly: print(plan.monthly), last: print(last.total) }
  return page.say('plan.instalments_text', amounts)
}

/** A heading's rows; a value that is a sentence gets lines of its own. */
function rows(page: Page, lines: readonly (readonly [TextKey, string | null])[]): void {
  for (const [key, value] of lines) {
    if (value === null || value === '') continue
    if (value.length <= 48) {
      page.row(page.say(key), value)
      continue
    }
    page.makeRoom(60)
    page.paragraph(page.say(key), { soft: true })
    page.paragraph(value)
    page.rule(false)
    page.y += 6
  }
}

function creditRows(page: Page, figures: PlanFigures): void {
  const { setting, plan, credit, startedOn } = figures
  const print = printer(page)
  const count = plan.instalments.length
  const months = page.say('plan.months', { count })
  heading(page, 'plan.secci_credit')
  rows(page, [
    ['plan.secci_type', page.say(TYPES[setting.variant] ?? 'plan.type_part')],
    ['plan.secci_amount', print(credit)],
    ['plan.secci_drawdown', page.say('plan.secci_drawdown_text')],
    ['plan.secci_duration', setting.months === null ? `${months} (${page.say('plan.estimated')})` : months],
    ['plan.secci_instalments', instalmentsText(page, figures)],
    ['plan.secci_first_due', instalmentDueDate(startedOn, 1, setting.firstInDays)],
    ['plan.secci_last_due', instalmentDueDate(startedOn, count, setting.firstInDays)],
    ['plan.secci_total', print(plan.totalToPay)],
    ['plan.secci_security', page.say('plan.secci_none')],
  ])
  heading(page, 'plan.secci_costs')
  rows(page, [
    ['plan.secci_rate', page.say('plan.rate_fixed', { percent: comma(setting.percent) })],
    ['plan.secci_apr', aprText(figures)],
    ['plan.secci_start_fee', print({ ...credit, minor: setting.startFeeMinor })],
    ['plan.secci_monthly_fee', print({ ...credit, minor: setting.monthlyFeeMinor })],
    ['plan.secci_total_cost', print(plan.creditCost)],
    ['plan.secci_late', page.say('plan.terms_missed')],
  ])
}

/** The standard credit information, under the directive's headings. */
export async function drawCreditInformation(letter: PlanLetter, figures: PlanFigures): Promise<Uint8Array> {
  const { instance, parties: p } = letter
  const page = await open({ ...letter, datedOn: figures.startedOn }, 'plan.secci')
  heading(page, 'plan.secci_parties')
  rows(page, [
    ['plan.secci_creditor', p.creditor_name],
    [
      'plan.secci_address',
      [p.creditor_address, placeOf(p.creditor_country, p.creditor_zip, p.creditor_city)]
        .filter(Boolean)
        .join(', '),
    ],
    ['plan.secci_intermediary', instance.name],
    ['plan.secci_contact', `${instance.phone}, ${instance.email}`],
  ])
  creditRows(page, figures)
  heading(page, 'plan.secci_rights')
  const authorities = AUTHORITIES[p.creditor_country]
  rows(page, [
    ['plan.secci_withdrawal', page.say('plan.terms_withdraw', { days: WITHDRAWAL_DAYS })],
    ['plan.secci_early', page.say('plan.secci_early_text')],
    ['plan.secci_database', page.say('plan.secci_database_text')],
    ['plan.secci_draft', page.say('plan.secci_draft_text')],
    ['plan.secci_valid', figures.startedOn],
    ['plan.secci_law', page.say('plan.secci_law_text')],
    ['plan.secci_supervisor', authorities?.[0] ?? null],
    ['plan.secci_complaints', authorities?.[1] ?? null],
  ])
  schedule(page, figures)
  return page.finish()
}
