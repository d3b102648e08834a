import type { ClaimAnswer, ClaimInvoiceAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import type { FinancialEventAnswer, InterestPeriodAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { Disclosure } from '@kvitt/ui/components/disclosure.tsx'
import { FactList, type Fact } from '@kvitt/ui/values/fact-list.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { useQuery } from '@tanstack/react-query'
import { claimInvoicesQuery, financialEventsQuery } from '../debts/part-calls.ts'
import { interestFacts, sumOfPeriods } from '../debts/interest-facts.ts'
import type { DebtKey } from '../session.ts'
import { t, type MessageId } from '../text.ts'
import css from './more-details.module.css'

type DetailsProps = { claimKey: DebtKey; claim: ClaimAnswer; onClose: () => void }

/** What the claim is made of: its invoices with what was bought, and the sum. */
export default function MoreDetails({ claimKey, claim, onClose }: DetailsProps) {
  const invoices = useQuery(claimInvoicesQuery(claimKey))
  const events = useQuery(financialEventsQuery(claimKey))
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
        <div role="alert">
          <p>{t('dashboard.failed')}</p>
          <Button look="text" onClick={() => void invoices.refetch()}>
            {t('login.retry')}
          </Button>
        </div>
      ) : (
        <Skeleton height={8} />
      )}
      <h3 className={css.heading}>{t('calculation.title')}</h3>
      <FactList
        facts={[
          ...bucketsOf(claim.balances, claim.currency, countedOf(invoices.data, events.data)),
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

/** All interest that was posted on the claim and on its invoices; none before both are known. */
function countedOf(
  invoices: readonly ClaimInvoiceAnswer[] | undefined,
  events: readonly FinancialEventAnswer[] | undefined,
): Counted {
  if (!invoices || !events) return { periods: [], earlierMinor: 0 }
  const posted = events.filter(({ interest }) => interest.length > 0)
  const own = posted.flatMap(({ interest }) => interest)
  const ownMinor = posted.reduce((all, { amounts }) => all + minorOf(amounts.total), 0)
  return {
    periods: [...invoices.flatMap(({ interest }) => interest), ...own],
    earlierMinor: ownMinor - sumOfPeriods(own),
  }
}

/** What moved to the claim, when it is more than the invoice itself. */
function partsOf({ transferred, interest }: ClaimInvoiceAnswer, currency: string): Fact[] {
  return transferred.costs === 0 && transferred.interest === 0
    ? []
    : bucketsOf(transferred, currency, { periods: interest, earlierMinor: 0 })
}

type Buckets = { readonly principal: number; readonly costs: number; readonly interest: number }
type Counted = { readonly periods: readonly InterestPeriodAnswer[]; readonly earlierMinor: number }

/** Capital, costs and interest, each by itself, and the interest with its rates and days (inkassolagen 5 §). */
function bucketsOf({ principal, costs, interest }: Buckets, currency: string, counted: Counted): Fact[] {
  const fact = (id: MessageId, amount: number): Fact[] =>
    amount === 0
      ? []
      : [{ id, name: t(id), value: formatMoney(minorOf(amount), currency, currentLanguage()) }]
  const { periods, earlierMinor } = counted
  const minor = minorOf(interest)
  return [
    ...fact('claim.principal', principal),
    ...fact('calculation.costs', costs),
    ...(minor === 0
      ? []
      : interestFacts({
          id: 'interest',
          name: t('claim.late_interest'),
          minor,
          currency,
          periods,
          rest: [
            [t('calculation.interest_earlier'), earlierMinor],
            [t('calculation.interest_settled'), minor - earlierMinor - sumOfPeriods(periods)],
          ],
        })),
  ]
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
          { id: 'day', name: t('claim.purchase_date'), value: formatDay(invoice.purchaseDate) },
          { id: 'due', name: t('claim.due_by'), value: formatDay(invoice.expireDate) },
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
