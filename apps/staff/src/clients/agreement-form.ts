/** What is agreed with a creditor from a day on, as the form that proposes it: it begins with what was agreed last. */
import { CURRENCIES } from '@kvitt/domain/money.ts'
import { SETTLEMENT_PERIODS } from '@kvitt/domain/settlements/settlement.ts'
import type { ActField, ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { t } from '../text.ts'
import type { Agreement } from './client-calls.ts'

const PER_CENTS = ['invoiceCommissionPercent', 'claimCommissionPercent', 'vatPercent'] as const
const PRICES = ['paymentPrice', 'casePrice', 'smallestPayout'] as const

export function agreementForm(last: Agreement | undefined, today: string): ActForm {
  const number = (name: (typeof PER_CENTS)[number] | (typeof PRICES)[number], unit: string): ActField => ({
    name,
    type: 'text',
    look: 'number',
    label: t(`client.${name}`),
    unit,
    initial: last ? String(last[name]) : '0',
    mandatory: true,
    check: (value) => (/^\d{1,9}(?:[.,]\d{1,2})?$/.test(value.trim()) ? undefined : t('client.number_wrong')),
  })
  const currency = last?.currency ?? 'SEK'
  return {
    title: t('client.propose'),
    consequence: t('client.propose.text'),
    fields: [
      {
        name: 'from',
        type: 'text',
        look: 'date',
        label: t('client.from'),
        initial: today,
        min: today,
        mandatory: true,
      },
      ...PER_CENTS.map((name) => number(name, '%')),
      {
        name: 'currency',
        type: 'text',
        look: 'choice',
        label: t('client.currency'),
        initial: currency,
        choices: CURRENCIES.map((value) => ({ value, text: value })),
      },
      ...PRICES.map((name) => number(name, '')),
      {
        name: 'period',
        type: 'text',
        look: 'choice',
        label: t('client.period'),
        initial: last?.period ?? 'MONTH',
        choices: SETTLEMENT_PERIODS.map((value) => ({ value, text: t(`client.period.${value}`) })),
      },
      {
        name: 'source',
        type: 'text',
        label: t('client.source'),
        hint: t('client.source.hint'),
        mandatory: true,
        check: (value) =>
          value.trim().length > 200 ? t('field.tooLongValidError', { max: 200 }) : undefined,
      },
    ],
    commit: t('client.propose'),
    done: t('client.propose.done'),
  }
}
