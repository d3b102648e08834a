/** The closed list of kinds is the list of what the product makes: none more, none less. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { TASK_KINDS, type TaskKind } from '@kvitt/domain/tasks/task-kind.ts'

const SOURCES = fileURLToPath(new URL('..', import.meta.url))

/** Kinds that no line of the product makes, with why they are on the list all the same. */
const MADE_ELSEWHERE: Readonly<Partial<Record<TaskKind, string>>> = {}

/** What could make a task. */
const product = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('testing/'),
)
const texts = product.map((path) => readFileSync(`${SOURCES}/${path}`, 'utf8'))

/** What asks about tasks or ends them makes none. */
const OTHERS = /tasksOf|endingTasks|endTask|TaskEnds|endsUnmet|isTaskOpen|TASK_TO/
const lines = texts.flatMap((text) => text.split('\n')).filter((line) => !OTHERS.test(line))
const makes = (kind: string): boolean => lines.some((line) => line.includes(`'${kind}'`))

test('each kind is made somewhere, or listed with a reason', () => {
  const kinds = Object.keys(TASK_KINDS) as TaskKind[]
  expect(kinds.filter((kind) => !makes(kind))).toEqual(Object.keys(MADE_ELSEWHERE))
})

test('statements about tasks name no other kind', () => {
  const named = texts.flatMap((text) => [
    ...text.matchAll(/\b(?:tasksOf|endingTasks)\(\s*\[?\s*((?:'[a-z_]+'(?:,\s*)?)+)/g),
  ])
  const kinds = named.flatMap(([, list]) =>
    [...(list ?? '').matchAll(/'([a-z_]+)'/g)].map(([, kind]) => kind),
  )
  expect(kinds.length).toBeGreaterThan(5)
  expect(kinds.filter((kind) => kind !== 'all' && !Object.hasOwn(TASK_KINDS, kind ?? ''))).toEqual([])
})
