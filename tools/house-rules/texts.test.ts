import { ERRORS, errorTextKey, type ErrorCode } from '@kvitt/domain/errors.ts'
import { describe, expect, test } from 'vitest'
import { readProject } from './project.ts'
import {
  LANGUAGES,
  breaksLanguages,
  cataloguesOf,
  findForbiddenTexts,
  findUntold,
  flatten,
  placeholdersOf,
} from './texts.ts'

describe('this project', () => {
  const files = readProject()

  test("has the server's texts", () => {
    expect(cataloguesOf(files).map(({ folder }) => folder)).toContain('apps/server/src/language')
  })

  test('says everything in all five languages with the same values', () => {
    expect(breaksLanguages(files)).toEqual([])
  })

  test('has a sentence for every error code', () => {
    const keys = (Object.keys(ERRORS) as ErrorCode[]).map(errorTextKey)
    expect(findUntold(files, keys)).toEqual([])
  })

  test('holds no forbidden text', () => {
    expect(findForbiddenTexts(files)).toEqual([])
  })
})

describe('placeholders', () => {
  test.each([
    ['Pay now', []],
    ['{name}, due {date}', ['date', 'name']],
    ['{name} and {name}', ['name']],
    ['{days, plural, one {dag} other {# dagar}}', ['days']],
    ['{days, plural, one {{name} has one day} other {# days for {who}}}', ['days', 'name', 'who']],
    ['{amount, number, ::currency}', ['amount']],
    ['{kind, select, a {first} other {second}}', ['kind']],
  ])('%s', (text, names) => {
    expect(placeholdersOf(text)).toEqual(names)
  })

  test.each(['{name', 'name}', '}{', '{a, plural, one {x}'])('%s has a brace without a partner', (text) => {
    expect(() => placeholdersOf(text)).toThrow(SyntaxError)
  })
})

test('nested and flat texts have the same keys', () => {
  expect(flatten({ a: { b: 'x', c: { d: 'y' } } })).toEqual({ 'a.b': 'x', 'a.c.d': 'y' })
  expect(flatten({ 'a.b': 'x' })).toEqual({ 'a.b': 'x' })
  expect(() => flatten({ a: 1 })).toThrow(TypeError)
})

describe('planted texts', () => {
  const folder = 'apps/server/src/language'
  const files = (change: Record<string, unknown>) =>
    LANGUAGES.map((language) => ({
      path: `${folder}/${language}.json`,
      text: JSON.stringify({ 'error.a': `${language} {name}`, ...(language === 'fi' ? change : {}) }),
    }))

  test('a whole catalogue is let pass', () => {
    expect(breaksLanguages(files({}))).toEqual([])
    expect(findUntold(files({}), ['error.a'])).toEqual([])
  })

  test.each([
    ['another placeholder', { 'error.a': 'fi {nimi}' }],
    ['a placeholder too few', { 'error.a': 'fi' }],
    ['an empty text', { 'error.a': '  ' }],
    ['a key that the others lack', { 'error.a': 'fi {name}', 'error.b': 'fi' }],
  ])('%s is seen', (_name, change) => {
    expect(breaksLanguages(files(change)).length).toBeGreaterThan(0)
  })

  test('a missing language and an untold error are seen', () => {
    expect(breaksLanguages(files({}).slice(1))).toEqual([`${folder}/sv.json is missing`])
    expect(findUntold(files({}), ['error.a', 'error.b'])).toHaveLength(LANGUAGES.length)
    expect(findUntold([], ['error.a'])).toHaveLength(LANGUAGES.length)
  })

  // Put together from parts, so that this file does not hold what it plants.
  test.each([
    ["const home = '/", "work/main'"],
    ['see /', 'root/notes'],
    ['cd /', 'work'],
    ['// TO', 'DO: later'],
    ['/* FIX', 'ME */'],
    ['test.on', "ly('a', run)"],
    ['// @ts-ig', 'nore'],
    ['Plans are coming so', 'on.'],
  ])('%s%s is seen', (first, second) => {
    const text = first + second
    expect(findForbiddenTexts([{ path: 'docs/a.md', text: `first\n${text}` }])).toEqual([
      expect.stringContaining('docs/a.md:2 '),
    ])
  })

  test.each(['a/work/b', '/workers/', '/rooted', 'the work is done', 'only(', '/api/rootless', './work/'])(
    '%s is let pass',
    (text) => {
      expect(findForbiddenTexts([{ path: 'docs/a.md', text }])).toEqual([])
    },
  )
})
