/**
 * Tasks: what needs a person. Every feature makes and ends its tasks through this file, in the transaction of the fact that
 * causes or solves them.
 */
import { TASK_KINDS, type TaskKind } from '@kvitt/domain/tasks/task-kind.ts'
import type { Clock } from '../platform/clock.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import type { Measure } from '../platform/measures/measures.ts'
import {
  countOpenTaskRows,
  endTaskRows,
  endUnderRows,
  insertTaskRows,
  isTaskRowOpen,
  moveTaskRow,
  readTaskIdsEnding,
  reopenTaskRows,
  sendTaskEndRows,
  sendTaskRows,
  type EndedTasks,
  type NewTask,
} from './tasks.queries.ts'

export { inBatches } from './batches.ts'
export { BANK_LINE_MATTER, endsUnmet, LAPSE_MATTER, MAIL_MATTER, OUTSIDE_DAILY_RUNS } from './ends-unmet.ts'
export {
  insertNoteRow as insertNote,
  lockKept,
  readNotes,
  updateKept,
  type Kept,
  type TaskKey,
} from './kept-tasks.queries.ts'
export { quarantine } from './quarantine.ts'
export {
  endingTasks,
  idIn,
  listTaskRows as listTasks,
  readTaskRow as readTask,
  tasksOf,
  type NewTask,
  type TaskRow,
} from './tasks.queries.ts'

/**
 * Makes a task, once for its cause. One that had ended by itself opens again when the cause is back; one that a person has
 * decided stays done. Answers whether it is new or open again. Asked again while it is open, it notes that the cause was met.
 */
export async function openTask(db: Connection, task: NewTask): Promise<boolean> {
  return (await insertTaskRows(db, [task])).length === 1
}

/** As openTask, many in one statement. Answers the `about` of those that are new or open again. */
export function openTasks(db: Connection, tasks: readonly NewTask[]): Promise<string[]> {
  return insertTaskRows(db, tasks)
}

/** As openTasks, in a statement that the transaction does not wait for. */
export function sendTasks(tx: Transaction, tasks: readonly NewTask[]): void {
  sendTaskRows(tx, tasks)
}

/** As openTasks; opens also again what a person had done. */
export function reopenTasks(db: Connection, tasks: readonly NewTask[]): Promise<string[]> {
  return reopenTaskRows(db, tasks)
}

/** Ends a task, because its cause is gone. Answers whether it was open. */
export async function endTask(db: Connection, task: Omit<NewTask, 'details'>): Promise<boolean> {
  const { instanceId, kind, about } = task
  return (await endTaskRows(db, { instanceId, kind, abouts: [about] })).length === 1
}

/** The time to act on an open task counts from another day, such as when more of it was asked for. */
export function moveTask(
  db: Connection,
  task: Omit<NewTask, 'details' | 'madeOn'> & { readonly madeOn: string },
): Promise<void> {
  return moveTaskRow(db, task)
}

/** Ends many tasks of one kind. Answers the `about` of those that were open. */
export function endTasks(db: Connection, tasks: EndedTasks): Promise<string[]> {
  return endTaskRows(db, tasks)
}

/** Ends what is open of several kinds about one cause, in a statement that the transaction does not wait for. */
export function sendTaskEnds(
  tx: Transaction,
  ended: { readonly instanceId: string; readonly kinds: readonly TaskKind[]; readonly about: string },
): void {
  sendTaskEndRows(tx, ended)
}

/** Ends what is open of a kind about whatever begins with `under`, such as all contradictions of one payment. */
export function endTasksUnder(
  db: Connection,
  tasks: { readonly instanceId: string; readonly kind: TaskKind; readonly under: string },
): Promise<void> {
  return endUnderRows(db, tasks)
}

/** Whether the task was made and nobody has solved it yet. */
export function isTaskOpen(db: Connection, task: Omit<NewTask, 'details'>): Promise<boolean> {
  return isTaskRowOpen(db, task)
}

const OPERATORS = (Object.keys(TASK_KINDS) as TaskKind[]).filter(
  (kind) => TASK_KINDS[kind].solver === 'operator',
)

/** How many files of accounts are asked for that daily runs go on without, of all instances. */
export async function countMissingFiles(db: Connection, clock: Clock): Promise<number> {
  return (await countOpenTaskRows(db, ['bank_file_missing'], clock.now())).open
}

export const TASK_MEASURES: readonly Measure[] = [
  {
    name: 'kvitt_operator_tasks_open',
    help: 'Matters that a person must look at now',
    count: async (db, clock) => {
      const { open, aside } = await countOpenTaskRows(db, OPERATORS, clock.now())
      return open - aside
    },
  },
  {
    name: 'kvitt_operator_tasks_aside',
    help: 'Matters that a person has put aside until a day to come',
    count: async (db, clock) => (await countOpenTaskRows(db, OPERATORS, clock.now())).aside,
  },
  {
    name: 'kvitt_bank_files_missing',
    help: 'Files of accounts that nights go on without',
    count: countMissingFiles,
  },
]

/** The id of the instance's task whose id ends so, or why there is none to name. */
export async function findTaskEnding(
  db: Connection,
  named: { readonly instanceId: string; readonly ending: string },
): Promise<{ readonly id: string } | 'none' | 'several'> {
  const [id, other] = await readTaskIdsEnding(db, named)
  if (id === undefined) return 'none'
  return other === undefined ? { id } : 'several'
}
