import { Panel } from '@kvitt/office/frame/panel.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { SuspenseCase } from '../bank/suspense-case.tsx'
import { ConversationCase } from '../conversations/conversation-case.tsx'
import type { ReactNode } from 'react'
import { RestingNote } from '../debts/resting-note.tsx'
import { DisputeCase } from '../disputes/dispute-case.tsx'
import { RequestCase } from '../data-protection/request-case.tsx'
import { FlagCase } from '../flags/flag-case.tsx'
import { RefundCase } from '../refunds/refund-case.tsx'
import { Facts } from '../shell/facts.tsx'
import { useRight } from '../shell/me.ts'
import { isAdmin } from '../shell/portal.ts'
import { t, type MessageId } from '../text.ts'
import { deedOf } from './task-groups.ts'
import { REFUND_KINDS } from '@kvitt/domain/refunds/refund.ts'
import { CREDITOR_TASKS, EXPLAINED, SETTLED_BY_HAND } from '@kvitt/domain/tasks/task-kind.ts'
import { SettleTask, TaskCause } from './settle-task.tsx'
import type { Task } from './task-calls.ts'
import { TaskForm } from './task-forms-page.tsx'
import { TaskKeeping } from './task-keeping.tsx'

type TaskPanelProps = {
  task: Task
  today: string
  /** Of what rests there is none: it stands in no list. */
  place?: string
  onClose: () => void
  /** The case is solved: the next one opens. */
  onDone: () => void
}

type CaseProps = {
  id: string
  today: string
  place: string
  beside: ReactNode
  onClose: () => void
  onDone: () => void
}
type TaskCase = { readonly Case: (props: CaseProps) => ReactNode; readonly id: string }

/** What has a case of its own, in which it is answered. */
function caseOf({ id, kind, subject, amount }: Task): TaskCase | undefined {
  if (subject.type === 'disputes') return { Case: DisputeCase, id: subject.id }
  if (subject.type === 'conversations') return { Case: ConversationCase, id: subject.id }
  if (!isAdmin) return undefined
  if (subject.type === 'debtor-flags') return { Case: FlagCase, id: subject.id }
  if (subject.type === 'data-requests') return { Case: RequestCase, id: subject.id }
  // What the bank took back is settled elsewhere, and of a doubtful day the line has long been placed.
  const isSuspense = kind === 'bank_line' && subject.type === 'bank-lines'
  if (isSuspense && minorOf(amount ?? 0) >= 0) return { Case: SuspenseCase, id: subject.id }
  return (REFUND_KINDS as readonly string[]).includes(kind) ? { Case: RefundCase, id } : undefined
}

/** What is said of a task that has no case. */
const TEXTS: Readonly<Partial<Record<string, MessageId>>> = {
  schedule_ended: 'task.schedule_ended.text',
  import_with_errors: 'task.import_with_errors.text',
  webhook_off: 'task.webhook_off.text',
  bank_line: 'task.bank_line.text',
  payment_contradiction: 'task.payment_contradiction.text',
  refund_contradiction: 'task.refund_contradiction.text',
  payment_unsettled: 'task.payment_unsettled.text',
  bank_file_gap: 'task.bank_file_gap.text',
  bank_file_refused: 'task.bank_file_refused.text',
  bank_day_doubtful: 'task.bank_day_doubtful.text',
  restate_by_hand: 'task.restate_by_hand.text',
  work_stuck: 'task.work_stuck.text',
  proposal: 'task.proposal.text',
  settlement_to_approve: 'task.settlement_to_approve.text',
  payout_to_confirm: 'task.payout_to_confirm.text',
  payout_refused: 'task.payout_refused.text',
  paid_twice: 'task.paid_twice.text',
  advance_wanted: 'task.advance_wanted.text',
  mail_undeliverable: 'task.mail_undeliverable.text',
  creditor_refund: 'task.creditor_refund.text',
  account_files_unset: 'task.account_files_unset.text',
  bank_file_missing: 'task.bank_file_missing.text',
  refund_failed: 'task.refund_failed.text',
  refund_late: 'task.refund_late.text',
  debtor_flagged: 'task.debtor_flagged.text',
  data_request: 'task.data_request.text',
  court_to_file: 'task.court_to_file.text',
  payment_late: 'task.payment_late.text',
  payment_lost: 'task.payment_lost.text',
  clearing_late: 'task.clearing_late.text',
  account_holder_unset: 'task.account_holder_unset.text',
  audit_cut: 'task.audit_cut.text',
  rate_unknown: 'task.rate_unknown.text',
  ceiling_unknown: 'task.ceiling_unknown.text',
}

/** Where what a task is about is worked on. */
const OPENED: Readonly<
  Partial<Record<Task['subject']['type'], { readonly view: string; readonly text: MessageId }>>
> = {
  invoices: { view: 'invoices', text: 'todo.open_invoice' },
  'collection-batches': { view: 'claims', text: 'todo.open_claim' },
  imports: { view: 'imports', text: 'todo.open_import' },
  webhooks: { view: 'webhooks', text: 'todo.open_webhook' },
  proposals: { view: 'proposals', text: 'todo.open_proposal' },
  settlements: { view: 'settlements', text: 'todo.open_settlement' },
  payouts: { view: 'payouts', text: 'todo.open_payout' },
  outbox: { view: 'outbox', text: 'todo.open_message' },
  payments: { view: 'payments', text: 'todo.open_payment' },
}

/** What the bank took back: what it had paid is undone there. */
const OF_LINE = { view: 'suspense', text: 'todo.open_suspense' } as const

/** What is worked on where all of its sort stand. */
const OPENED_LIST: Readonly<
  Partial<Record<string, { readonly view: string; readonly id?: string; readonly text: MessageId }>>
> = {
  account_files_unset: { view: 'payment-batches', id: 'accounts', text: 'todo.open_accounts' },
  bank_file_missing: { view: 'payment-batches', id: 'accounts', text: 'todo.open_accounts' },
  account_holder_unset: { view: 'payment-batches', id: 'accounts', text: 'todo.open_accounts' },
  audit_cut: { view: 'audit', text: 'todo.open_audit' },
  work_stuck: { view: 'jobs', text: 'todo.open_jobs' },
  advance_wanted: { view: 'client-funds', text: 'todo.open_funds' },
  refund_failed: { view: 'refunds', text: 'todo.open_refunds' },
  refund_late: { view: 'refunds', text: 'todo.open_refunds' },
  rate_unknown: { view: 'country-parameters', text: 'todo.enter_figure' },
  ceiling_unknown: { view: 'country-parameters', text: 'todo.enter_figure' },
}

/** How it is solved. What no form solves yet, the night shift's handbook does. */
function textOf(kind: Task['kind']): string {
  const text = TEXTS[kind]
  if (text) return t(text)
  return isAdmin ? t('task.operator.text', { kind }) : t('task.other.text')
}

/** One task with what solves it. */
export function TaskPanel({ task, today, place, onClose, onDone }: TaskPanelProps) {
  const isOwn = !isAdmin || !(CREDITOR_TASKS as readonly string[]).includes(task.kind)
  const may = useRight('tasks') && isOwn
  const mayProve = useRight('client_funds')
  const mayAudit = useRight('audit')
  const maySettle = useRight('bank_files') && isAdmin && SETTLED_BY_HAND.includes(task.kind)
  const { subject } = task
  const own = caseOf(task)
  if (own) {
    const beside = may && <TaskKeeping task={task} today={today} />
    return (
      <own.Case
        id={own.id}
        today={today}
        place={place ?? ''}
        beside={beside}
        onClose={onClose}
        onDone={onDone}
      />
    )
  }
  const opened = task.kind === 'bank_line' ? OF_LINE : OPENED[subject.type]
  const mayOpen = (mayProve || task.kind !== 'advance_wanted') && (mayAudit || task.kind !== 'audit_cut')
  const list = isAdmin && mayOpen ? OPENED_LIST[task.kind] : undefined
  // What rests has its whole time anew once it goes on: the day of today is none.
  const title =
    task.deadline && task.state !== 'RESTING'
      ? t('todo.by', { day: formatDay(task.deadline, 'weekday') })
      : t(deedOf(task.kind))
  return (
    <Panel
      kind={t(deedOf(task.kind))}
      title={title}
      {...(place === undefined ? {} : { place })}
      onClose={onClose}
      foot={may && <TaskKeeping task={task} today={today} />}
    >
      {task.state === 'RESTING' ? (
        <RestingNote {...(task.debtor ? { debtorId: task.debtor.id } : {})} />
      ) : (
        <p>{textOf(task.kind)}</p>
      )}
      <Facts
        rows={[
          { id: 'who', name: t('invoice.debtor'), value: task.debtor?.name },
          { id: 'number', name: t('todo.number'), value: subject.number },
          {
            id: 'amount',
            name: t('act.amount'),
            value: task.amount !== null && task.currency !== null && (
              <Figure minor={minorOf(task.amount)} currency={task.currency} />
            ),
          },
        ]}
      />
      {isAdmin && EXPLAINED.includes(task.kind) && <TaskCause id={task.id} />}
      {task.state !== 'RESTING' && <TaskForm task={task} onDone={onDone} />}
      {list && (
        <div>
          <OfficeLink href={hashOf(list, list.view === 'country-parameters' ? { task: task.id } : {})}>
            {t(list.text)}
          </OfficeLink>
        </div>
      )}
      {opened && (
        <div>
          <OfficeLink href={hashOf({ view: opened.view, id: subject.id })}>{t(opened.text)}</OfficeLink>
        </div>
      )}
      {maySettle && <SettleTask task={task} onDone={onDone} />}
    </Panel>
  )
}
