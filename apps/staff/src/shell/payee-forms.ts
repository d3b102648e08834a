/** The account that debtors pay to, as the form that proposes another one and as the one that stops it. */
import { HOLDERS, PAYEE_SCHEMES, readPayeeAccount } from '@kvitt/domain/payee-accounts/payee-account.ts'
import type { ActField, ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { t } from '../text.ts'

const CURRENCIES = ['SEK', 'NOK', 'DKK', 'EUR'] as const

/** Of a creditor the form asks who has it; the provider's own is its own. */
export function payeeForm(isOwn: boolean): ActForm {
  const holder: ActField = {
    name: 'holder',
    type: 'text',
    look: 'choice',
    label: t('proposal.name.holder'),
    initial: 'CREDITOR',
    choices: HOLDERS.map((value) => ({ value, text: t(`payee.holder.${value}`) })),
  }
  return {
    title: t('payee.change'),
    consequence: t('payee.change.text'),
    fields: [
      {
        name: 'currency',
        type: 'text',
        look: 'choice',
        label: t('client.currency'),
        initial: 'SEK',
        choices: CURRENCIES.map((value) => ({ value, text: value })),
      },
      {
        name: 'scheme',
        type: 'text',
        look: 'choice',
        label: t('payee.scheme'),
        initial: 'BANKGIRO',
        choices: PAYEE_SCHEMES.map((value) => ({ value, text: t(`payee.scheme.${value}`) })),
      },
      {
        name: 'number',
        type: 'text',
        label: t('proposal.name.number'),
        mandatory: true,
        // As which of them, the server looks at.
        check: (value) =>
          PAYEE_SCHEMES.some((scheme) => isNumber(scheme, value)) ? undefined : t('payee.wrong'),
      },
      { name: 'bic', type: 'text', label: t('proposal.name.bic') },
      { name: 'receiverName', type: 'text', label: t('proposal.name.receiverName'), mandatory: true },
      ...(isOwn ? [] : [holder]),
    ],
    commit: t('payee.change.commit'),
    done: t('payee.change.done'),
  }
}

function isNumber(scheme: (typeof PAYEE_SCHEMES)[number], number: string): boolean {
  const currencies = scheme === 'ACCOUNT' ? (['NOK', 'DKK'] as const) : (['SEK'] as const)
  return currencies.some(
    (currency) => !('field' in readPayeeAccount({ scheme, number, currency, receiverName: '-' }, true)),
  )
}

const LONGEST_REASON = 1000

export const stopForm = (): ActForm => ({
  title: t('payee.stop'),
  consequence: t('payee.stop.text'),
  fields: [
    {
      name: 'reason',
      type: 'text',
      look: 'area',
      label: t('payee.stop.reason'),
      mandatory: true,
      check: (value) =>
        value.trim().length > LONGEST_REASON
          ? t('field.tooLongValidError', { max: LONGEST_REASON })
          : undefined,
    },
  ],
  commit: t('payee.stop'),
  done: t('payee.stop.done'),
})
