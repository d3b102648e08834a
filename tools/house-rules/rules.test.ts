import { expect, test } from 'vitest'
import { readProject } from './project.ts'
import { breaksDocuments, breaksRules, RULES, readRules } from './rules.ts'
import { THREATS } from './threats.ts'

const project = readProject()

test('every code of this project has its rule, and every rule its code', () => {
  expect(breaksRules(project)).toEqual([])
  const list = project.find(({ path }) => path === RULES)
  expect(readRules(list?.text ?? '').length).toBeGreaterThan(100)
})

test('every document that this project names is here', () => {
  expect(breaksDocuments(project)).toEqual([])
})

test.each([
  ['a comment', 'apps/server/src/a.ts', '/** Whose it is (nowhere.md 3). */'],
  ['a document', 'docs/a.md', 'As `nowhere.md` has it.'],
])('a document that is not here is found in %s', (_where, path, text) => {
  expect(breaksDocuments([{ path, text }])).toEqual([`${path}:1 there is no nowhere.md`])
  expect(
    breaksDocuments([
      { path, text },
      { path: 'docs/nowhere.md', text: '' },
    ]),
  ).toEqual([])
})

const CODE = 'apps/server/src/a.ts'
const rules = (...rows: string[]) => ({ path: RULES, text: ['# Rules', '', ...rows].join('\n') })
const threats = {
  path: THREATS,
  text: '| `cb.forged` | a lie | nobody believes it | not here: nobody can lie |',
}
const D22 = rules('### D-22 Whose reference', '', 'Its own.')

test.each([
  ['a comment', CODE, '/** References (D-22). */'],
  ['a comment at the end of a line', CODE, "const a = 'x' // D-22"],
  ['the title of a test', 'apps/server/src/a.test.ts', "test('is found (D-22)', () => {})"],
  ['SQL', 'apps/server/migrations/0001_a.sql', '-- Whose it is (D-22).'],
  ['a style', 'apps/debtor/src/a.module.css', '/* As D-22 has it. */'],
  ['a document', 'docs/a.md', 'That is [D-22](rules.md).'],
])('a code in %s is a use of its rule', (_where, path, text) => {
  expect(breaksRules([D22, { path, text }])).toEqual([])
})

test.each([
  ['a comment', CODE, '\n/** References (D-99). */', `${CODE}:2 D-99`],
  ['several', CODE, '/** A-69 as well (D-22, D-99). */', `${CODE}:1 A-69`],
  ['the title of a test', 'a.test.ts', "test('is found (D-22, M-05)', () => {})", 'a.test.ts:1 M-05'],
  ['SQL', 'a.sql', '-- Whose it is (I16).', 'a.sql:1 I16'],
  ['the name of a view', 'a.sql', 'create view inv_i19_lines as', 'a.sql:1 I19'],
  ['a style', 'a.css', '/* Said by A-47. */', 'a.css:1 A-47'],
  ['a document', 'docs/a.md', 'As D-99 has it.', 'docs/a.md:1 D-99'],
])('an unknown code in %s is found', (_where, path, text, place) => {
  const used = { path: CODE.replace('a.ts', 'b.ts'), text: '// D-22' }
  expect(breaksRules([D22, used, { path, text }])).toContain(`${place} has no heading in ${RULES}`)
})

test('an unknown code in a rule is found', () => {
  const list = rules('### D-22 Whose reference', '', 'As D-99 has it.')
  expect(breaksRules([list, { path: CODE, text: '// D-22' }])).toEqual([
    `${RULES}:5 D-99 has no heading in ${RULES}`,
  ])
})

test.each([
  "const numbers = ['A-12', 'D-99']",
  "find('A-12')",
  '// see a/D-99 or the invoice FA-12, the list A-123 and file-D-22-b',
])('%s names no code', (text) => {
  expect(breaksRules([D22, { path: CODE, text: `// D-22\n${text}` }])).toEqual([])
})

test('a rule that nothing names is found, and one that stands twice', () => {
  expect(breaksRules([D22])).toEqual([`${RULES}:3 D-22 is named by nothing`])
  const twice = rules('### D-22 Whose reference', '### D-22 Whose reference')
  expect(breaksRules([twice, { path: CODE, text: '// D-22' }])).toEqual([`${RULES}:4 D-22 stands twice`])
})

test('a threat that a comment names is one of the list', () => {
  const text = '// D-22, and who lies (threats cb.forged, cb.denied)'
  expect(breaksRules([D22, threats, { path: CODE, text }])).toEqual([
    `${CODE}:1 cb.denied is not in ${THREATS}`,
  ])
})

test('without the list every code is without its rule', () => {
  expect(breaksRules([{ path: CODE, text: '// D-22' }])).toEqual([`${RULES} is not there`])
})
