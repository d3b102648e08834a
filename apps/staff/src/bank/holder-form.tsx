import type { ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/office/money-text.ts'
import { useState } from 'react'
import {
  foreseeHolder,
  reloadMoney,
  tellHolder,
  type BankAccount,
  type ForeseenHolder,
} from './bank-calls.ts'
import { t } from '../text.ts'

const HOLDERS = ['INSTANCE', 'CREDITOR'] as const

const holderForm = (holder: BankAccount['holder']): ActForm => ({
  title: t('bank.holder'),
  consequence: t('bank.holder.text'),
  fields: [
    {
      name: 'holder',
      type: 'text',
      look: 'choice',
      label: t('bank.holder.who'),
      mandatory: true,
      initial: holder ?? '',
      choices: HOLDERS.map((value) => ({
        value,
        text: t(`payee.holder.${value}`),
        hint: t(`bank.holder.${value}`),
      })),
    },
  ],
  commit: t('bank.holder.look'),
  done: '',
  isSilent: true,
})

/** What is booked anew is said before, since nothing undoes it. */
const sureForm = (holder: Holder, { payments, sums, isAbove }: ForeseenHolder): ActForm => {
  const sum = sums
    .map(({ amount, currency }) => formatMoney(minorOf(amount), currency, currentLanguage()))
    .join(', ')
  const rebooked = t(isAbove ? 'bank.holder.above' : 'bank.holder.rebooks', { count: payments, sum })
  return {
    title: t(`payee.holder.${holder}`),
    consequence: payments > 0 ? rebooked : t('bank.holder.nothing'),
    fields: [],
    commit: t('bank.holder.commit'),
    done: t('bank.holder.done'),
  }
}

type Holder = (typeof HOLDERS)[number]
type Chosen = { readonly holder: Holder; readonly foreseen: ForeseenHolder }

/** Asks who has a creditor's account at the bank, says what that books anew, and keeps the answer. */
export function HolderForm({
  account: { id, holder },
  onClose,
  onDone,
}: {
  account: Pick<BankAccount, 'id' | 'holder'>
  onClose: () => void
  onDone: () => void
}) {
  const [chosen, setChosen] = useState<Chosen>()
  if (chosen)
    return (
      <ActDialog
        key="sure"
        form={sureForm(chosen.holder, chosen.foreseen)}
        onCommit={() => tellHolder(id, chosen.holder)}
        onClose={onClose}
        onDone={() => {
          reloadMoney()
          onDone()
        }}
      />
    )
  return (
    <ActDialog
      key="who"
      form={holderForm(holder)}
      onCommit={async ({ holder: value = '' }) => {
        const one = HOLDERS.find((known) => known === value)
        if (one) setChosen({ holder: one, foreseen: await foreseeHolder(id, one) })
      }}
      onClose={onClose}
      onDone={() => undefined}
    />
  )
}
