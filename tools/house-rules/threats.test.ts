import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readProject } from './project.ts'
import { breaksThreats, readThreats, THREATS } from './threats.ts'

const project = readProject()

test('every threat of this project has its test, and every such test its threat', () => {
  expect(breaksThreats(project)).toEqual([])
  const list = project.find(({ path }) => path === THREATS)
  expect(readThreats(list?.text ?? '').length).toBeGreaterThan(100)
})

/** Where the threats were written down first, on the desk of whoever has it. */
const ORIGIN = join(import.meta.dirname, '../../../shared/security.md')

test('every name of ../shared/security.md is in the list', ({ skip }) => {
  skip(!existsSync(ORIGIN), 'there is no ../shared/security.md')
  const rows = readFileSync(ORIGIN, 'utf8').split('\n')
  const attacks = rows.filter((row) => /^\| A-\d\d \|/.test(row)).map((row) => row.split(' | ').at(-1) ?? '')
  const named = attacks
    .flatMap((cell) => [...cell.matchAll(/`([a-z]+\.[a-z]+)`/g)].map(([, name]) => name))
    .filter((name) => name !== 'location.origin')
  const others = rows.flatMap((row) => /^\| (T-[A-Z-]+|H\d+) \|/.exec(row)?.[1] ?? [])
  expect([attacks.length, named.length, others.length]).toEqual([56, 62, 42])
  const listed = new Set(
    readThreats(readFileSync(join(import.meta.dirname, '../..', THREATS), 'utf8')).map((t) => t.name),
  )
  expect([...named, ...others].filter((name) => !listed.has(name ?? ''))).toEqual([])
})

const TEST = 'apps/server/src/a.test.ts'
const list = (...rows: string[]) => ({ path: THREATS, text: ['# Threats', '', ...rows].join('\n') })
const row = (name: string, shown: string): string =>
  `| \`${name}\` | somebody asks | nobody answers | ${shown} |`
const code = (text: string) => ({ path: TEST, text })

test.each([
  ["test('cb.forged: a lie', () => {})", row('cb.forged', `\`${TEST}\``)],
  ["describe('cb.forged: a lie', () => {})", row('cb.forged', `\`${TEST}\``)],
  [
    "test.each([1])('cb.forged: %i', () => {})",
    row('cb.forged', `\`${TEST}\`, a hundred; the soak plays more`),
  ],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code of a test
  ['test(`T-NET-DB: ${n} times`, () => {})', row('T-NET-DB', `\`${TEST}\``)],
  ["test('drop-callback: it comes later', () => {})", row('upload.svg', 'not here: nobody can send one')],
])('%s with %s is let pass', (text, listed) => {
  expect(breaksThreats([list(listed), code(text)])).toEqual([])
})

test('two names stand before one test', () => {
  const text = "test('jwt.attacks, jwt.header: none is let in', () => {})"
  const rows = [row('jwt.attacks', `\`${TEST}\``), row('jwt.header', `\`${TEST}\``)]
  expect(breaksThreats([list(...rows), code(text)])).toEqual([])
})

test.each([
  ['a name without a test', '', row('cb.forged', `\`${TEST}\``), 'is no test'],
  ['a name without a reason', '', row('cb.forged', 'later'), 'neither'],
  [
    'a skipped test',
    "test.skip('cb.forged: a lie', () => {})",
    row('cb.forged', `\`${TEST}\``),
    'is no test',
  ],
  [
    'a test without a name',
    "test('cb.forged: a lie', () => {})",
    row('cb.early', 'not yet: it comes later'),
    'not listed',
  ],
  [
    'a test of what is not there',
    "test('H4: a', () => {})",
    row('H4', 'not here: one process only'),
    'not listed',
  ],
])('%s is seen', (_what, text, listed, why) => {
  expect(breaksThreats([list(listed), code(text)])).toEqual([expect.stringContaining(why)])
})

test('a name that stands twice is seen, and so is a list that is not there', () => {
  const twice = row('upload.svg', 'not here: nobody can send one')
  expect(breaksThreats([list(twice, twice)])).toEqual([expect.stringContaining('stands twice')])
  expect(breaksThreats([])).toEqual([`${THREATS} is not there`])
})
