import type { ClaimAnswer, ClaimInvoiceAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { Disclosure } from '@kvitt/ui/components/disclosure.tsx'
import { FactList, type Fact } from '@kvitt/ui/components/fact-list.tsx'
import { Skeleton } from '@kvitt/ui/components/skeleton.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatMoney, minorOf } from '@kvitt/ui/money-text.ts'
import { useQuery } from '@tanstack/react-query'
import { claimInvoicesQuery } from '../shell/debt-calls.ts'
import type { DebtKey } from '../session.ts'
import { t, type MessageId } from '../text.ts'
import css from './more-details.module.css'

type DetailsProps = { claimKey: DebtKey; claim: ClaimAnswer; onClose: () => void }

/** What the claim is made of: its invoices with what was bought, and the sum. */
export default function MoreDetails({ claimKey, claim, onClose }: DetailsProps) {
  const invoices = useQuery(claimInvoicesQuery(claimKey))
  return (
    <Dialog title={t('claim.more_details')} onClose={onClose}>
      <p className={css.sub}>
        {t('claim.heading', { number: claim.collectionBatchNumber })} · {claim.clientName}
      </p>
      {invoices.data ? (
        <div className={css.invoices}>
          {invoices.data.map((invoice) => (
            <ClaimInvoice key={invoice.id} invoice={invoice} currency={claim.currency} />
          ))}
        </div>
      ) : invoices.error ? (
        <p role="alert">{t('timeline.failed')}</p>
      ) : (
        <Skeleton height={8} />
      )}
      <h3 className={css.heading}>{t('calculation.title')}</h3>
      <FactList
        facts={[
          ...bucketsOf(claim.balances, claim.currency),
          {
            id: 'total',
            name: t('invoice.total_due'),
            value: formatMoney(minorOf(claim.balances.total), claim.currency, currentLanguage()),
            isTotal: true,
          },
        ]}
      />
    </Dialog>
  )
}

/** What moved to the claim, when it is more than the invoice itself. */
function partsOf({ transferred }: ClaimInvoiceAnswer, currency: string): Fact[] {
  return transferred.costs === 0 && transferred.interest === 0 ? [] : bucketsOf(transferred, currency)
}

type Buckets = { readonly principal: number; readonly costs: number; readonly interest: number }

/** Capital, costs and interest, each by itself (inkassolagen 5 §). */
function bucketsOf({ principal, costs, interest }: Buckets, currency: string): Fact[] {
  const parts: readonly (readonly [MessageId, number])[] = [
    ['claim.principal', principal],
    ['calculation.costs', costs],
    ['claim.late_interest', interest],
  ]
  return parts
    .filter(([, amount]) => amount !== 0)
    .map(([id, amount]) => ({
      id,
      name: t(id),
      value: formatMoney(minorOf(amount), currency, currentLanguage()),
    }))
}

function ClaimInvoice({ invoice, currency }: { invoice: ClaimInvoiceAnswer; currency: string }) {
  const language = currentLanguage()
  return (
    <Disclosure
      title={
        <span className={css.title}>
          <strong>{t('invoice.heading', { number: invoice.invoiceNumber })}</strong>
          <span>{formatMoney(minorOf(invoice.transferred.total), currency, language)}</span>
        </span>
      }
    >
      <FactList
        facts={[
          { id: 'day', name: t('claim.purchase_date'), value: formatDay(invoice.purchaseDate, language) },
          { id: 'due', name: t('claim.due_by'), value: formatDay(invoice.expireDate, language) },
          ...partsOf(invoice, currency),
        ]}
      />
      {invoice.rows.length > 0 && (
        <table className={css.rows}>
          <thead>
            <tr>
              <th scope="col">{t('claim.account')}</th>
              <th scope="col">{t('claim.description')}</th>
            </tr>
          </thead>
          <tbody>
            {invoice.rows.map((row) => (
              <tr key={`${row.accountNumber} ${row.description} ${row.amount}`}>
                <td>{row.accountNumber ?? '–'}</td>
                <td>{row.description}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Disclosure>
  )
}
