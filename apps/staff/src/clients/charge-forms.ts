/** What is agreed about what debtors are charged, as the forms that propose it. */
import type { BodyOf } from '@kvitt/domain/contract.ts'
import type { proposeChargeOwner, proposeReminderFee } from '@kvitt/domain/creditors/client.contract.ts'
import { CHARGE_OWNERS, NOT_AGREED, type Charge } from '@kvitt/domain/ledger/charge-owner.ts'
import type { ActField, ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { t } from '../text.ts'
import type { ClientDetail } from './client-calls.ts'
import type { Values } from './client-forms.ts'

const sourceField = (hint: string): ActField => ({
  name: 'source',
  type: 'text',
  label: t('client.source'),
  hint,
  mandatory: true,
  check: (value) => (value.trim().length > 200 ? t('field.tooLongValidError', { max: 200 }) : undefined),
})

export const reminderFeeForm = (now: ClientDetail['reminderFee'], today: string): ActForm => ({
  title: t(now ? 'client.fee.change' : 'client.fee.propose'),
  consequence: t('client.fee.text'),
  fields: [
    {
      name: 'agreedOn',
      type: 'text',
      look: 'date',
      label: t('client.fee.agreedOn'),
      initial: now?.agreedOn ?? '',
      max: today,
      mandatory: true,
    },
    { ...sourceField(t('client.fee.source.hint')), initial: now?.source ?? '' },
  ],
  commit: t(now ? 'client.fee.change' : 'client.fee.propose'),
  done: t('client.propose.done'),
})

export const feeOf = (values: Values): BodyOf<typeof proposeReminderFee> => ({
  agreedOn: values['agreedOn'] ?? '',
  source: (values['source'] ?? '').trim(),
})

export const noReminderFeeForm = (): ActForm => ({
  title: t('client.fee.end'),
  consequence: t('client.fee.end.text'),
  fields: [],
  commit: t('client.fee.end'),
  done: t('client.propose.done'),
})

type Owner = ClientDetail['chargeOwners'][number]

export function chargeOwnerForm(last: Owner | undefined, today: string): ActForm {
  const owner = (name: Charge): ActField => ({
    name,
    type: 'text',
    look: 'choice',
    label: t(`client.owners.${name}`),
    initial: (last ?? NOT_AGREED)[name],
    choices: CHARGE_OWNERS.map((value) => ({ value, text: t(`client.owner.${value}`) })),
  })
  return {
    title: t('client.owners.propose'),
    consequence: t('client.owners.text'),
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
      owner('fees'),
      owner('interest'),
      sourceField(t('client.source.hint')),
    ],
    commit: t('client.owners.propose'),
    done: t('client.propose.done'),
  }
}

export const ownerOf = (values: Values): BodyOf<typeof proposeChargeOwner> => ({
  from: values['from'] ?? '',
  fees: (values['fees'] ?? NOT_AGREED.fees) as Owner['fees'],
  interest: (values['interest'] ?? NOT_AGREED.interest) as Owner['interest'],
  source: (values['source'] ?? '').trim(),
})
