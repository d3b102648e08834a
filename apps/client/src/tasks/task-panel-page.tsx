import { staffCall } from '@kvitt/office/calls.ts'
import { Panel } from '@kvitt/office/frame/panel.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeButton, OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { useMutation } from '@tanstack/react-query'
import { api, queries } from '../calls.ts'
import { DisputeCase } from '../disputes/dispute-case.tsx'
import { Facts } from '../shell/facts.tsx'
import { useMe, useRight } from '../shell/me.ts'
import { t } from '../text.ts'
import { deedOf } from './task-groups.ts'
import type { Task } from './task-calls.ts'

type TaskPanelProps = {
  task: Task
  today: string
  place: string
  onClose: () => void
  /** The case is solved: the next one opens. */
  onDone: () => void
}

/** One task with what solves it. */
export function TaskPanel({ task, today, place, onClose, onDone }: TaskPanelProps) {
  const may = useRight('answer')
  const { subject } = task
  if (subject.type === 'disputes') {
    return (
      <DisputeCase
        id={subject.id}
        today={today}
        place={place}
        beside={may && <Assign task={task} />}
        onClose={onClose}
        onDone={onDone}
      />
    )
  }
  const title = task.deadline
    ? t('todo.by', { day: formatDay(task.deadline, 'weekday') })
    : t(deedOf(task.kind))
  return (
    <Panel
      kind={t(deedOf(task.kind))}
      title={title}
      place={place}
      onClose={onClose}
      foot={may && <Assign task={task} />}
    >
      <p>{t(task.kind === 'schedule_ended' ? 'task.schedule_ended.text' : 'task.other.text')}</p>
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
      {subject.type === 'invoices' && (
        <div>
          <OfficeLink href={hashOf({ view: 'invoices', id: subject.id })}>
            {t('todo.open_invoice')}
          </OfficeLink>
        </div>
      )}
    </Panel>
  )
}

/** Whoever is here looks after it, or nobody in particular. */
function Assign({ task }: { task: Task }) {
  const { membership } = useMe()
  const isMine = task.assignee === membership.id
  const assign = useMutation({
    mutationFn: () =>
      api.ask(staffCall('POST', '/client/tasks/:id/assign', { id: task.id }), {
        body: { assignee: isMine ? null : membership.id },
      }),
    meta: { done: t(isMine ? 'todo.given_back' : 'todo.assigned') },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tasks'] }),
  })
  useKeys({ e: () => assign.mutate() })
  return (
    <OfficeButton cap="E" isBusy={assign.isPending} onClick={() => assign.mutate()}>
      {t(isMine ? 'todo.give_back' : 'todo.assign')}
    </OfficeButton>
  )
}
