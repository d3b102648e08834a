/** Which invoice or claim a confirmation is about, and whose. */
import { canHaveReceipt } from '@kvitt/domain/invoices/invoice.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { useQuery } from '@tanstack/react-query'
import { invoiceQuery } from '../../calls.ts'
import type { DebtKey } from '../../session.ts'
import { CreditorPlate } from '../../debts/creditor-plate.tsx'
import { claimQuery, clientQuery } from '../../debts/part-calls.ts'
import { t } from '../../text.ts'
import css from './confirmation-page.module.css'

/** An invoice or a claim. */
export type Subject = {
  readonly title: string
  readonly clientName: string
  readonly reference: string
  readonly balanceMinor: number
  readonly isPaid: boolean
  readonly currency: string
  /** Whether there is a receipt when it is paid. */
  readonly givesReceipt: boolean
  /** Number of the invoice whose receipt there is. */
  readonly receiptOf: string | undefined
}

/** Undefined until it is known. */
export function useSubject(key: DebtKey): Subject | undefined {
  const isClaim = key.claimNumber !== undefined
  const invoice = useQuery({ ...invoiceQuery(key), enabled: !isClaim }).data
  const claim = useQuery({ ...claimQuery(key), enabled: isClaim }).data
  if (isClaim) {
    return (
      claim && {
        title: t('claim.heading', { number: claim.collectionBatchNumber }),
        clientName: claim.clientName,
        reference: claim.paymentReference,
        balanceMinor: minorOf(claim.balanceTotal),
        isPaid: claim.status === 'CLOSED' && minorOf(claim.balanceTotal) === 0,
        currency: claim.currency,
        givesReceipt: false,
        receiptOf: undefined,
      }
    )
  }
  if (!invoice) return undefined
  const balanceMinor = minorOf(invoice.balances.total)
  const hasReceipt = canHaveReceipt({ status: invoice.statuses.main, type: invoice.type, balanceMinor })
  return {
    title: t('invoice.heading', { number: invoice.invoiceNumber }),
    clientName: invoice.clientName,
    reference: invoice.paymentReference,
    balanceMinor,
    isPaid: invoice.statuses.main === 'CLOSED' && balanceMinor === 0,
    currency: invoice.currency.invoiceCurrency,
    givesReceipt: invoice.type === 'INVOICE',
    receiptOf: hasReceipt ? invoice.invoiceNumber : undefined,
  }
}

export function CreditorStrip({ debtKey, subject }: { debtKey: DebtKey; subject: Subject }) {
  const client = useQuery(clientQuery(debtKey))
  return (
    <div className={css.strip}>
      <div className={`page ${css.who}`}>
        <CreditorPlate name={subject.clientName} logo={client.data?.logotypeDocumentFileName ?? null} />
        <div>
          <p className={css.creditor}>{subject.clientName}</p>
          <p className={css.number}>{subject.title}</p>
        </div>
      </div>
    </div>
  )
}
