import type { ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { reloadMoney, tellHolder, type BankAccount } from './bank-calls.ts'
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
  commit: t('bank.holder.commit'),
  done: t('bank.holder.done'),
})

/** Asks who has a creditor's account at the bank, and keeps the answer. */
export function HolderForm({
  account: { id, holder },
  onClose,
  onDone,
}: {
  account: Pick<BankAccount, 'id' | 'holder'>
  onClose: () => void
  onDone: () => void
}) {
  return (
    <ActDialog
      form={holderForm(holder)}
      onCommit={async ({ holder: chosen = '' }) => {
        const one = HOLDERS.find((value) => value === chosen)
        if (one) await tellHolder(id, one)
      }}
      onClose={onClose}
      onDone={() => {
        reloadMoney()
        onDone()
      }}
    />
  )
}
