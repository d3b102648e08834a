import { Bar } from '@kvitt/office/frame/bar.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { Facts } from '../shell/facts.tsx'
import { Hero } from '../shell/hero.tsx'
import { MadeOf } from '../shell/made-of.tsx'
import { stepText } from '../shell/steps.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { claimInvoicesQuery, claimQuery, type Claim, type ClaimInvoice } from './claim-calls.ts'
import { ClaimChip } from './claim-chip.tsx'

/** One claim: what is owed on it, whose it is, and the invoices that it was made of. */
export default function ClaimPage({ id }: { id: string }) {
  const found = useQuery(claimQuery(id))
  const claim = found.data
  usePageName(claim?.collectionBatchNumber ?? t('view.claims'))
  useKeys({ Escape: () => goTo(hashOf({ view: 'claims' })) })
  const crumb = { href: hashOf({ view: 'claims' }), text: t('view.claims') }
  if (!claim) {
    return (
      <>
        <Bar title={t('claim.claim')} crumb={crumb} />
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
      <Bar title={claim.collectionBatchNumber} crumb={crumb} chip={<ClaimChip status={claim.status} />} />
      <Hero
        label={t('invoice.to_pay')}
        minor={minorOf(claim.balances.total)}
        currency={claim.currency}
        note={t(claim.dates.expireDate < claim.dates.today ? 'invoice.was_due' : 'invoice.is_due', {
          day: formatDay(claim.dates.expireDate),
        })}
        aside={<MadeOf balances={claim.balances} asked={claim.totals.totalToPay} currency={claim.currency} />}
      >
        <ClaimFacts claim={claim} />
      </Hero>
      <ClaimInvoices claim={claim} />
    </>
  )
}

function ClaimFacts({ claim }: { claim: Claim }) {
  const { debtor, dates, nextStep, paymentReference, pauseReason, resumeDate } = claim
  const day = (one: string | null) => one && dayText(one, dates.today)
  return (
    <Facts
      rows={[
        {
          id: 'debtor',
          name: t('invoice.debtor'),
          value: <a href={hashOf({ view: 'debtors', id: debtor.id })}>{debtor.name}</a>,
        },
        { id: 'reference', name: t('invoice.reference'), value: paymentReference },
        { id: 'opened', name: t('claim.opened'), value: day(dates.openedOn) },
        {
          id: 'next',
          name: t('invoice.next'),
          value: nextStep
            ? `${stepText(nextStep.type)}, ${dayText(nextStep.plannedDate, dates.today)}`
            : t('invoice.no_next'),
        },
        { id: 'paused', name: t('claim.pause_reason'), value: pauseReason },
        { id: 'resumes', name: t('claim.resumes'), value: day(resumeDate) },
      ]}
    />
  )
}

const invoiceColumns = (currency: string, today: string): readonly Column<ClaimInvoice>[] => [
  {
    id: 'number',
    head: t('invoice.invoice'),
    inRow: 'title',
    cell: ({ invoiceNumber }) => invoiceNumber,
  },
  {
    id: 'what',
    head: t('invoice.for'),
    inRow: 'below',
    cell: ({ rows }) => rows[0]?.description ?? '',
  },
  {
    id: 'due',
    head: t('invoice.due'),
    inRow: 'below',
    cell: ({ expireDate }) => dayText(expireDate, today),
  },
  {
    id: 'moved',
    head: t('claim.moved'),
    align: 'end',
    look: 'strong',
    inRow: 'amount',
    cell: ({ transferred }) => <Figure minor={minorOf(transferred.total)} currency={currency} />,
  },
]

function ClaimInvoices({ claim: { id, currency, dates } }: { claim: Claim }) {
  const found = useQuery(claimInvoicesQuery(id))
  if (found.isError) return <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
  return (
    <DataTable
      label={t('claim.invoices')}
      columns={invoiceColumns(currency, dates.today)}
      rows={found.data ?? []}
      idOf={(invoice) => invoice.id}
      hrefOf={(invoice) => hashOf({ view: 'invoices', id: invoice.id })}
      nameOf={({ invoiceNumber }) => invoiceNumber}
    />
  )
}
