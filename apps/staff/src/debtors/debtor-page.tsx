import { Bar } from '@kvitt/office/frame/bar.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { ClaimChip } from '../claims/claim-chip.tsx'
import { balanceColumn, dueColumn } from '../debts/columns.tsx'
import { reachRows } from '../debts/reach-rows.ts'
import { DebtorFlags } from '../flags/debtor-flags.tsx'
import { Representatives } from '../flags/representatives.tsx'
import { DataRequests } from '../data-protection/data-requests.tsx'
import { PersonData } from '../data-protection/person-data.tsx'
import { Facts } from '../shell/facts.tsx'
import { useRight } from '../shell/me.ts'
import { isAdmin } from '../shell/portal.ts'
import { todayQuery } from '../shell/today.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { debtorQuery, type Debtor } from './debtor-calls.ts'
import css from './debtor-page.module.css'
import { Owed } from './owed.tsx'
import { ViewAsDebtor } from './view-as-debtor.tsx'

/** One debtor with everything of this creditor's. */
export default function DebtorPage({ id }: { id: string }) {
  const found = useQuery(debtorQuery(id))
  const today = useQuery(todayQuery).data ?? ''
  const debtor = found.data
  const mayExport = useRight('export_person') && isAdmin
  const maySeeProtected = useRight('see_protected')
  const mayLook = useRight('view_as_debtor') && isAdmin
  // The portal shows a person where they live.
  const mayView = mayLook && (maySeeProtected || debtor?.isProtected !== true)
  usePageName(debtor?.name ?? t('view.debtors'))
  useKeys({ Escape: () => goTo(hashOf({ view: 'debtors' })) })
  const crumb = { href: hashOf({ view: 'debtors' }), text: t('view.debtors') }
  if (!debtor) {
    return (
      <>
        <Bar title={t('invoice.debtor')} crumb={crumb} />
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
      <Bar
        title={debtor.name}
        crumb={crumb}
        actions={mayView && <ViewAsDebtor id={debtor.id} name={debtor.name} />}
      />
      <section className={css.section}>
        <DebtorFacts debtor={debtor} />
      </section>
      <DebtorFlags debtor={debtor} today={today} />
      <Representatives debtor={debtor} today={today} />
      {debtor.claims.length > 0 && <Claims debtor={debtor} today={today} />}
      <Invoices debtor={debtor} today={today} />
      {isAdmin && <DataRequests debtorId={debtor.id} name={debtor.name} today={today} />}
      {mayExport && <PersonData id={debtor.id} name={debtor.name} today={today} />}
    </>
  )
}

function DebtorFacts({ debtor }: { debtor: Debtor }) {
  return (
    <Facts
      rows={[
        { id: 'owed', name: t('invoice.balance'), value: <Owed balances={debtor.balances} /> },
        { id: 'number', name: t('debtor.identification_number'), value: debtor.identificationNumber },
        {
          id: 'kind',
          name: t('draft.kind'),
          value: t(debtor.type === 'PERSON' ? 'debtor.person' : 'debtor.company'),
        },
        ...reachRows(debtor),
      ]}
    />
  )
}

type PartProps = { debtor: Debtor; today: string }

const claimColumns = (today: string): readonly Column<Debtor['claims'][number]>[] => [
  {
    id: 'number',
    head: t('claim.claim'),
    inRow: 'title',
    cell: ({ collectionBatchNumber }) => collectionBatchNumber,
  },
  dueColumn({ head: t('claim.last_day'), dayOf: ({ expireDate }) => expireDate, todayOf: () => today }),
  {
    id: 'status',
    head: t('invoice.status'),
    inRow: 'below',
    cell: ({ status }) => <ClaimChip status={status} />,
  },
  balanceColumn((row) => row),
]

function Claims({ debtor: { claims }, today }: PartProps) {
  return (
    <section>
      <h2 className={css.head}>{t('view.claims')}</h2>
      <DataTable
        label={t('view.claims')}
        columns={claimColumns(today)}
        rows={claims}
        idOf={({ id }) => id}
        hrefOf={({ id }) => hashOf({ view: 'claims', id })}
        nameOf={({ collectionBatchNumber }) => collectionBatchNumber}
      />
    </section>
  )
}

const invoiceColumns = (today: string): readonly Column<Debtor['invoices'][number]>[] => [
  {
    id: 'number',
    head: t('invoice.invoice'),
    inRow: 'title',
    cell: ({ invoiceNumber }) => invoiceNumber,
  },
  {
    id: 'made',
    head: t('invoice.made'),
    look: 'quiet',
    cell: ({ invoiceDate }) => dayText(invoiceDate, today),
  },
  dueColumn({ head: t('invoice.due'), dayOf: ({ expireDate }) => expireDate, todayOf: () => today }),
  {
    id: 'total',
    head: t('invoice.total'),
    align: 'end',
    look: 'quiet',
    cell: ({ totalToPay, currency }) => <Figure minor={minorOf(totalToPay)} currency={currency} />,
  },
  balanceColumn((row) => row),
]

function Invoices({ debtor: { invoices }, today }: PartProps) {
  return (
    <section>
      <h2 className={css.head}>{t('view.invoices')}</h2>
      <DataTable
        label={t('view.invoices')}
        columns={invoiceColumns(today)}
        rows={invoices}
        idOf={({ id }) => id}
        hrefOf={({ id }) => hashOf({ view: 'invoices', id })}
        nameOf={({ invoiceNumber }) => invoiceNumber}
      />
    </section>
  )
}
