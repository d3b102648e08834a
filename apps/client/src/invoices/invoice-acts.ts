/**
 * What can be done with an invoice (staff.md 3): which right it needs, where the invoice has to stand, and what is asked for. The
 * server decides; what it would refuse anyway is not offered.
 */
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { readNumber } from '@kvitt/domain/form/field-rules.ts'
import type { StaffRight } from '@kvitt/domain/staff/roles.ts'
import type { ActField, ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { t } from '../text.ts'
import type { Invoice } from './invoice-calls.ts'

const ACTS = [
  'approve',
  'remove',
  'pause',
  'resume',
  'more-time',
  'credit',
  'direct-payment',
  'waive',
  'stop',
  'write-off',
] as const
export type InvoiceAct = (typeof ACTS)[number]

type Status = Invoice['statuses']['main']

const OWED: readonly Status[] = ['ACTIVATED', 'PAUSED', 'DISPUTED']

type Rule = {
  readonly right: StaffRight
  readonly from: readonly Status[]
  /** The key that does it. */
  readonly key?: string
  /** Only while something is owed, and not on a claim. */
  readonly needsBalance?: boolean
  readonly also?: (invoice: Invoice) => boolean
}

export const RULES: Readonly<Record<InvoiceAct, Rule>> = {
  approve: { right: 'approve', from: ['CREATED'], key: 'a' },
  remove: { right: 'draft', from: ['CREATED', 'PENDING'] },
  pause: { right: 'pause', from: ['ACTIVATED'], key: 'p', needsBalance: true },
  resume: { right: 'pause', from: ['PAUSED'], key: 'r' },
  'more-time': { right: 'pause', from: ['ACTIVATED', 'PAUSED'], key: 'm', needsBalance: true },
  credit: {
    right: 'credit',
    from: [...OWED, 'CLOSED', 'STOPPED'],
    key: 'c',
    also: ({ type, totals }) => type !== 'CREDIT_INVOICE' && totals.totalToPay > 0,
  },
  'direct-payment': { right: 'direct_payment', from: OWED, key: 'd', needsBalance: true },
  waive: {
    right: 'waive',
    from: OWED,
    key: 'w',
    needsBalance: true,
    also: ({ balances }) => balances.costs > 0 || balances.interest > 0,
  },
  stop: { right: 'stop', from: OWED, needsBalance: true },
  'write-off': { right: 'write_off', from: OWED, needsBalance: true },
}

/** The acts that are open to whoever has these rights, in the order in which they are offered. */
export function actsFor(invoice: Invoice, rights: readonly StaffRight[]): readonly InvoiceAct[] {
  return ACTS.filter((act) => {
    const { right, from, needsBalance = false, also } = RULES[act]
    if (!rights.includes(right) || !from.includes(invoice.statuses.main)) return false
    // On a claim everything but a credit is the claim's (400 `in_claim`).
    if (invoice.collectionBatch && act !== 'credit') return false
    if (needsBalance && invoice.balances.total <= 0) return false
    return also?.(invoice) ?? true
  })
}

const STOP_REASONS = ['WITHDRAWN', 'LIMITATION', 'BANKRUPTCY', 'DECEASED', 'DEBT_RELIEF', 'OTHER'] as const
/** How long a pause is when nobody says otherwise, and how long a clerk may make it. */
const USUAL_PAUSE_DAYS = 14
const LONGEST_PAUSE_DAYS = 90

function fieldsOf(act: InvoiceAct, invoice: Invoice): readonly ActField[] {
  const { dates, currency, balances } = invoice
  const today = dates.today as CalendarDate
  const unit = currency.invoiceCurrency
  const amount = (most: number, isMandatory: boolean): ActField => ({
    name: 'amount',
    type: 'float',
    look: 'number',
    label: t('act.amount'),
    mandatory: isMandatory,
    unit,
    check: (value) => {
      const given = Number(readNumber(value) ?? Number.NaN)
      return given > 0 && given <= most ? undefined : t('act.amount_wrong')
    },
    ...(isMandatory ? { initial: most.toFixed(2).replace('.', ',') } : { hint: t('act.amount_all') }),
  })
  const reason: ActField = {
    name: 'reason',
    type: 'text',
    look: 'area',
    label: t('act.reason'),
    mandatory: true,
    hint: t('act.reason_hint'),
  }
  const until = (days: number): ActField => ({
    name: 'until',
    type: 'date',
    look: 'date',
    label: t('act.until'),
    mandatory: true,
    min: addDays(today, 1),
    initial: addDays(today, days),
    check: (value) => (value > dates.today ? undefined : t('act.date_past')),
  })
  switch (act) {
    case 'pause':
      return [{ ...until(USUAL_PAUSE_DAYS), max: addDays(today, LONGEST_PAUSE_DAYS) }, reason]
    case 'more-time':
      return [until(USUAL_PAUSE_DAYS)]
    case 'credit':
      return [amount(invoice.totals.totalToPay, false), reason]
    case 'write-off':
      return [amount(balances.total, false), reason]
    case 'waive':
      return [choiceOf('what', t('act.what'), ['costs', 'interest']), amount(balances.total, false), reason]
    case 'direct-payment':
      return [amount(balances.total, true), paidOn(today), noteField()]
    case 'stop':
      return [choiceOf('reason', t('act.reason'), STOP_REASONS), noteField()]
    case 'approve':
    case 'remove':
    case 'resume':
      return []
  }
}

function choiceOf(name: string, label: string, values: readonly string[]): ActField {
  const choices = values.map((value) => ({
    value,
    text: t(`act.choice.${value}` as Parameters<typeof t>[0]),
  }))
  return { name, label, type: 'text', look: 'choice', initial: values[0] ?? '', choices }
}

const noteField = (): ActField => ({ name: 'note', type: 'text', look: 'area', label: t('act.note') })

const paidOn = (today: CalendarDate): ActField => ({
  name: 'date',
  type: 'date',
  look: 'date',
  label: t('act.paid_on'),
  mandatory: true,
  max: today,
  initial: today,
  check: (value) => (value <= today ? undefined : t('act.date_future')),
})

/** What the dialog of an act says and asks for. */
export function formOf(act: InvoiceAct, invoice: Invoice): ActForm {
  const say = (part: 'title' | 'text' | 'commit' | 'done') =>
    t(`act.${act}.${part}` as Parameters<typeof t>[0], {
      number: invoice.invoiceNumber,
      name: invoice.debtor.name,
    })
  return {
    title: say('title'),
    consequence: say('text'),
    commit: say('commit'),
    done: say('done'),
    fields: fieldsOf(act, invoice),
    isFinal: act === 'stop' || act === 'write-off' || act === 'remove',
  }
}

/** The body of the call: what was left empty is left out, amounts with a decimal point. */
export function bodyOf(act: InvoiceAct, values: Readonly<Record<string, string>>): Record<string, unknown> {
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '')
  const body = Object.fromEntries(
    given.map(([name, value]) => [name, name === 'amount' ? (readNumber(value) ?? value) : value.trim()]),
  )
  if (act !== 'waive') return body
  const { what = 'costs', ...rest } = body
  return { ...rest, [what === 'interest' ? 'interest' : 'costs']: true }
}
