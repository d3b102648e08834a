import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { ActDialog, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries } from '../calls.ts'
import { useMe } from '../shell/me.ts'
import { t } from '../text.ts'
import { taskQuery, type Task } from './task-calls.ts'
import css from './task-keeping.module.css'

const USUAL_DAYS = 3
/** As the server has it. */
const MOST_DAYS = 90
const LONGEST_NOTE = 1000

const reload = () => void queries.invalidateQueries({ queryKey: ['tasks'] })

/** Who looks after a task, when it is back, and what people have written beside it. */
export function TaskKeeping({ task, today }: { task: Task; today: string }) {
  const [open, setOpen] = useState<'snooze' | 'note'>()
  const isAside = task.state === 'SNOOZED'
  const back = useMutation({
    mutationFn: () => snooze(task.id, null),
    meta: { done: t('todo.back') },
    onSuccess: reload,
  })
  const mayPutAside = !isAside && (task.deadline === null || task.deadline > today)
  useKeys({ s: mayPutAside ? () => setOpen('snooze') : undefined })
  return (
    <>
      <Assign task={task} />
      {isAside && (
        <OfficeButton isBusy={back.isPending} onClick={() => back.mutate()}>
          {t('todo.bring_back')}
        </OfficeButton>
      )}
      {mayPutAside && (
        <OfficeButton cap="S" onClick={() => setOpen('snooze')}>
          {t('todo.snooze')}
        </OfficeButton>
      )}
      <OfficeButton onClick={() => setOpen('note')}>{t('todo.notes')}</OfficeButton>
      {open === 'snooze' && (
        <ActDialog
          form={snoozeForm(task, today)}
          onCommit={({ until = '' }) => snooze(task.id, until)}
          onClose={() => setOpen(undefined)}
          onDone={() => {
            setOpen(undefined)
            reload()
          }}
        />
      )}
      {open === 'note' && <NoteDialog task={task} onClose={() => setOpen(undefined)} />}
    </>
  )
}

const snooze = (id: string, until: string | null): Promise<unknown> =>
  api.ask(staffCall('POST', '/client/tasks/:id/snooze', { id }), { body: { until } })

/** Never out of sight on its last day. */
function snoozeForm({ deadline }: Task, today: string): ActForm {
  const first = addDays(today as CalendarDate, 1)
  const farthest = addDays(today as CalendarDate, MOST_DAYS)
  const last = deadline !== null && deadline < farthest ? deadline : farthest
  const usual = addDays(today as CalendarDate, USUAL_DAYS)
  return {
    title: t('todo.snooze'),
    consequence: t('todo.snooze.text'),
    fields: [
      {
        name: 'until',
        type: 'date',
        look: 'date',
        label: t('act.until'),
        mandatory: true,
        min: first,
        max: last,
        initial: usual < last ? usual : last,
        check: (value) => {
          if (value < first) return t('act.date_too_soon', { day: first })
          return value > last ? t('act.date_too_late', { day: last }) : undefined
        },
      },
    ],
    commit: t('todo.snooze'),
    done: t('todo.snoozed'),
  }
}

/** What has been written, and a line more. */
function NoteDialog({ task: { id }, onClose }: { task: Task; onClose: () => void }) {
  const notes = useQuery(taskQuery(id)).data?.notes ?? []
  return (
    <ActDialog
      form={{
        title: t('todo.notes'),
        consequence: t('todo.notes.text'),
        more: notes.length > 0 && (
          <ul className={css.notes}>
            {notes.map(({ text, by, at }) => (
              <li key={at}>
                <span className={css.by}>
                  {by}, {formatDay(at.slice(0, 10), 'short')}
                </span>
                {text}
              </li>
            ))}
          </ul>
        ),
        fields: [
          {
            name: 'text',
            type: 'text',
            look: 'area',
            label: t('todo.note'),
            mandatory: true,
            check: (value) =>
              value.trim().length > LONGEST_NOTE
                ? t('field.tooLongValidError', { max: LONGEST_NOTE })
                : undefined,
          },
        ],
        commit: t('todo.note.commit'),
        done: t('todo.noted'),
      }}
      onCommit={({ text = '' }) =>
        api.ask(staffCall('POST', '/client/tasks/:id/note', { id }), { body: { text: text.trim() } })
      }
      onClose={onClose}
      onDone={() => {
        onClose()
        reload()
      }}
    />
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
    onSuccess: reload,
  })
  useKeys({ e: () => assign.mutate() })
  return (
    <OfficeButton cap="E" isBusy={assign.isPending} onClick={() => assign.mutate()}>
      {t(isMine ? 'todo.give_back' : 'todo.assign')}
    </OfficeButton>
  )
}
