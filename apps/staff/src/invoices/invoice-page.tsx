import { Bar } from '@kvitt/office/frame/bar.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { dayText, distanceText } from '@kvitt/office/parts/day-words.ts'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { CopyButton } from '@kvitt/ui/values/copy-value.tsx'
import { useQuery } from '@tanstack/react-query'
import { Block } from '../debts/block.tsx'
import { Explained } from '../debts/explanation.tsx'
import { RestingNote } from '../debts/resting-note.tsx'
import { reachRows } from '../debts/reach-rows.ts'
import { Facts, type FactRow } from '../shell/facts.tsx'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { InvoiceActs } from './invoice-acts.tsx'
import { invoiceQuery, type Invoice } from './invoice-calls.ts'
import { InvoiceChip } from './invoice-chip.tsx'
import { explanationQuery } from './invoice-detail-calls.ts'
import { InvoiceStory } from './invoice-story.tsx'
import css from '../debts/debt-page.module.css'

/** One invoice: what is owed first, whose it is, what it is made of, and what can be done. */
export default function InvoicePage({ id }: { id: string }) {
  const found = useQuery(invoiceQuery(id))
  usePageName(found.data?.invoiceNumber ?? t('view.invoices'))
  useKeys({ Escape: () => goTo(hashOf({ view: 'invoices' })) })
  const explanation = useQuery(explanationQuery(id))
  const invoice = found.data
  const crumb = { href: hashOf({ view: 'invoices' }), text: t('view.invoices') }
  if (!invoice) {
    return (
      <>
        <Bar title={t('invoice.invoice')} crumb={crumb} />
        {found.isError ? (
          <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <ListWaiting />
        )}
      </>
    )
  }
  return (
    <>
      <Bar title={invoice.invoiceNumber} crumb={crumb} chip={<InvoiceChip invoice={invoice} />} />
      <div className={css.columns}>
        <div className={css.left}>
          {invoice.isResting && (
            <div className={css.note}>
              <RestingNote debtorId={invoice.debtor.id} />
            </div>
          )}
          <section className={css.hero}>
            <ToPay invoice={invoice} />
            <Facts rows={whoRows(invoice)} />
          </section>
          <InvoiceStory invoice={invoice} />
        </div>
        <div className={css.right}>
          {!isUnsent(invoice) && (
            <Block title={t('invoice.made_of')} found={explanation}>
              {(data) => <Explained explanation={data} currency={invoice.currency.invoiceCurrency} />}
            </Block>
          )}
          <InvoiceActs invoice={invoice} />
        </div>
      </div>
    </>
  )
}

/** Nobody owes it yet. */
const isUnsent = ({ statuses: { main } }: Invoice): boolean => main === 'CREATED' || main === 'PENDING'

function ToPay({ invoice }: { invoice: Invoice }) {
  const { balances, currency, dates, collectionBatch, totals, statuses } = invoice
  const isDraft = isUnsent(invoice)
  const isStopped = statuses.main === 'STOPPED'
  const isLate = dates.expireDate < dates.today
  return (
    <div>
      <p className={css.quiet}>
        {t(isDraft ? 'invoice.total_of_draft' : isStopped ? 'invoice.not_collected' : 'invoice.to_pay')}
      </p>
      <p>
        <Figure
          minor={minorOf(isDraft ? totals.totalToPay : balances.total)}
          currency={currency.invoiceCurrency}
          look="large"
        />
      </p>
      <p className={css.quiet}>
        {t(isLate ? 'invoice.was_due' : 'invoice.is_due', { day: formatDay(dates.expireDate) })}
        {balances.total > 0 && !isStopped && ` · ${distanceText(dates.expireDate, dates.today)}`}
      </p>
      {collectionBatch && (
        <p className={css.quiet}>
          <a href={hashOf({ view: 'claims', id: collectionBatch.id })}>
            {t('invoice.on_claim', { number: collectionBatch.collectionBatchNumber })}
          </a>
        </p>
      )}
    </div>
  )
}

function whoRows({ debtor, paymentReference, property, dates }: Invoice): readonly FactRow[] {
  return [
    {
      id: 'debtor',
      name: t('invoice.debtor'),
      value: <a href={hashOf({ view: 'debtors', id: debtor.id })}>{debtor.name}</a>,
    },
    { id: 'number', name: t('debtor.identification_number'), value: debtor.identificationNumber },
    {
      id: 'reference',
      name: t('invoice.reference'),
      value: (
        <span className={css.copied}>
          <span>{paymentReference.replace(/(.{4})(?=.)/g, '$1\u00a0')}</span>
          <CopyButton value={paymentReference} label={t('invoice.reference')} />
        </span>
      ),
    },
    ...reachRows(debtor),
    { id: 'for', name: t('invoice.for'), value: property },
    { id: 'made', name: t('invoice.made'), value: dayText(dates.invoiceDate, dates.today) },
    {
      id: 'sent',
      name: t('invoice.sent'),
      value: dates.sentDate ? dayText(dates.sentDate, dates.today) : t('invoice.not_sent'),
    },
  ]
}
