import { CURRENCIES } from '@kvitt/domain/money.ts'
import { failureText } from '@kvitt/office/calls.ts'
import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { Bar } from '@kvitt/office/frame/bar.tsx'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ListFoot } from '@kvitt/office/list/list-foot.tsx'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { useListState, useRowKeys } from '@kvitt/office/list/use-list.ts'
import { report } from '@kvitt/office/messages/messages.ts'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useRight } from '../shell/me.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { payoutsQuery, proposePayouts, reloadAll, sendAnswer, type PayoutFile } from './payout-calls.ts'
import css from './payouts.module.css'
import { statesText } from './states-text.ts'

const COLUMNS = (): readonly Column<PayoutFile>[] => [
  {
    id: 'day',
    head: t('payout.day'),
    inRow: 'title',
    orderBy: 'madeAt',
    cell: ({ executionDate }) => formatDay(executionDate, 'short'),
  },
  { id: 'kind', head: t('payout.kind'), inRow: 'below', cell: ({ kind }) => t(`payout.kind.${kind}`) },
  { id: 'from', head: t('payout.from'), look: 'quiet', cell: ({ from }) => from },
  {
    id: 'people',
    head: t('payout.people'),
    inRow: 'below',
    look: 'quiet',
    cell: ({ proposedBy, approvedBy }) => `${proposedBy}, ${approvedBy}`,
  },
  { id: 'states', head: t('invoice.status'), inRow: 'below', cell: statesText },
  {
    id: 'amount',
    head: t('act.amount'),
    orderBy: 'amount',
    align: 'end',
    look: 'strong',
    inRow: 'amount',
    cell: ({ amount, currency }) => <Figure minor={minorOf(amount)} currency={currency} />,
  },
]

/** Files of payouts, the newest first; what is approved is put in a new one, and the bank's answers are taken in. */
export default function PayoutsPage() {
  usePageName(t('view.payouts'))
  const { query, change, sort } = useListState()
  const found = useQuery(payoutsQuery(query))
  const may = useRight('payouts')
  const [isPreparing, setIsPreparing] = useState(false)
  const rows = found.data?.items ?? []
  const hrefOf = (id: string): string => hashOf({ view: 'payouts', id })
  const currentId = useRowKeys({ ids: rows.map(({ id }) => id), hrefOf })
  return (
    <>
      <Bar
        title={t('view.payouts')}
        actions={
          may && (
            <OfficeButton look="primary" onClick={() => setIsPreparing(true)}>
              {t('payouts.prepare')}
            </OfficeButton>
          )
        }
      />
      {may && <AnswerUpload />}
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={3} />}
      {found.data && rows.length === 0 && <NothingLeft title={t('payouts.none')} />}
      {rows.length > 0 && (
        <DataTable
          label={t('view.payouts')}
          columns={COLUMNS()}
          rows={rows}
          idOf={({ id }) => id}
          hrefOf={({ id }) => hrefOf(id)}
          nameOf={({ messageId }) => messageId}
          query={query}
          onSort={sort}
          currentId={currentId}
        />
      )}
      {found.data && (
        <ListFoot query={query} total={found.data.total} label={t('view.payouts')} onChange={change} />
      )}
      {isPreparing && <Prepare onClose={() => setIsPreparing(false)} />}
    </>
  )
}

/** Proposes a file; somebody else approves it, and then it is made. */
function Prepare({ onClose }: { onClose: () => void }) {
  return (
    <ActDialog
      form={{
        title: t('payouts.prepare'),
        consequence: t('payouts.prepare.text'),
        fields: [
          {
            name: 'currency',
            type: 'text',
            look: 'choice',
            label: t('proposal.name.currency'),
            mandatory: true,
            initial: 'SEK',
            choices: CURRENCIES.map((currency) => ({ value: currency, text: currency })),
          },
        ],
        commit: t('proposal.propose'),
        done: t('proposal.proposed'),
      }}
      onCommit={async ({ currency = '' }) => {
        const { id } = await proposePayouts(currency)
        goTo(hashOf({ view: 'proposals', id }))
      }}
      onClose={onClose}
      onDone={() => {
        onClose()
        reloadAll()
      }}
    />
  )
}

/** The bank's answer is chosen, and what it says stands at each payout. */
function AnswerUpload() {
  const field = useRef<HTMLInputElement>(null)
  const send = useMutation({
    mutationFn: sendAnswer,
    meta: { isSilent: true },
    onSuccess: ({ file, accepted, refused, late, duplicate }) => {
      reloadAll()
      report('ok', t(duplicate ? 'payouts.answer.same' : 'payouts.answer.done', { accepted, refused }))
      if (late > 0) report('bad', t('payouts.answer.late', { n: late }))
      goTo(hashOf({ view: 'payouts', id: file }))
    },
  })
  return (
    <section className={css.part} aria-label={t('payouts.answer')}>
      {send.isError && (
        <MessageBox tone="bad" role="alert">
          {failureText(send.error)}
        </MessageBox>
      )}
      <div className={css.line}>
        <OfficeButton isBusy={send.isPending} onClick={() => field.current?.click()}>
          {t('payouts.answer')}
        </OfficeButton>
        <p className={css.note}>{t('payouts.answer.note')}</p>
      </div>
      <input
        ref={field}
        type="file"
        hidden
        aria-label={t('payouts.answer')}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) send.mutate(file)
          currentTarget.value = ''
        }}
      />
    </section>
  )
}
