import type { AccountAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { giroLine, groupInFours } from '@kvitt/domain/references.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { CopyButton } from '@kvitt/ui/values/copy-value.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../debts/part-calls.ts'
import { t, type MessageId } from '../text.ts'
import type { Debt } from '../debts/debt.ts'
import css from './transfer-method.module.css'

type Line = {
  readonly label: MessageId
  readonly value: string | null
  /** What the copy button takes; nothing when there is no use in copying it. */
  readonly copied?: string
}

/** What a payer has to write in the bank: an account number and OCR in SEK, IBAN and BIC otherwise. */
function transferLines(account: AccountAnswer, { key, currency }: Debt): Line[] {
  const isSek = currency === 'SEK'
  const isBankgiro = /^\d{3,4}-\d{4}$/.test(account.accountNumber ?? '')
  const withCopy = (label: MessageId, value: string | null): Line => ({
    label,
    value,
    ...(value ? { copied: value } : {}),
  })
  const reference: Line = {
    label: 'payment.reference_number',
    value: groupInFours(key.reference),
    copied: key.reference,
  }
  const numbers =
    isSek && account.accountNumber
      ? [withCopy(isBankgiro ? 'payment.bankgiro' : 'payment.account_number', account.accountNumber)]
      : [
          withCopy('payment.iban', account.iban && groupInFours(account.iban)),
          withCopy('payment.bic', account.bic),
        ]
  return [
    ...numbers,
    reference,
    { label: 'payment.receiver', value: account.receiverName },
    { label: 'payment.bank_name', value: isSek && isBankgiro ? null : account.bankName },
  ]
}

export default function TransferMethod({ debt }: { debt: Debt }) {
  const { key, balanceMinor, currency } = debt
  const account = useQuery(accountQuery(key))
  if (account.error && !account.data) {
    return (
      <div role="alert">
        <p>{t('transfer.failed')}</p>
        <Button look="text" onClick={() => void account.refetch()}>
          {t('login.retry')}
        </Button>
      </div>
    )
  }
  if (!account.data) return <Skeleton height={15} />
  const ocrLine =
    currency === 'SEK' && account.data.accountNumber
      ? giroLine({
          amountMinor: balanceMinor,
          account: account.data.accountNumber,
          reference: key.reference,
        })
      : undefined
  return (
    <>
      <dl className={css.list}>
        {transferLines(account.data, debt).map(
          ({ label, value, copied }) =>
            value && (
              <div key={label} className={css.row}>
                <dt>{t(label)}</dt>
                <dd>{value}</dd>
                {copied && (
                  <dd className={css.copy}>
                    <CopyButton value={copied} label={t(label)} />
                  </dd>
                )}
              </div>
            ),
        )}
        <div className={css.row}>
          <dt>{t('transfer.amount')}</dt>
          <dd>{formatMoney(balanceMinor, currency, currentLanguage())}</dd>
        </div>
        {ocrLine && (
          <div className={css.row} data-wide>
            <dt>{t('payment.ocr_line')}</dt>
            <dd className={css.ocr}>{ocrLine}</dd>
          </div>
        )}
      </dl>
      <p className={css.note}>{t('transfer.note')}</p>
    </>
  )
}
