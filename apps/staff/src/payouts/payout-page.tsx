import { Bar } from '@kvitt/office/frame/bar.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeButton, OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatMoney } from '@kvitt/office/money-text.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { saveFile } from '@kvitt/ui/save-file.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRight } from '../shell/me.ts'
import { Facts } from '../shell/facts.tsx'
import { Hero } from '../shell/hero.tsx'
import { usePageName } from '../shell/use-page-name.ts'
import { accountNumber } from '../shell/account-number.ts'
import { t } from '../text.ts'
import { NotExecuted } from '../shell/postings/not-executed.tsx'
import { fetchPayout, payoutQuery, type PayoutOfFile } from './payout-calls.ts'
import { statesText } from './states-text.ts'

const TONES: Readonly<Record<PayoutOfFile['status'], ChipTone>> = {
  SENT: 'outline',
  ACCEPTED: 'accent',
  PAID: 'ok',
  REFUSED: 'bad',
  RETURNED: 'bad',
  NOT_EXECUTED: 'bad',
  PAID_TWICE: 'bad',
}

const nameOf = ({ creditor, receiverName }: PayoutOfFile): string => creditor?.name ?? receiverName

function whatOf({ settlement, refund }: PayoutOfFile): string {
  if (settlement) return t('settlement.of_number', { number: settlement.number })
  return t(`refund.kind.${refund?.kind ?? 'refund'}`)
}

const hrefOf = ({ settlement, refund }: PayoutOfFile): string =>
  settlement
    ? hashOf({ view: 'settlements', id: settlement.id })
    : hashOf({ view: 'refunds', id: refund?.id ?? '' })

const COLUMNS = (): readonly Column<PayoutOfFile>[] => [
  { id: 'name', head: t('payout.to'), inRow: 'title', cell: nameOf },
  { id: 'what', head: t('payout.what'), inRow: 'below', cell: whatOf },
  {
    id: 'account',
    head: t('proposal.name.account'),
    look: 'quiet',
    inRow: 'below',
    cell: ({ scheme, number, receiverName }) => `${receiverName}, ${accountNumber(scheme, number)}`,
  },
  {
    id: 'status',
    head: t('invoice.status'),
    inRow: 'below',
    cell: ({ status, reason, owedBack, currency }) => (
      <>
        <Chip tone={TONES[status]}>{t(`payout.status.${status}`)}</Chip> {reason}
        {owedBack !== null &&
          t('payout.owed_back', { amount: formatMoney(minorOf(owedBack), currency, currentLanguage()) })}
      </>
    ),
  },
  {
    id: 'amount',
    head: t('act.amount'),
    align: 'end',
    look: 'strong',
    inRow: 'amount',
    cell: ({ amount, currency }) => <Figure minor={minorOf(amount)} currency={currency} />,
  },
]

/** One file: what leaves with it, and what the bank says of each payout. */
export default function PayoutPage({ id }: { id: string }) {
  usePageName(t('view.payouts'))
  const found = useQuery(payoutQuery(id))
  const may = useRight('payouts')
  useKeys({ Escape: () => goTo(hashOf({ view: 'payouts' })) })
  const save = useMutation({
    mutationFn: () => fetchPayout(id),
    onSuccess: (file) => saveFile(file, `${id}.xml`),
  })
  const crumb = { href: hashOf({ view: 'payouts' }), text: t('view.payouts') }
  const one = found.data
  if (!one)
    return (
      <>
        <Bar title={t('payout.file')} crumb={crumb} />
        {found.isError ? (
          <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <ListWaiting />
        )}
      </>
    )
  const open = one.payouts.filter(({ isOpen }) => isOpen).map((payout) => payout.id)
  const { amount, currency, executionDate, from, messageId, proposedBy, approvedBy, payouts } = one
  return (
    <>
      <Bar
        title={t('payout.file')}
        crumb={crumb}
        actions={
          <>
            <OfficeButton look="primary" isBusy={save.isPending} onClick={() => save.mutate()}>
              {t('payout.download')}
            </OfficeButton>
            {may && open.length > 0 && one.proposal === null && (
              <NotExecuted file={id} rows={open} currency={currency} />
            )}
          </>
        }
      />
      <Hero label={t('payout.sum')} minor={minorOf(amount)} currency={currency} note={statesText(one)}>
        <Facts
          rows={[
            { id: 'kind', name: t('payout.kind'), value: t(`payout.kind.${one.kind}`) },
            { id: 'day', name: t('payout.day'), value: formatDay(executionDate) },
            { id: 'from', name: t('payout.from'), value: from },
            { id: 'people', name: t('payout.people'), value: `${proposedBy}, ${approvedBy}` },
            { id: 'name', name: t('payout.name'), value: messageId },
          ]}
        />
      </Hero>
      {one.proposal !== null && (
        <p>
          {t('payout.not_executed.proposed')}{' '}
          <OfficeLink href={hashOf({ view: 'proposals', id: one.proposal })}>
            {t('todo.open_proposal')}
          </OfficeLink>
        </p>
      )}
      <DataTable
        label={t('payout.file')}
        columns={COLUMNS()}
        rows={payouts}
        idOf={(payout) => payout.id}
        hrefOf={hrefOf}
        nameOf={nameOf}
      />
    </>
  )
}
