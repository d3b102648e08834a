import { Bar } from '@kvitt/office/frame/bar.tsx'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import type { ListQuery } from '@kvitt/office/list/list-query.ts'
import { useRowKeys } from '@kvitt/office/list/use-list.ts'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { hashOf, usePlace } from '@kvitt/office/place.ts'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { claimsQuery } from '../claims/claim-calls.ts'
import { debtorsQuery } from '../debtors/debtor-calls.ts'
import { Owed } from '../debtors/owed.tsx'
import { invoicesQuery } from '../invoices/invoice-calls.ts'
import { InvoiceChip } from '../invoices/invoice-chip.tsx'
import { paymentsQuery } from '../payments/payment-calls.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t, type MessageId } from '../text.ts'
import css from './search-page.module.css'

type View = 'invoices' | 'claims' | 'debtors' | 'payments'
type Hit = {
  readonly id: string
  readonly title: string
  readonly who: ReactNode
  readonly amount: ReactNode
}

/** As much of a query as a group of hits looks at. */
type Found<Row> = {
  readonly data: { readonly items: readonly Row[]; readonly total: number } | undefined
  readonly error: Error | null
  readonly refetch: () => Promise<unknown>
}

/** So many of each are shown; the rest is in its list. */
const MOST = 5

function listQuery(text: string): ListQuery {
  return { tab: 'all', text, page: 1, limit: MOST, orderBy: 'id', order: 'desc', filters: {} }
}

/** Everything of the creditor that matches: invoices, claims, debtors and payments. */
export default function SearchPage() {
  usePageName(t('search.title'))
  const text = usePlace().query['q'] ?? ''
  return (
    <>
      <Bar title={t('search.title')} facts={text} />
      {text === '' ? <NothingLeft title={t('search.ask')} /> : <Hits text={text} />}
    </>
  )
}

function useFound(text: string) {
  const query = listQuery(text)
  const invoices = useQuery(invoicesQuery(query))
  const claims = useQuery(claimsQuery(query))
  const debtors = useQuery(debtorsQuery(query))
  const payments = useQuery(paymentsQuery({ ...query, orderBy: 'bookedOn' }))
  return [
    groupOf('invoices', invoices, (invoice) => ({
      id: invoice.id,
      title: invoice.invoiceNumber,
      who: (
        <>
          {invoice.debtor.name} <InvoiceChip invoice={invoice} />
        </>
      ),
      amount: <Figure minor={minorOf(invoice.balances.total)} currency={invoice.currency.invoiceCurrency} />,
    })),
    groupOf('claims', claims, ({ id, collectionBatchNumber, debtor, balances, currency }) => ({
      id,
      title: collectionBatchNumber,
      who: debtor.name,
      amount: <Figure minor={minorOf(balances.total)} currency={currency} />,
    })),
    groupOf('debtors', debtors, ({ id, name, invoiceAddress, balances }) => ({
      id,
      title: name,
      who: invoiceAddress.city,
      amount: <Owed balances={balances} />,
    })),
    groupOf('payments', payments, ({ id, subject, debtor, amount, currency }) => ({
      id,
      title: t(subject.type === 'invoices' ? 'dispute.of_invoice' : 'dispute.of_claim', {
        number: subject.number,
      }),
      who: debtor.name,
      amount: <Figure minor={minorOf(amount)} currency={currency} />,
    })),
  ]
}

type Group = Omit<Found<unknown>, 'data'> & {
  readonly view: View
  readonly hits: readonly Hit[] | undefined
  readonly total: number
}

function groupOf<Row>(view: View, found: Found<Row>, hitOf: (row: Row) => Hit): Group {
  const { data, error, refetch } = found
  return { view, error, refetch, hits: data?.items.map(hitOf), total: data?.total ?? 0 }
}

function Hits({ text }: { text: string }) {
  const groups = useFound(text)
  const hrefs = new Map<string, string>(
    groups.flatMap(({ view, hits = [] }) =>
      hits.map(({ id }) => [`${view} ${id}`, hashOf({ view, id })] as const),
    ),
  )
  const current = useRowKeys({ ids: [...hrefs.keys()], hrefOf: (key) => hrefs.get(key) ?? '' })
  const isOver = groups.every(({ hits, error }) => hits !== undefined && error === null)
  if (isOver && hrefs.size === 0) return <NothingLeft title={t('search.none', { text })} />
  return groups.map((group) => <Part key={group.view} group={group} text={text} current={current} />)
}

type PartProps = { group: Group; text: string; current: string | undefined }

function Part({ group: { view, hits, total, error, refetch }, text, current }: PartProps) {
  const title = t(`view.${view}` as MessageId)
  if (hits?.length === 0) return null
  return (
    <section className={css.part} aria-label={title}>
      <header className={css.head}>
        <h2>{title}</h2>
        {total > MOST && (
          <a href={hashOf({ view }, { tab: 'all', q: text })}>{t('search.all', { n: formatCount(total) })}</a>
        )}
      </header>
      {error && <BlockFailed error={error} onRetry={() => void refetch()} />}
      {!hits && !error && <ListWaiting rows={2} />}
      <ul>
        {hits?.map(({ id, title: name, who, amount }) => (
          <li key={id} data-current={current === `${view} ${id}` || undefined}>
            <a className={css.hit} href={hashOf({ view, id })}>
              <span className={css.name}>{name}</span>
              <span className={css.who}>{who}</span>
              <span className={css.amount}>{amount}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
