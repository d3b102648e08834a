import { ActDialog, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { Panel } from '@kvitt/office/frame/panel.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { report } from '@kvitt/office/messages/messages.ts'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeButton, OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/office/money-text.ts'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Facts } from '../shell/facts.tsx'
import { accountNumber, schemeName } from '../shell/account-number.ts'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { gatewayName } from '../shell/gateway-name.ts'
import { useRight } from '../shell/me.ts'
import { t } from '../text.ts'
import css from './refunds.module.css'
import { NotSent } from './not-ordered.tsx'
import {
  confirmRefund,
  recordRefund,
  refundQuery,
  reloadAll,
  sendRefund,
  type RefundCase as Refund,
} from './refund-calls.ts'
import { RefundChip } from './refund-chip.tsx'

type CaseProps = {
  id: string
  place?: string
  /** Beside the decision, such as who looks after it. */
  beside?: ReactNode
  onClose: () => void
  /** It is sent, or another has to decide: the next one opens. */
  onDone?: () => void
}

/** What is owed back: why, to whom, and the ways that it can go. */
export function RefundCase({ id, place, beside, onClose, onDone }: CaseProps) {
  const found = useQuery(refundQuery(id))
  const may = useRight('payouts')
  const one = found.data
  const along = { onClose, ...(place === undefined ? {} : { place }) }
  if (!one)
    return (
      <Panel kind={t('view.refunds')} title={t('view.refunds')} {...along}>
        {found.isError ? (
          <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <ListWaiting rows={4} />
        )}
      </Panel>
    )
  const title = one.debtor?.name ?? one.bankLine?.payer ?? t('bank.payer_unnamed')
  return (
    <Panel kind={t('view.refunds')} title={title} {...along}>
      <What one={one} />
      <Tries one={one} />
      <Files one={one} />
      {one.proposal && (
        <p>
          {t('refund.proposed')}{' '}
          <OfficeLink href={hashOf({ view: 'proposals', id: one.proposal })}>
            {t('todo.open_proposal')}
          </OfficeLink>
        </p>
      )}
      {may && one.proposal === null && <Acts one={one} onDone={onDone} />}
      {may && one.proposal === null && <NotSent one={one} />}
      {beside}
    </Panel>
  )
}

const sumOf = (amount: number, { currency }: Refund): string =>
  formatMoney(minorOf(amount), currency, currentLanguage())

const VIEWS = { invoices: 'invoices', 'collection-batches': 'claims' } as const

function What({ one }: { one: Refund }) {
  const { amount, left, currency, kind, since, debt, creditor, bankLine, transfer, status, account } = one
  const isPart = status === 'OWED' && minorOf(left) !== minorOf(amount)
  return (
    <Facts
      rows={[
        {
          id: 'amount',
          name: t('act.amount'),
          value: <Figure minor={minorOf(isPart ? left : amount)} currency={currency} />,
        },
        { id: 'of', name: t('refund.of'), value: isPart ? sumOf(amount, one) : undefined },
        { id: 'status', name: t('invoice.status'), value: <RefundChip status={status} /> },
        { id: 'why', name: t('bank.why'), value: t(`refund.kind.${kind}`) },
        {
          id: 'debt',
          name: t('todo.number'),
          value: debt && <a href={hashOf({ view: VIEWS[debt.type], id: debt.id })}>{debt.number}</a>,
        },
        { id: 'creditor', name: t('column.creditor'), value: creditor?.name },
        { id: 'since', name: t('refund.since'), value: formatDay(since) },
        {
          id: 'paid',
          name: t('refund.paid_by_bank'),
          value: bankLine && `${bankLine.payer ?? t('bank.payer_unnamed')}, ${formatDay(bankLine.bankDate)}`,
        },
        { id: 'account', name: t('refund.came_in'), value: bankLine?.account },
        {
          id: 'to',
          name: t('refund.account'),
          value:
            kind === 'creditor_refund'
              ? undefined
              : account
                ? `${schemeName(account.scheme)} ${accountNumber(account.scheme, account.number)}`
                : t('refund.account.unknown'),
        },
        { id: 'waits', name: t('refund.waits'), value: one.waits && t(`refund.waits.${one.waits}`) },
        { id: 'message', name: t('bank.message'), value: bankLine?.message },
        {
          id: 'ordered',
          name: t('refund.ordered'),
          value: transfer && `${sumOf(transfer.amount, one)}, ${formatDay(transfer.orderedOn)}`,
        },
        { id: 'left', name: t('refund.left'), value: transfer?.leftOn && formatDay(transfer.leftOn) },
      ]}
    />
  )
}

function Tries({ one }: { one: Refund }) {
  const { tries } = one
  if (tries.length === 0) return null
  return (
    <section className={css.tries}>
      <h3>{t('refund.tries')}</h3>
      <ul>
        {tries.map((tried) => (
          <li key={tried.id}>
            {sumOf(tried.amount, one)}, {formatDay(tried.at.slice(0, 10))}: {t(`refund.try.${tried.status}`)}
            {tried.failure === null ? '' : ` (${tried.failure})`}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The files to the bank that it has been in, and the bank's words where it refused. */
function Files({ one }: { one: Refund }) {
  const { files } = one
  if (files.length === 0) return null
  return (
    <section className={css.tries}>
      <h3>{t('refund.files')}</h3>
      <ul>
        {files.map(({ file, executionDate, amount, status, reason, scheme, number }) => (
          <li key={`${file} ${executionDate}`}>
            <a href={hashOf({ view: 'payouts', id: file })}>{formatDay(executionDate)}</a>:{' '}
            {sumOf(amount, one)}, {accountNumber(scheme, number)}, {t(`payout.status.${status}`)}
            {reason === null ? '' : ` (${reason})`}
          </li>
        ))}
      </ul>
    </section>
  )
}

type Act = {
  readonly id: string
  readonly label: string
  readonly text: string
  readonly isProposed: boolean
  readonly onCommit: (key: string) => Promise<Refund>
}

function actsOf(one: Refund): Act[] {
  const byHand = (isProposed: boolean): Act => ({
    id: 'bank',
    label: t(isProposed ? 'refund.propose' : 'refund.record'),
    text: t(isProposed ? 'refund.propose.text' : 'refund.record.text'),
    isProposed,
    onCommit: (key) => recordRefund(one.id, key),
  })
  const { id, kind, status, ways, transfer, needsAnother } = one
  // The payer has it already: it goes no way.
  if (one.waits === 'TAKEN_BACK') return []
  if (status === 'OWED' && kind !== 'send_back')
    return [
      ...ways.map(({ payment, gateway, most, paidOn, needsAnother: isProposed }) => ({
        id: payment,
        label: t('refund.send', { amount: sumOf(most, one), gateway: gatewayName(gateway) }),
        text: [
          t('refund.send.text', { gateway: gatewayName(gateway), day: formatDay(paidOn) }),
          isProposed ? t('refund.another') : '',
        ].join(' '),
        isProposed,
        onCommit: (key: string) => sendRefund(id, key, payment),
      })),
      kind === 'creditor_refund'
        ? {
            id: 'creditor',
            label: t('refund.creditor_sent'),
            text: t('refund.creditor_sent.text'),
            isProposed: false,
            onCommit: (key: string) => recordRefund(id, key),
          }
        : byHand(needsAnother),
    ]
  if (status === 'ENDED' || transfer === null || transfer.leftOn !== null) return []
  return [
    ...(status === 'OWED' ? [byHand(false)] : []),
    {
      id: 'confirm',
      label: t('refund.confirm'),
      text: t('refund.confirm.text'),
      isProposed: false,
      onCommit: (key: string) => confirmRefund(id, key),
    },
  ]
}

/** The gateway may have refused it at once, and the limit may have been reached meanwhile. */
function tell({ proposal, status, tries }: Refund): void {
  if (proposal !== null) report('ok', t('proposal.proposed'))
  else if (status === 'OWED' && tries[0]?.status === 'FAILED') report('bad', t('refund.refused'))
  else report('ok', t('refund.done'))
}

/** What can be done about it, the way that it came first. */
function Acts({ one, onDone }: { one: Refund; onDone: (() => void) | undefined }) {
  const [open, setOpen] = useState<Act>()
  const acts = actsOf(one)
  if (acts.length === 0) return null
  const form = ({ label, text, isProposed }: Act): ActForm => ({
    title: label,
    consequence: text,
    fields: [],
    commit: isProposed ? t('proposal.propose') : label,
    done: t('refund.done'),
    // What has become of it says the answer.
    isSilent: true,
  })
  return (
    <div className={css.acts}>
      {acts.map((act, at) => (
        <OfficeButton key={act.id} look={at === 0 ? 'primary' : 'secondary'} onClick={() => setOpen(act)}>
          {act.label}
        </OfficeButton>
      ))}
      {open && (
        <ActDialog
          form={form(open)}
          onCommit={async (_, key) => {
            const after = await open.onCommit(key)
            tell(after)
            if (after.status !== 'OWED' || after.proposal !== null) onDone?.()
          }}
          remedyFor={remedyFor}
          onClose={() => {
            setOpen(undefined)
            reloadAll()
          }}
          onDone={() => {
            setOpen(undefined)
            reloadAll()
          }}
        />
      )}
    </div>
  )
}
