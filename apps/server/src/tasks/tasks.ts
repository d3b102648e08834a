/**
 * Tasks: what needs a person. Every feature makes and ends its tasks through this file, in the transaction of the fact that
 * causes or solves them.
 */
import type { TaskKind } from '@kvitt/domain/tasks/task-kind.ts'
import type { Connection, Transaction } from '../platform/database.ts'
import {
  countOpenTaskRows,
  endTaskRows,
  insertTaskRows,
  isTaskRowOpen,
  reopenTaskRows,
  sendTaskEndRows,
  sendTaskRows,
  type NewTask,
} from './tasks.queries.ts'

export { inBatches } from './batches.ts'
export { setAside } from './set-aside.ts'
export { tasksOf, type NewTask } from './tasks.queries.ts'

/** Makes a task once for its cause. Answers false when it had been made before, open or done. */
export async function openTask(db: Connection, task: NewTask): Promise<boolean> {
  return (await insertTaskRows(db, [task])).length === 1
}

/** Makes many tasks in one statement, each once. Answers the `about` of the new ones. */
export function openTasks(db: Connection, tasks: readonly NewTask[]): Promise<string[]> {
  return insertTaskRows(db, tasks)
}

/** As openTasks, in a statement that the transaction does not wait for. */
export function sendTasks(tx: Transaction, tasks: readonly NewTask[]): void {
  sendTaskRows(tx, tasks)
}

/** Makes the tasks, and opens those again that were done: the cause is back. Answers the `about` of both. */
export function reopenTasks(db: Connection, tasks: readonly NewTask[]): Promise<string[]> {
  return reopenTaskRows(db, tasks)
}

/** Ends a task, because its cause is gone. Answers whether it was open. */
export async function endTask(db: Connection, task: Omit<NewTask, 'details'>): Promise<boolean> {
  const { instanceId, kind, about } = task
  return (await endTaskRows(db, { instanceId, kind, abouts: [about] })).length === 1
}

/** Ends many tasks of one kind. Answers the `about` of those that were open. */
export function endTasks(
  db: Connection,
  tasks: { readonly instanceId: string; readonly kind: TaskKind; readonly abouts: readonly string[] },
): Promise<string[]> {
  return endTaskRows(db, tasks)
}

/** Ends what is open of several kinds about one cause, in a statement that the transaction does not wait for. */
export function sendTaskEnds(
  tx: Transaction,
  ended: { readonly instanceId: string; readonly kinds: readonly TaskKind[]; readonly about: string },
): void {
  sendTaskEndRows(tx, ended)
}

/** Whether the task was made and nobody has solved it yet. */
export function isTaskOpen(db: Connection, task: Omit<NewTask, 'details'>): Promise<boolean> {
  return isTaskRowOpen(db, task)
}

/** How many tasks are open, of all instances. */
export function countOpenTasks(db: Connection): Promise<number> {
  return countOpenTaskRows(db)
}
