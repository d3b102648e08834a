/** `npm run task -- [--kind K] [--task ID [--do ACT --reason TEXT]]`: what needs a person, and what was decided about it. */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { parseAmount } from '@kvitt/domain/money.ts'
import { TASK_ACTS, TASK_GUIDES, type TaskAct } from '@kvitt/domain/tasks/task-acts.ts'
import { deadlineOf, isTaskKind, TASK_KINDS, type TaskKind } from '@kvitt/domain/tasks/task-kind.ts'
import { DecisionRefused } from '../src/collection/collection.ts'
import { readId, readOptions } from './command-options.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { findProvider, reading, runCommand, type CommandContext } from './run-command.ts'
import { decideTask, keepTask, TaskRefused, type Keeping } from '../src/task-desk/task-desk.ts'
import { findTaskEnding, listTasks, readNotes, readTask, type TaskRow } from '../src/tasks/tasks.ts'

const USAGE =
  'Usage: npm run task -- [--provider ALIAS] [--json] [--kind KIND] [--all] [--task ID [--do ACT --reason TEXT [--amount A] | --assign NAME | --snooze DAY | --note TEXT]]'
const HELP = `${USAGE}

Without options: lists what needs a person, of every provider, the oldest first. With --task: shows one task and what can be
done about it. With --do as well: does it, writes down who did it and why, and ends the task. The same again changes nothing.

  --kind KIND      lists one kind only
  --all            lists also what is put aside
  --json           one line of JSON for each task
  --task ID        the task, as the list names it: its id, or the end of it
  --do ACT         ${TASK_ACTS.join(', ')}; the task says which it takes
  --reason TEXT    why. To a dispute it is the answer that the debtor gets
  --amount A       of a dispute that is upheld in part: how much is credited, such as 100.00
  --assign NAME    who looks after it; "nobody" for nobody in particular
  --snooze DAY     puts it aside until that day, such as 2026-12-01, on which it is in the list again, its last day at the
                   latest; "no" for now
  --note TEXT      writes something beside it, which --task shows
  --help           this text

Exit status: 0, or 2 when nothing was done.
`

const OPTIONS = {
  kind: { type: 'string' },
  json: { type: 'boolean' },
  task: { type: 'string' },
  do: { type: 'string' },
  reason: { type: 'string' },
  amount: { type: 'string' },
  all: { type: 'boolean' },
  assign: { type: 'string' },
  snooze: { type: 'string' },
  note: { type: 'string' },
} as const

type Wishes = {
  readonly isJson: boolean
  /** Also what is put aside. */
  readonly isWhole: boolean
  readonly keeping: Keeping | undefined
  readonly kind: TaskKind | null
  readonly taskId: string | undefined
  readonly done:
    | { readonly act: TaskAct; readonly reason: string; readonly amount: string | undefined }
    | undefined
}

function readKind(kind: string | undefined): TaskKind | null {
  if (kind === undefined || isTaskKind(kind)) return kind ?? null
  throw new StartupError(`"${kind}" is no kind of task. There are ${Object.keys(TASK_KINDS).join(', ')}.`)
}

/** As many characters of an id's end as the list shows. */
const SHOWN = 8

function readEnding(task: string): string {
  const ending = task.trim().toLowerCase()
  return new RegExp(`^[0-9a-f]{${SHOWN},12}$`).test(ending) ? ending : readId(task, 'task', USAGE)
}

function readArguments(args: readonly string[]): Wishes {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const { json: isJson = false, all: isWhole = false, task, reason, amount, do: said } = values
  const kind = readKind(values.kind)
  if (task !== undefined && kind !== null) throw new StartupError(`Give --kind or --task. ${USAGE}`)
  const taskId = task === undefined ? undefined : readEnding(task)
  const keeping = keepingOf(values)
  if (keeping && taskId === undefined)
    throw new StartupError(`--assign, --snooze and --note need --task. ${USAGE}`)
  if (keeping && said !== undefined)
    throw new StartupError(`Give --do, --assign, --snooze or --note. ${USAGE}`)
  const asked = { isJson, isWhole, kind, taskId, keeping }
  if (said === undefined) {
    if (reason !== undefined || amount !== undefined)
      throw new StartupError(`--reason and --amount belong to --do. ${USAGE}`)
    return { ...asked, done: undefined }
  }
  const act = TASK_ACTS.find((one) => one === said)
  if (!act) throw new StartupError(`--do takes one of ${TASK_ACTS.join(', ')}. ${USAGE}`)
  if (taskId === undefined) throw new StartupError(`--do needs --task. ${USAGE}`)
  if (reason === undefined) throw new StartupError(`--do needs --reason: say why. ${USAGE}`)
  if (amount !== undefined && act !== 'uphold')
    throw new StartupError(`--amount belongs to --do uphold. ${USAGE}`)
  return { ...asked, done: { act, reason, amount } }
}

type Kept = { readonly [Name in 'assign' | 'snooze' | 'note']?: string }

/** One thing at a time: each is written down with who did it. */
function keepingOf({ assign, snooze, note }: Kept): Keeping | undefined {
  const wanted: Keeping[] = [
    ...(assign === undefined ? [] : [{ assignee: assign === 'nobody' ? null : assign }]),
    ...(snooze === undefined ? [] : [{ snoozedUntil: snooze === 'no' ? null : snooze }]),
    ...(note === undefined ? [] : [{ note }]),
  ]
  if (wanted.length > 1) throw new StartupError(`Give --do, --assign, --snooze or --note. ${USAGE}`)
  return wanted[0]
}

function deadline({ kind, made_on: madeOn, country }: TaskRow): CalendarDate | null {
  return deadlineOf(kind, date(madeOn), country)
}

/** Details are data of ours; what a bank or a payer wrote in them is shown in a terminal. */
const plain = (text: string): string => text.replaceAll(/\p{C}+/gu, ' ')

const isAside = ({ snoozed_until: until }: TaskRow, today: CalendarDate): boolean =>
  until !== null && until > today

function lineOf(task: TaskRow, today: CalendarDate): string {
  const last = deadline(task)
  const { clock } = TASK_KINDS[task.kind]
  const until = last === null ? (clock === 'at_once' ? 'at once' : 'no last day') : `until ${last}`
  const isLate = last !== null && last < today
  return [
    task.kind.padEnd(21),
    `${until}${isLate ? ' LATE' : ''}`.padEnd(21),
    `task ${task.id.slice(-SHOWN)}`,
    ...(task.assignee === null ? [] : [`for ${plain(task.assignee)}`]),
    ...(isAside(task, today) ? [`aside until ${task.snoozed_until}`] : []),
    task.alias,
    plain(task.about),
    plain(JSON.stringify(task.details)),
  ].join('  ')
}

function jsonOf(task: TaskRow): string {
  const { id, alias, kind, about, details, made_on: madeOn, done_at: doneAt, done_by: doneBy } = task
  const { assignee, snoozed_until: snoozedUntil } = task
  const { solver } = TASK_KINDS[kind]
  const { acts } = TASK_GUIDES[kind]
  const shown = {
    id,
    provider: alias,
    kind,
    about,
    details,
    solver,
    madeOn,
    deadline: deadline(task),
    assignee,
    snoozedUntil,
    doneAt,
    doneBy,
    acts,
  }
  return JSON.stringify(shown)
}

const say = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`)

async function list(context: CommandContext, { isJson, isWhole, kind }: Wishes): Promise<void> {
  const instanceId = context.provider === undefined ? null : (await findProvider(context)).id
  const all = await reading(context.db, (tx) => listTasks(tx, { instanceId, kind }))
  const tasks = all.filter((task) => isWhole || !isAside(task, context.clock.today(task.time_zone)))
  const aside = all.length - tasks.length
  if (isJson) return tasks.length === 0 ? undefined : say(tasks.map(jsonOf))
  say([
    ...tasks.map((task) => lineOf(task, context.clock.today(task.time_zone))),
    `${tasks.length} open${aside === 0 ? '' : `, ${aside} put aside`}`,
  ])
}

function describe(task: TaskRow, today: CalendarDate): string[] {
  const { acts, advice } = TASK_GUIDES[task.kind]
  if (task.done_at !== null)
    return [
      lineOf(task, today),
      `done ${task.done_at}${task.done_by === null ? ', by itself' : ` by ${task.done_by}`}`,
    ]
  const takes = acts.length === 0 ? [] : [`takes --do ${acts.join(' | ')}, with --reason TEXT`]
  return [lineOf(task, today), advice, ...takes]
}

async function show(context: CommandContext, wishes: Wishes, id: string): Promise<void> {
  const { id: instanceId } = await findProvider(context)
  const [task, notes] = await reading(context.db, async (tx) => [
    await readTask(tx, { instanceId, id }),
    await readNotes(tx, { instanceId, id }),
  ])
  if (!task) throw new StartupError(`The provider has no task ${id}. Name another provider with --provider.`)
  if (wishes.isJson) return say([jsonOf(task)])
  const written = notes.map(({ noted_at: at, noted_by: by, text }) => `${at}  ${by}  ${plain(text)}`)
  say([...describe(task, context.clock.today(task.time_zone)), ...written])
}

async function decide(context: CommandContext, wishes: Wishes, taskId: string): Promise<void> {
  const { id: instanceId } = await findProvider(context)
  const { act = 'settled', reason = '', amount } = wishes.done ?? {}
  const amountMinor = amount === undefined ? undefined : parseAmount(amount, 'SEK')?.minor
  if (amount !== undefined && amountMinor === undefined)
    throw new StartupError(`"${amount}" is no amount. ${USAGE}`)
  try {
    const task = await decideTask(context, { instanceId, taskId, act, reason, by: context.by, amountMinor })
    say(wishes.isJson ? [jsonOf(task)] : describe(task, context.clock.today(task.time_zone)))
  } catch (error) {
    if (!(error instanceof TaskRefused || error instanceof DecisionRefused)) throw error
    throw new StartupError(error.message)
  }
}

async function keep(context: CommandContext, wishes: Wishes, id: string): Promise<void> {
  const { id: instanceId } = await findProvider(context)
  const { keeping } = wishes
  try {
    if (keeping) await keepTask(context, { instanceId, id }, { keeping, by: context.by })
  } catch (error) {
    if (!(error instanceof TaskRefused)) throw error
    throw new StartupError(error.message)
  }
  await show(context, wishes, id)
}

/** The whole id of the task whose id ends so. */
async function findTask(context: CommandContext, ending: string): Promise<string> {
  const { id: instanceId } = await findProvider(context)
  const found = await findTaskEnding(context.db, { instanceId, ending })
  if (found === 'several')
    throw new StartupError(`More than one task ends in ${ending}: give the whole id, which --json tells.`)
  if (found === 'none')
    throw new StartupError(`The provider has no task ${ending}. Name another provider with --provider.`)
  return found.id
}

async function work(context: CommandContext, wishes: Wishes): Promise<number> {
  const { taskId, done, keeping } = wishes
  if (taskId === undefined) await list(context, wishes)
  else await (done ? decide : keeping ? keep : show)(context, wishes, await findTask(context, taskId))
  return 0
}

await runCommand({ help: HELP, readArguments, work })
