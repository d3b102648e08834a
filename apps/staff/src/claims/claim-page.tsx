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
import { ActList } from '../debts/act-list.tsx'
import { Block } from '../debts/block.tsx'
import { mostDaysOf, type DebtAct } from '../debts/debt-acts.ts'
import css from '../debts/debt-page.module.css'
import { Documents } from '../debts/documents.tsx'
import { Messages } from '../debts/messages.tsx'
import { RestingNote } from '../debts/resting-note.tsx'
import { Timeline } from '../debts/timeline.tsx'
import { Facts } from '../shell/facts.tsx'
import { MadeOf } from '../shell/made-of.tsx'
import { useMe } from '../shell/me.ts'
import { isAdmin } from '../shell/portal.ts'
import { stepText } from '../shell/steps.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { actsOnClaim } from './claim-acts.ts'
import {
  claimCourtQuery,
  claimDocumentsQuery,
  claimEventsQuery,
  claimInvoicesQuery,
  claimMessagesQuery,
  claimQuery,
  type Claim,
  type ClaimInvoice,
} from './claim-calls.ts'
import { ClaimCourtBlock } from './claim-court.tsx'
import { ClaimChip } from './claim-chip.tsx'

/** Why it rests: in somebody's words, or for what its debtor asks. */
function reasonText(reason: string | null): string | null {
  return reason === 'MORE_TIME' || reason === 'SAID_PAID' ? t(`conversation.kind.${reason}`) : reason
}

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
      <div className={css.columns}>
        <div className={css.left}>
          {claim.isResting && (
            <div className={css.note}>
              <RestingNote debtorId={claim.debtor.id} />
            </div>
          )}
          <section className={css.hero}>
            <ToPay claim={claim} />
            <ClaimFacts claim={claim} />
          </section>
          <ClaimInvoices claim={claim} />
          <ClaimCourtBlock
            claim={{
              id: claim.id,
              number: claim.collectionBatchNumber,
              currency: claim.currency,
              today: claim.dates.today,
            }}
          />
          <ClaimStory claim={claim} />
        </div>
        <div className={css.right}>
          <section className={css.made}>
            <MadeOf balances={claim.balances} asked={claim.totals.totalToPay} currency={claim.currency} />
          </section>
          <ClaimActs claim={claim} />
        </div>
      </div>
    </>
  )
}

function ToPay({ claim: { balances, currency, dates, status } }: { claim: Claim }) {
  return (
    <div>
      <p className={css.quiet}>{t(status === 'STOPPED' ? 'invoice.not_collected' : 'invoice.to_pay')}</p>
      <p>
        <Figure minor={minorOf(balances.total)} currency={currency} look="large" />
      </p>
      <p className={css.quiet}>
        {t(dates.expireDate < dates.today ? 'invoice.was_due' : 'invoice.is_due', {
          day: formatDay(dates.expireDate),
        })}
      </p>
    </div>
  )
}

function ClaimActs({ claim }: { claim: Claim }) {
  const { membership, rights } = useMe()
  const { id, collectionBatchNumber, debtor, dates, currency, balances } = claim
  const cost = useQuery(claimCourtQuery(id)).data?.cost ?? null
  const moreOf = (act: DebtAct) => act === 'apply-to-court' && <CourtCost cost={cost} currency={currency} />
  return (
    <ActList
      acts={actsOnClaim(claim, rights, cost)}
      moreOf={moreOf}
      debt={{
        number: collectionBatchNumber,
        name: debtor.name,
        today: dates.today,
        expireDate: dates.expireDate,
        currency,
        balances,
        creditable: 0,
        isForCreditor: isAdmin,
        mostDays: mostDaysOf(membership.role),
      }}
      path={`/client/collection-batches/${encodeURIComponent(id)}`}
    />
  )
}

/** What the authority takes, which the creditor lays out until the debt is paid. */
function CourtCost({ cost, currency }: { cost: number | null; currency: string }) {
  if (cost === null) return <p>{t('court.cost_unknown')}</p>
  return (
    <p>
      {t('court.cost')}: <Figure minor={minorOf(cost)} currency={currency} />
    </p>
  )
}

/** How it got here and what comes, its demand, and what the debtor was told. */
function ClaimStory({ claim: { id, dates, currency, nextStep, status } }: { claim: Claim }) {
  const coming = nextStep && {
    type: nextStep.type,
    date: nextStep.plannedDate,
    fee: 0,
    lastPayDate: null,
    isOnHold: status === 'PAUSED',
  }
  return (
    <>
      <Block title={t('story.title')} found={useQuery(claimEventsQuery(id))}>
        {(events) => (
          <Timeline events={events} coming={coming ? [coming] : []} today={dates.today} currency={currency} />
        )}
      </Block>
      <Block title={t('story.documents')} found={useQuery(claimDocumentsQuery(id))}>
        {(documents) => <Documents documents={documents} />}
      </Block>
      <Block title={t('story.messages')} found={useQuery(claimMessagesQuery(id))}>
        {(messages) => <Messages messages={messages} today={dates.today} />}
      </Block>
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
        { id: 'paused', name: t('claim.pause_reason'), value: reasonText(pauseReason) },
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
