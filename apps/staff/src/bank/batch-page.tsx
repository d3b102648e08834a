import { Bar } from '@kvitt/office/frame/bar.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ListFoot } from '@kvitt/office/list/list-foot.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { Tabs } from '@kvitt/office/list/tabs.tsx'
import { useListState } from '@kvitt/office/list/use-list.ts'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { batchQuery, LINE_TABS, linesQuery, type Batch, type BatchLine, type LineTab } from './bank-calls.ts'
import css from './bank.module.css'

/** Where the line is worked on, or what it paid. */
function hrefOf({ id, status, on }: BatchLine, fileId: string): string {
  const [first] = on
  if (status === 'SUSPENSE') return hashOf({ view: 'suspense', id })
  if (!first) return hashOf({ view: 'payment-batches', id: fileId })
  return hashOf({ view: first.type === 'invoices' ? 'invoices' : 'claims', id: first.id })
}

const whyOf = ({ match, reason, on }: BatchLine): string =>
  reason
    ? t(`bank.reason.${reason}`)
    : [t(`bank.match.${match}`), on.map(({ number }) => number).join(', ')].filter(Boolean).join(': ')

const COLUMNS = (): readonly Column<BatchLine>[] => [
  {
    id: 'payer',
    head: t('bank.payer'),
    inRow: 'title',
    cell: ({ payer }) => payer ?? t('bank.payer_unnamed'),
  },
  {
    id: 'says',
    head: t('bank.says'),
    inRow: 'below',
    cell: ({ references, message }) => references[0] ?? message ?? '–',
  },
  { id: 'day', head: t('bank.day'), look: 'quiet', cell: ({ bankDate }) => formatDay(bankDate, 'short') },
  { id: 'why', head: t('bank.why'), inRow: 'below', cell: whyOf },
  {
    id: 'amount',
    head: t('act.amount'),
    align: 'end',
    look: 'strong',
    inRow: 'amount',
    cell: ({ amount, currency }) => <Figure minor={minorOf(amount)} currency={currency} />,
  },
]

/** One file: the equation first, then its lines. */
export default function BatchPage({ id }: { id: string }) {
  usePageName(t('view.payment-batches'))
  const found = useQuery(batchQuery(id))
  useKeys({ Escape: () => goTo(hashOf({ view: 'payment-batches' })) })
  const crumb = { href: hashOf({ view: 'payment-batches' }), text: t('view.payment-batches') }
  const one = found.data
  if (!one)
    return (
      <>
        <Bar title={t('import.file')} crumb={crumb} />
        {found.isError ? (
          <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <ListWaiting />
        )}
      </>
    )
  const facts = [formatDay(one.receivedAt.slice(0, 10), 'short'), one.createdBy, one.accounts.join(', ')]
  return (
    <>
      <Bar title={one.name} crumb={crumb} facts={facts.filter(Boolean).join(' · ')} />
      {one.sums.map((sums) => (
        <Equation key={sums.currency} sums={sums} one={one} />
      ))}
      <Lines one={one} />
    </>
  )
}

type EquationProps = { sums: Batch['sums'][number]; one: Batch }

/** In the file = booked + in suspense, to the öre. */
function Equation({ sums: { currency, amount, booked, suspense, unplaced }, one }: EquationProps) {
  const terms = [
    { id: 'in_file', sign: '', amount, n: one.payments },
    { id: 'booked', sign: '=', amount: booked, n: one.counts.booked },
    { id: 'in_suspense', sign: '+', amount: suspense, n: one.counts.suspense },
    { id: 'unplaced', sign: '+', amount: unplaced, n: one.counts.unplaced },
  ] as const
  return (
    <dl className={css.equation}>
      {terms.map((term) => (
        <div key={term.id}>
          {term.sign && (
            <span className={css.sign} aria-hidden="true">
              {term.sign}
            </span>
          )}
          <dt>{t(`bank.${term.id}`)}</dt>
          <dd className={css.large}>
            <Figure minor={minorOf(term.amount)} currency={currency} />
          </dd>
          {one.currency !== null && <dd className={css.note}>{t('bank.payment_count', { n: term.n })}</dd>}
        </div>
      ))}
    </dl>
  )
}

function Lines({ one }: { one: Batch }) {
  const { query, change, hrefOfTab } = useListState()
  const first: LineTab = one.counts.suspense > 0 ? 'suspense' : 'all'
  const tab = Object.hasOwn(LINE_TABS, query.tab) ? (query.tab as LineTab) : first
  const found = useQuery(linesQuery(one.id, tab, query))
  const counts = { suspense: one.counts.suspense, booked: one.counts.booked, all: one.payments }
  return (
    <>
      <Tabs
        label={t('list.filters')}
        tabs={(Object.keys(LINE_TABS) as LineTab[]).map((name) => ({
          id: name,
          text: t(`bank.tab.${name}`),
          count: counts[name],
        }))}
        current={tab}
        hrefOf={hrefOfTab}
      />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={4} />}
      {found.data && found.data.items.length > 0 && (
        <DataTable
          label={t('bank.payments')}
          columns={COLUMNS()}
          rows={found.data.items}
          idOf={(line) => line.id}
          hrefOf={(line) => hrefOf(line, one.id)}
          nameOf={({ payer, number }) => payer ?? String(number)}
        />
      )}
      {found.data && (
        <ListFoot query={query} total={found.data.total} label={t('bank.payments')} onChange={change} />
      )}
    </>
  )
}
