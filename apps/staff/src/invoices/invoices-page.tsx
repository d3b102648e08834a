import { Bar } from '@kvitt/office/frame/bar.tsx'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ListFoot } from '@kvitt/office/list/list-foot.tsx'
import { ListWaiting, NothingFound, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { ExportMenu } from '@kvitt/office/list/export-menu.tsx'
import { ListTools } from '@kvitt/office/list/list-tools.tsx'
import { Tabs } from '@kvitt/office/list/tabs.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { useListState, useRowKeys, useSelection } from '@kvitt/office/list/use-list.ts'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { dayText, distanceText } from '@kvitt/office/parts/day-words.ts'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { sumOf } from '@kvitt/office/parts/sums.ts'
import { hashOf } from '@kvitt/office/place.ts'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQueries, useQuery } from '@tanstack/react-query'
import { creditorColumns } from '../debts/columns.tsx'
import { useMayDraft } from '../shell/me.ts'
import { BulkActs } from '../acts/bulk-acts.tsx'
import type { BulkAct } from '../acts/bulk-calls.ts'
import { isAdmin } from '../shell/portal.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import {
  countQuery,
  fetchInvoices,
  invoiceSearch,
  invoicesQuery,
  tabOf,
  TABS,
  type Invoice,
  type InvoiceTab,
} from './invoice-calls.ts'
import { InvoiceChip } from './invoice-chip.tsx'

const hrefOf = (id: string): string => hashOf({ view: 'invoices', id })
const currencyOf = ({ currency }: Invoice): string => currency.invoiceCurrency

/** "2601 0131 4920" */
const inFours = (reference: string): string => reference.replace(/(.{4})(?=.)/g, '$1\u00a0')

const referenceColumn = (): Column<Invoice> => ({
  id: 'reference',
  head: t('invoice.reference'),
  look: 'quiet',
  cell: ({ paymentReference }) => inFours(paymentReference),
})

function columnsFor(rows: readonly Invoice[]): readonly Column<Invoice>[] {
  const currencies = new Set(rows.map(currencyOf))
  const [single] = currencies.size === 1 ? currencies : []
  const head = (text: string) => (single ? `${text}, ${single}` : text)
  const total = (amountOf: (invoice: Invoice) => number) =>
    single && <Figure minor={sumOf(rows, amountOf)} currency={single} isBare />
  return [
    {
      id: 'number',
      head: t('invoice.invoice'),
      orderBy: 'invoiceNumber',
      inRow: 'title',
      cell: ({ invoiceNumber }) => invoiceNumber,
    },
    {
      id: 'debtor',
      head: t('invoice.debtor'),
      orderBy: 'debtor.name',
      inRow: 'below',
      cell: ({ debtor }) => debtor.name,
    },
    // There is room for one of them: an operator asks whose it is.
    ...(isAdmin ? creditorColumns<Invoice>() : [referenceColumn()]),
    {
      id: 'due',
      head: t('invoice.due'),
      orderBy: 'dates.expireDate',
      cell: ({ dates }) => dayText(dates.expireDate, dates.today),
    },
    {
      id: 'distance',
      head: t('invoice.distance'),
      isHeadSpoken: true,
      look: 'quiet',
      inRow: 'below',
      cell: (invoice) =>
        isOwed(invoice) ? distanceText(invoice.dates.expireDate, invoice.dates.today) : '–',
    },
    {
      id: 'status',
      head: t('invoice.status'),
      inRow: 'below',
      cell: (invoice) => <InvoiceChip invoice={invoice} />,
    },
    {
      id: 'total',
      head: head(t('invoice.total')),
      orderBy: 'totals.totalToPay',
      align: 'end',
      look: 'quiet',
      cell: (invoice) => (
        <Figure
          minor={minorOf(invoice.totals.totalToPay)}
          currency={currencyOf(invoice)}
          isBare={single !== undefined}
        />
      ),
      sum: total(({ totals }) => totals.totalToPay),
    },
    {
      id: 'balance',
      head: head(t('invoice.balance')),
      orderBy: 'balances.total',
      align: 'end',
      look: 'strong',
      inRow: 'amount',
      cell: (invoice) => (
        <Figure
          minor={minorOf(invoice.balances.total)}
          currency={currencyOf(invoice)}
          isBare={single !== undefined}
        />
      ),
      sum: total(({ balances }) => balances.total),
      isTotal: true,
    },
  ]
}

const isOwed = ({ balances, statuses }: Invoice): boolean =>
  balances.total > 0 && !['CREATED', 'PENDING', 'ARCHIVED', 'STOPPED'].includes(statuses.main)

const RUNS: readonly string[] = ['ACTIVATED', 'PAUSED', 'DISPUTED', 'PENDING_AUTHORIZATION']

/** What makes sense with some of these: each row is asked by itself when it is done. */
function actsFor(chosen: readonly Invoice[]): BulkAct[] {
  const some = (is: (invoice: Invoice) => boolean) => chosen.some(is)
  const isIn = ({ statuses }: Invoice, ...status: string[]) => status.includes(statuses.main)
  const runs = some((one) => isIn(one, ...RUNS) && one.collectionBatch === null)
  return [
    ...(some((one) => isIn(one, 'CREATED')) ? (['approve'] as const) : []),
    ...(some((one) => isIn(one, 'ACTIVATED')) ? (['pause'] as const) : []),
    ...(some((one) => isIn(one, 'PAUSED')) ? (['resume'] as const) : []),
    ...(runs ? (['to-collection'] as const) : []),
    ...(some((one) => !isIn(one, 'CREATED', 'PENDING', 'ARCHIVED')) ? (['credit'] as const) : []),
    ...(some(({ balances }) => balances.costs + balances.interest > 0) ? (['waive'] as const) : []),
    ...(runs ? (['stop', 'write-off'] as const) : []),
  ]
}

/** All invoices of the creditor: filtered, searched, ordered and paged by the server. */
export default function InvoicesPage() {
  usePageName(t('view.invoices'))
  const mayWrite = useMayDraft()
  useKeys({ n: mayWrite ? () => goTo(NEW) : undefined })
  const { query, change, sort, hrefOfTab } = useListState()
  const found = useQuery(invoicesQuery(query))
  const rows = found.data?.items ?? []
  const ids = rows.map(({ id }) => id)
  const selection = useSelection(ids, JSON.stringify(query))
  const currentId = useRowKeys({ ids, hrefOf, selection })
  const chosen = rows.filter(({ id }) => selection.selected.has(id))
  return (
    <>
      <Bar
        title={t('view.invoices')}
        actions={mayWrite && <NewInvoice />}
        facts={found.data && t('invoices.found', { n: formatCount(found.data.total) })}
      />
      <InvoiceTabs current={tabOf(query.tab)} hrefOf={hrefOfTab} />
      <ListTools
        text={query.text}
        placeholder={t('invoices.search')}
        onText={(text) => text !== query.text && change({ text })}
        more={<ExportMenu fetchList={fetchInvoices(query)} name={t('view.invoices')} />}
      />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting />}
      {found.data && rows.length > 0 && (
        <DataTable
          label={t('view.invoices')}
          columns={columnsFor(rows)}
          rows={rows}
          idOf={({ id }) => id}
          hrefOf={({ id }) => hrefOf(id)}
          nameOf={({ invoiceNumber }) => invoiceNumber}
          query={query}
          onSort={sort}
          selection={isAdmin ? undefined : selection}
          currentId={currentId}
        />
      )}
      {found.data && rows.length === 0 && (
        <Nothing isFiltered={query.text !== ''} onClear={() => change({ text: '' })} />
      )}
      {!isAdmin && rows[0] && (
        <BulkActs
          key={JSON.stringify(query)}
          resource="invoices"
          acts={actsFor(chosen)}
          ids={chosen.map(({ id }) => id)}
          total={found.data?.total ?? 0}
          search={invoiceSearch(query)}
          today={rows[0].dates.today}
          onLeave={selection.leave}
        />
      )}
      {found.data && (
        <ListFoot query={query} total={found.data.total} label={t('view.invoices')} onChange={change} />
      )}
    </>
  )
}

const NEW = hashOf({ view: 'invoices', id: 'new' })

function NewInvoice() {
  return (
    <OfficeLink href={NEW} look="primary" icon="plus" cap="N">
      {t('draft.title')}
    </OfficeLink>
  )
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return isFiltered ? <NothingFound onClear={onClear} /> : <NothingLeft title={t('invoices.none')} />
}

function InvoiceTabs({ current, hrefOf }: { current: InvoiceTab; hrefOf: (tab: string) => string }) {
  const names = Object.keys(TABS) as InvoiceTab[]
  const counts = useQueries({ queries: names.map((tab) => countQuery(tab)) })
  const tabs = names.map((id, index) => ({ id, text: t(`invoices.tab.${id}`), count: counts[index]?.data }))
  return <Tabs label={t('list.filters')} tabs={tabs} current={current} hrefOf={hrefOf} />
}
