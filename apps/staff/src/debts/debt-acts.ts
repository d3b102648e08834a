/**
 * What can be done with an invoice or a claim: what each act says and asks for. Whether one is open, and what it
 * costs, is the server's word.
 */
import { addDays, laterOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { readNumber } from '@kvitt/domain/form/field-rules.ts'
import type { ActField, ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { decimalText, formatMoney } from '@kvitt/office/money-text.ts'
import { t, type MessageId } from '../text.ts'

export type DebtAct =
  | 'approve'
  | 'withdraw'
  | 'credit'
  | 'waive'
  | 'pause'
  | 'resume'
  | 'more-time'
  | 'to-collection'
  | 'direct-payment'
  | 'deny-tax-reduction'
  | 'stop'
  | 'write-off'
  | 'apply-to-court'
  | 'recall'

/** The key that opens an act. What ends a debt has none: it is not to be met by chance. */
export const ACT_KEYS: Readonly<Partial<Record<DebtAct, string>>> = {
  approve: 'a',
  pause: 'p',
  resume: 'r',
  'more-time': 'm',
  credit: 'c',
  'direct-payment': 'd',
  waive: 'w',
}

/** What an act is done to. Amounts as on the wire. */
export type ActedDebt = {
  readonly number: string
  readonly name: string
  readonly today: string
  readonly expireDate: string
  readonly currency: string
  readonly balances: { readonly total: number; readonly costs: number; readonly interest: number }
  /** What the document asked for: of a reduction no more can be denied. */
  readonly asked?: number
  /** What may still be credited. */
  readonly creditable: number
  /** Its rows, where one can be credited alone. */
  readonly rows?: readonly {
    readonly line: string
    readonly description: string
    readonly quantity: string | null
  }[]
  /** Whoever is here ends it in its creditor's place. */
  readonly isForCreditor?: boolean
  /** How many days ahead whoever is here may pause or give time. */
  readonly mostDays: number
}

/** How far ahead a clerk or a manager may pause or give time, in days. */
export const mostDaysOf = (role: string): number =>
  role === 'manager' ? 365 : role === 'support' || role === 'finance' ? 30 : 90

const STOP_REASONS = ['WITHDRAWN', 'LIMITATION', 'BANKRUPTCY', 'DECEASED', 'DEBT_RELIEF', 'OTHER'] as const
/** How long a pause, or more time, is when nobody says otherwise. */
const USUAL_DAYS = 14
const LONGEST_REASON = 500

const text = (label: string, isMandatory: boolean) => ({
  type: 'text' as const,
  look: 'area' as const,
  label,
  mandatory: isMandatory,
  check: (value: string) =>
    value.length > LONGEST_REASON ? t('field.tooLongValidError', { max: LONGEST_REASON }) : undefined,
})
const reasonField = (name = 'reason'): ActField => ({
  name,
  ...text(t('act.reason'), true),
  hint: t('act.reason_hint'),
})
const noteField = (): ActField => ({ name: 'note', ...text(t('act.note'), false) })

function amountField({ currency }: ActedDebt, most: number, isMandatory = false): ActField {
  return {
    name: 'amount',
    type: 'float',
    look: 'number',
    label: t('act.amount'),
    mandatory: isMandatory,
    unit: currency,
    check: (value) => {
      const given = readNumber(value) ?? ''
      const isWhole = /^\d+(\.\d{1,2})?$/.test(given)
      return isWhole && Number(given) > 0 && Number(given) <= most ? undefined : t('act.amount_wrong')
    },
    ...(isMandatory ? { initial: decimalText(most.toFixed(2)) } : { hint: t('act.amount_all') }),
  }
}

function untilField({ today, mostDays }: ActedDebt, from: CalendarDate): ActField {
  const last = addDays(today as CalendarDate, mostDays)
  const usual = addDays(from, USUAL_DAYS - 1)
  return {
    name: 'until',
    type: 'date',
    look: 'date',
    label: t('act.until'),
    mandatory: true,
    min: from,
    max: last,
    initial: usual < last ? usual : last,
    check: (value) => {
      if (value < from) return t('act.date_too_soon', { day: from })
      return value > last ? t('act.date_too_late', { day: last }) : undefined
    },
  }
}

function choiceOf(name: string, label: string, values: readonly string[]): ActField {
  const choices = values.map((value) => ({ value, text: t(`act.choice.${value}` as MessageId) }))
  return { name, label, type: 'text', look: 'choice', initial: values[0] ?? '', choices }
}

/** Which row is credited; all of them unless somebody says otherwise. */
function rowsField({ rows = [] }: ActedDebt): readonly ActField[] {
  if (rows.length < 2) return []
  const choices = rows.map(({ line, description, quantity }) => ({
    value: JSON.stringify({ line, quantity }),
    text: description,
  }))
  return [
    {
      name: 'row',
      type: 'text',
      look: 'choice',
      label: t('act.credit.row'),
      initial: '',
      choices: [{ value: '', text: t('act.credit.all_rows') }, ...choices],
    },
  ]
}

const LONGEST_DECISION = 60
const decisionField = (): ActField => ({
  name: 'decision',
  type: 'text',
  label: t('act.decision'),
  hint: t('act.decision_hint'),
  mandatory: true,
  check: (value) =>
    value.trim().length > LONGEST_DECISION
      ? t('field.tooLongValidError', { max: LONGEST_DECISION })
      : undefined,
})

const paidOn = (today: string): ActField => ({
  name: 'date',
  type: 'date',
  look: 'date',
  label: t('act.paid_on'),
  mandatory: true,
  max: today,
  initial: today,
  check: (value) => (value <= today ? undefined : t('act.date_future')),
})

function fieldsOf(act: DebtAct, debt: ActedDebt): readonly ActField[] {
  const { balances, today, expireDate, creditable } = debt
  const tomorrow = addDays(today as CalendarDate, 1)
  switch (act) {
    case 'pause':
      return [untilField(debt, tomorrow), reasonField()]
    case 'more-time':
      return [untilField(debt, laterOf(tomorrow, addDays(expireDate as CalendarDate, 1)))]
    case 'credit':
      return [...rowsField(debt), amountField(debt, creditable), reasonField()]
    case 'write-off':
      return [amountField(debt, balances.total), reasonField()]
    case 'waive': {
      const what = (['costs', 'interest'] as const).filter((bucket) => balances[bucket] > 0)
      const most = Math.max(...what.map((bucket) => balances[bucket]))
      return [choiceOf('what', t('act.what'), what), amountField(debt, most), reasonField()]
    }
    case 'direct-payment':
      return [amountField(debt, balances.total, true), paidOn(today), noteField()]
    case 'deny-tax-reduction':
      return [{ ...amountField(debt, debt.asked ?? 0, true), initial: '' }, decisionField(), noteField()]
    case 'stop':
      return [choiceOf('reason', t('act.reason'), STOP_REASONS), noteField()]
    case 'to-collection':
      return [reasonField('ground')]
    case 'recall':
      return [reasonField()]
    case 'approve':
    case 'withdraw':
    case 'resume':
    case 'apply-to-court':
      return []
  }
}

const FINAL: readonly DebtAct[] = ['stop', 'write-off', 'withdraw', 'recall']

/** What the dialog of an act says and asks for. */
export function formOf(act: DebtAct, debt: ActedDebt): ActForm {
  const { number, name } = debt
  const say = (part: 'title' | 'text' | 'commit' | 'done') =>
    t(`act.${act}.${part}` as MessageId, { number, name })
  // An operator's person ends what is the creditor's to end: that is said before.
  const isForCreditor = act === 'stop' && debt.isForCreditor === true
  return {
    title: say('title'),
    consequence: isForCreditor
      ? `${t('act.stop.for_creditor', { amount: formatMoney(minorOf(debt.balances.total), debt.currency, currentLanguage()) })} ${say('text')}`
      : say('text'),
    commit: say('commit'),
    done: say('done'),
    fields: fieldsOf(act, debt),
    isFinal: FINAL.includes(act),
  }
}

/** The body of the call: what was left empty is left out, amounts with a decimal point. */
export function bodyOf(act: DebtAct, values: Readonly<Record<string, string>>): Record<string, unknown> {
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '')
  const body = Object.fromEntries(
    given.map(([name, value]) => [name, name === 'amount' ? (readNumber(value) ?? value) : value.trim()]),
  )
  if (act === 'apply-to-court') return { confirm: true }
  if (act === 'credit' && typeof body['row'] === 'string') return creditOfRow(body['row'], body)
  if (act !== 'waive') return body
  const { what = 'costs', ...rest } = body
  return { ...rest, [what === 'interest' ? 'interest' : 'costs']: true }
}

/** An amount of the row, or all that it has. */
function creditOfRow(row: string, { amount, reason }: Record<string, unknown>): Record<string, unknown> {
  const { line, quantity } = JSON.parse(row) as { line: string; quantity: string | null }
  if (amount === undefined && quantity === null) return { rows: [{ line }], reason }
  return { rows: [amount === undefined ? { line, quantity } : { line, amount }], reason }
}
