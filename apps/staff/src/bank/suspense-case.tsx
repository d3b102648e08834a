import { failureText } from '@kvitt/office/calls.ts'
import { Panel } from '@kvitt/office/frame/panel.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeButton, OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Facts } from '../shell/facts.tsx'
import { useRight } from '../shell/me.ts'
import { t } from '../text.ts'
import {
  caseQuery,
  placeMoney,
  previewQuery,
  reloadMoney,
  sendMoneyBack,
  type Candidate,
  type SuspendedCase,
  type Target,
} from './bank-calls.ts'
import css from './bank.module.css'
import { Candidates } from './candidates.tsx'
import { EnterMoney } from './enter-money.tsx'
import { Postings } from '../shell/postings/postings.tsx'
import { NamedTwice } from './paid-twice.tsx'
import { TakeBack } from './take-back.tsx'
import { EMPTY_PARTS, SplitParts, targetOfParts, type TypedPart } from './split-parts.tsx'

type CaseProps = {
  id: string
  place?: string
  /** Beside the decision, such as who looks after it. */
  beside?: ReactNode
  onClose: () => void
  onDone: () => void
}

/** Money that nobody could place: what it says, where it may belong, and what placing it would book. */
export function SuspenseCase({ id, place, beside, onClose, onDone }: CaseProps) {
  const found = useQuery(caseQuery(id))
  const may = useRight('bank_files')
  const one = found.data
  const along = { onClose, ...(place === undefined ? {} : { place }) }
  if (!one)
    return (
      <Panel kind={t('view.suspense')} title={t('view.suspense')} {...along}>
        {found.isError ? (
          <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <ListWaiting rows={4} />
        )}
      </Panel>
    )
  const title = one.payer ?? t('bank.payer_unnamed')
  const isOpen = one.status === 'SUSPENSE' && one.kind === 'PAYMENT'
  const isProposed = one.status === 'SUSPENSE' && one.proposal !== null
  return (
    <Panel kind={t('view.suspense')} title={title} {...along}>
      <What one={one} />
      {isProposed && (
        <p>
          {t('bank.entry.proposed')}{' '}
          <OfficeLink href={hashOf({ view: 'proposals', id: one.proposal ?? '' })}>
            {t('todo.open_proposal')}
          </OfficeLink>
        </p>
      )}
      {isOpen && may && <Decide one={one} onDone={onDone} />}
      {one.isEnterable && may && !isProposed && one.isTwice && <NamedTwice one={one} onDone={onDone} />}
      {one.isEnterable && may && !isProposed && !one.isTwice && <EnterMoney one={one} onDone={onDone} />}
      {may && one.kind === 'DEDUCTION' && <TakeBack one={one} onDone={onDone} />}
      {beside}
    </Panel>
  )
}

function What({ one }: { one: SuspendedCase }) {
  const { amount, currency, bankDate, account, references, message, reason, on, batch, entry } = one
  return (
    <Facts
      rows={[
        {
          id: 'amount',
          name: t('act.amount'),
          value: <Figure minor={minorOf(amount)} currency={currency} />,
        },
        { id: 'why', name: t('bank.why'), value: reason && t(`bank.reason.${reason}`) },
        { id: 'reference', name: t('bank.reference'), value: references.join(', ') },
        { id: 'message', name: t('bank.message'), value: message },
        { id: 'account', name: t('bank.account'), value: `${account}, ${formatDay(bankDate, 'short')}` },
        { id: 'file', name: t('import.file'), value: batch.name },
        {
          id: 'entry',
          name: t('bank.entry'),
          value: entry && [t(`bank.entry.${entry.kind}`), entry.creditor?.name].filter(Boolean).join(', '),
        },
        {
          id: 'of',
          name: t('bank.entry.of'),
          value: entry?.file && (
            <a href={hashOf({ view: 'payouts', id: entry.file })}>{t('todo.open_payout')}</a>
          ),
        },
        { id: 'on', name: t('bank.booked'), value: on.map(({ number }) => number).join(', ') },
      ]}
    />
  )
}

const targetOf = ({ type, id }: Candidate): Target =>
  type === 'invoices' ? { invoice: id } : { collectionBatch: id }

/** One of the candidates, another invoice by its number, or several with their parts. */
function Decide({ one, onDone }: { one: SuspendedCase; onDone: () => void }) {
  const open = one.candidates.filter(({ refusal }) => refusal === null)
  const [chosen, setChosen] = useState(open[0]?.id ?? '')
  const [parts, setParts] = useState<readonly TypedPart[]>()
  const [number, setNumber] = useState('')
  const [key] = useState(() => crypto.randomUUID())
  const candidate = open.find(({ id }) => id === chosen)
  const typed: Target | undefined = number.trim() === '' ? undefined : { invoice: number.trim() }
  const target = parts ? targetOfParts(parts) : (typed ?? (candidate && targetOf(candidate)))
  const preview = useQuery(previewQuery(one.id, target))
  const after = () => {
    reloadMoney()
    onDone()
  }
  const placing = useMutation({
    mutationFn: (to: Target) => placeMoney(one.id, `${key} ${JSON.stringify(to)}`.slice(0, 200), to),
    meta: { done: t('bank.placed') },
    onSuccess: after,
  })
  const back = useMutation({
    mutationFn: () => sendMoneyBack(one.id, `${key} back`),
    meta: { done: t('bank.sent_back') },
    onSuccess: after,
  })
  const place = () => {
    if (target && preview.isSuccess && !placing.isPending) placing.mutate(target)
  }
  useKeys({
    ...Object.fromEntries(open.map(({ id }, at) => [String(at + 1), () => setChosen(id)])),
    'Ctrl+Enter': place,
  })
  return (
    <>
      {parts ? (
        <SplitParts parts={parts} onParts={setParts} />
      ) : (
        <>
          <Candidates one={one} chosen={typed ? '' : chosen} onChoose={setChosen} />
          <label className={css.field}>
            <span className={css.note}>{t('bank.another')}</span>
            <input
              className={css.input}
              value={number}
              onChange={(event) => setNumber(event.currentTarget.value)}
            />
          </label>
        </>
      )}
      {target && preview.isError && <MessageBox tone="bad">{failureText(preview.error)}</MessageBox>}
      {target && preview.data && <Postings preview={preview.data} currency={one.currency} />}
      <div className={css.line}>
        <OfficeButton
          look="primary"
          isBusy={placing.isPending}
          disabled={!target || !preview.isSuccess}
          onClick={place}
        >
          {t('bank.place')}
        </OfficeButton>
        <OfficeButton onClick={() => setParts(parts ? undefined : EMPTY_PARTS)}>
          {t(parts ? 'bank.one_debt' : 'bank.split')}
        </OfficeButton>
        <OfficeButton look="quiet" isBusy={back.isPending} onClick={() => back.mutate()}>
          {t('bank.send_back')}
        </OfficeButton>
      </div>
    </>
  )
}
