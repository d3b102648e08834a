/**
 * Nothing is repaired by hand in the database: what a person may change has a command, which says who did it. And whoever
 * is woken finds every alarm and every task on the page, and every link and command of it works.
 */
import { TASK_KINDS } from '@kvitt/domain/tasks/task-kind.ts'
import { expect, test } from 'vitest'
import { findLostCommands, findLostLinks, invariantsOf, sentencesOfLog } from './operations.ts'
import { isProduct, listProject, readProject } from './project.ts'

const project = readProject()
const paths = listProject()
const RUNBOOK = 'docs/operations.md'
const pages = project.filter(({ path }) => /^(docs\/(\w+|decisions\/[\w-]+)|[A-Z]+)\.md$/.test(path))
const read = (path: string): string => project.find((file) => file.path === path)?.text ?? ''

/** The statements of a page that write, as a person would copy them. Making the two roles of a database is no repair. */
function writes(page: string): string[] {
  const blocks = [...page.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, block]) => block ?? '')
  return blocks.flatMap(
    (block) => block.match(/\b(?:update\s+\w+\s+set|insert\s+into|delete\s+from|truncate)\b/gi) ?? [],
  )
}

test('the rule sees a statement that writes, and lets one pass that reads', () => {
  expect(writes('```sql\nupdate task set done_at = now();\nDELETE FROM file;\n```\n')).toHaveLength(2)
  expect(
    writes('```sql\nselect * from task where updated;\n```\nA person may not insert into it.\n'),
  ).toEqual([])
})

test.each([RUNBOOK, 'docs/setup.md', 'docs/demo.md', 'README.md'])(
  '%s asks nobody to write SQL that changes rows',
  (path) => {
    expect(read(path)).not.toBe('')
    expect(writes(read(path))).toEqual([])
  },
)

test('every kind of task has its row on the page', () => {
  const rows = read(RUNBOOK)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const kinds = Object.keys(TASK_KINDS)
  expect(kinds.filter((kind) => !rows.some((row) => row.split('|')[1]?.includes(`\`${kind}\``)))).toEqual([])
})

test('the views of what is wrong with the books are those on the page', () => {
  const rows = read(RUNBOOK).match(/(?<=^\| `)inv_\w+(?=` \|)/gm) ?? []
  expect(rows.sort()).toEqual(invariantsOf(project.filter(({ path }) => path.includes('/migrations/'))))
})

test('a view that was dropped or has another name now is not there', () => {
  const first =
    'create view inv_a as select 1;\ncreate view inv_b as select 1;\ncreate view inv_c as select 1;'
  const second =
    'drop view inv_b;\nalter view inv_c rename to inv_d;\ncreate or replace view inv_a as select 2;'
  const migrations = [
    { path: '2.sql', text: second },
    { path: '1.sql', text: first },
  ]
  expect(invariantsOf(migrations)).toEqual(['inv_a', 'inv_d'])
})

test('every metric of ours is on the page', () => {
  const names = project
    .filter((file) => isProduct(file.path) && /prom-client|\bMeasure(?:Group)?\b/.test(file.text))
    .flatMap((file) => file.text.match(/(?<=')kvitt_\w+(?=')/g) ?? [])
  expect(names.length).toBeGreaterThan(8)
  expect(names.filter((name) => !read(RUNBOOK).includes(`\`${name}\``))).toEqual([])
})

test('every warning and error of the log is on the page', () => {
  const product = project.filter(({ path }) => path.startsWith('apps/server/') && isProduct(path))
  const calls = product.flatMap((file) => file.text.match(/\blog\.(?:error|warn)\(/g) ?? [])
  const said = product.flatMap(sentencesOfLog)
  expect(said).toHaveLength(calls.length)
  expect(said.filter((sentence) => !read(RUNBOOK).includes(`\`${sentence}\``))).toEqual([])
})

test('every link between our pages leads somewhere', () => {
  expect(pages.length).toBeGreaterThan(30)
  expect(pages.flatMap((page) => findLostLinks(page, project, paths))).toEqual([])
})

test('every command on our pages exists, with its options', () => {
  expect(pages.flatMap((page) => findLostCommands(page, project))).toEqual([])
})

test('a sentence of the log is found on one line and on several', () => {
  const text = "log.warn({ id }, 'one')\nlog.error(\n  { at: f('x') },\n  'two',\n)\n"
  expect(sentencesOfLog({ path: 'a.ts', text })).toEqual(['one', 'two'])
})

const files = [
  { path: 'docs/a.md', text: '## What to do, now?\n```sh\n# not a heading\n```\n' },
  { path: 'package.json', text: '{"scripts":{"task":"node tools/run-command.mjs task"}}' },
  { path: 'apps/server/commands/task-cli.ts', text: "const HELP = '--reason TEXT'" },
]

test.each([
  ['[a](a.md#what-to-do-now) [b](#here)\n# Here\n', 0],
  ['[a](a.md#not-a-heading)', 1],
  ['[a](b.md)', 1],
  ['[a](#there)', 1],
])('%s has %d lost links', (text, lost) => {
  const page = { path: 'docs/page.md', text }
  const all = [...files, page]
  expect(
    findLostLinks(
      page,
      all,
      all.map((file) => file.path),
    ),
  ).toHaveLength(lost)
})

test.each([
  ['npm run task -- --reason x', 0],
  ['npm run task -- --why x', 1],
  ['npm run tasks', 1],
])('%s has %d lost commands', (text, lost) => {
  expect(findLostCommands({ path: 'docs/page.md', text }, files)).toHaveLength(lost)
})
