import type { StatsAnswer } from '@kvitt/domain/invoices/invoice-list.contract.ts'
import type { ListAnswer } from '@kvitt/ui/api.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { queries } from '../src/calls.ts'
import { ClaimList } from '../src/claims/claim-list.tsx'
import { InvoiceSection, PaidSection } from '../src/invoices/dashboard-sections.tsx'
import { InvoiceList } from '../src/invoices/invoice-list.tsx'
import { ToPay } from '../src/invoices/to-pay.tsx'
import { CLOSED_STATUSES, invoiceListQuery, logoQuery, OPEN_STATUSES } from '../src/debts/list-calls.ts'
import { FAILED, type Part } from './part.ts'
import { Pressed } from './pressed.tsx'
import { CLAIMS, ENERGY, ENERGY_LOGO, GYM, INVOICES, invoice, keyOf } from './samples.ts'

queries.setQueryData(logoQuery(ENERGY, keyOf('')).queryKey, ENERGY_LOGO)
queries.setQueryData(logoQuery(GYM, keyOf('')).queryKey, null)

const isOver = (status: string) => status === 'CLOSED' || status === 'STOPPED'
const all = Object.values(INVOICES)
const open = all.filter(({ statuses }) => !isOver(statuses.main))
const closed = all.filter(({ statuses }) => isOver(statuses.main))
const FOREIGN = invoice({ invoiceNumber: '261629', currency: 'EUR', owed: 22793.4, asked: 22793.4 })

/** The lists of the cache are told from each other by how long a page of theirs is. */
const PAGE = { several: 10, one: 20, none: 50, waits: 100 } as const
const keep = (statuses: string, limit: number, list: ListAnswer<(typeof all)[number]>) =>
  queries.setQueryData(invoiceListQuery({ statuses, page: 1, limit }).queryKey, list)
keep(OPEN_STATUSES, PAGE.several, { items: [...open, FOREIGN], total: 37 })
keep(OPEN_STATUSES, PAGE.one, { items: open.slice(0, 1), total: 1 })
keep(OPEN_STATUSES, PAGE.none, { items: [], total: 0 })
keep(CLOSED_STATUSES, PAGE.several, { items: closed, total: closed.length })
keep(CLOSED_STATUSES, PAGE.one, { items: closed.slice(0, 1), total: 24 })

function Open({ limit }: { limit: number }) {
  const list = useQuery(invoiceListQuery({ statuses: OPEN_STATUSES, page: 1, limit }))
  return <InvoiceSection open={list} page={1} limit={limit} onPage={() => {}} />
}

function Paid({ limit }: { limit: number }) {
  return <PaidSection first={useQuery(invoiceListQuery({ statuses: CLOSED_STATUSES, page: 1, limit }))} />
}

type Sums = Omit<ComponentProps<typeof ToPay>, 'stats'>
const NO_SUMS: Sums = {
  openCount: undefined,
  claimCount: undefined,
  held: undefined,
  heldClaims: [],
  open: undefined,
  openClaims: undefined,
}

/** The sums of `stats`; without them they are asked for. */
function Sum({ name, stats, ...sums }: Partial<Sums> & { name: string; stats?: StatsAnswer }) {
  const own: UseQueryResult<StatsAnswer> = useQuery({
    queryKey: ['lab', 'stats', name],
    queryFn: async () => {
      const response = await fetch('/api/stats')
      if (!response.ok) throw new Error('no sums')
      return (await response.json()) as StatsAnswer
    },
    ...(stats ? { initialData: stats } : {}),
  })
  return <ToPay {...NO_SUMS} {...sums} stats={[own]} />
}

const SEK: StatsAnswer = [{ currency: 'SEK', balance: 8_675.63, count: 6 }]
const listOf = <Item,>(items: readonly Item[]): ListAnswer<Item> => ({ items, total: items.length })

/** What the page of all invoices and claims is made of. */
export const LIST_PARTS: readonly Part[] = [
  {
    name: 'ToPay',
    states: {
      loading: () => <Sum name="loading" />,
      failed: { show: () => <Sum name="failed" openCount={4} />, calls: FAILED },
      'one currency': () => <Sum name="one" stats={SEK} openCount={6} claimCount={1} />,
      'several currencies': () => (
        <Sum
          name="several"
          stats={[...SEK, { currency: 'EUR', balance: 22_793.4, count: 1 }]}
          openCount={7}
          claimCount={0}
        />
      ),
      'held and in parts': () => (
        <Sum
          name="held"
          stats={SEK}
          openCount={open.length}
          claimCount={2}
          held={listOf(open.filter(({ statuses }) => ['PAUSED', 'DISPUTED'].includes(statuses.main)))}
          open={listOf(open)}
          openClaims={listOf([])}
        />
      ),
      nothing: () => <Sum name="nothing" stats={[]} openCount={0} claimCount={0} />,
    },
  },
  {
    name: 'InvoiceSection',
    states: {
      'with a pager': () => <Open limit={PAGE.several} />,
      'one invoice': () => <Open limit={PAGE.one} />,
      none: () => <Open limit={PAGE.none} />,
      loading: () => <Open limit={PAGE.waits} />,
      failed: { show: () => <Open limit={30} />, calls: FAILED },
    },
  },
  {
    name: 'PaidSection',
    states: {
      closed: () => <Paid limit={PAGE.several} />,
      'opened, with a pager': () => (
        <Pressed name="Paid">
          <Paid limit={PAGE.one} />
        </Pressed>
      ),
      'opened, loading': () => (
        <Pressed name="Paid">
          <Paid limit={PAGE.waits} />
        </Pressed>
      ),
      'opened, failed': {
        show: () => (
          <Pressed name="Paid">
            <Paid limit={30} />
          </Pressed>
        ),
        calls: FAILED,
      },
    },
  },
  {
    name: 'InvoiceList',
    states: { 'every row': () => <InvoiceList invoices={[...all, FOREIGN]} labelledBy="lab-state" /> },
  },
  {
    name: 'ClaimList',
    states: { 'every row': () => <ClaimList claims={Object.values(CLAIMS)} labelledBy="lab-state" /> },
  },
]
