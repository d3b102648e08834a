/**
 * Codes such as D-22 stand for a rule that docs/rules.md states. Every code that is used has its heading there, and every
 * heading is used. A threat is called by its name in docs/threats.md.
 */
import { isCode, type ProjectFile, type Violation } from './project.ts'
import { commentsOf } from './syntax.ts'
import { readThreats, THREATS } from './threats.ts'

export const RULES = 'docs/rules.md'

/** D-22 and A-08 for decisions, M-05 for a move of an invoice, I4 for an invariant. */
const CODE = '[ADM]-\\d{2}|I\\d{1,2}'
const USED = new RegExp(`(?<![\\w./-])(?:${CODE})(?![\\w-])`, 'g')
/** In code beside the comments: in the title of a test, which ends with it. A number in quotes is test data. */
const IN_BRACKETS = new RegExp(`\\((?:${CODE})(?:, (?:${CODE}))*\\)`, 'g')
/** The view of an invariant begins with its code. */
const VIEW = /(?<![\w])inv_i(\d{1,2})_/g
const THREAT = /\bthreats? ([a-z]+\.[a-z]+(?:, [a-z]+\.[a-z]+)*)/g
/** A document by its name. */
const DOCUMENT = /(?<![\w.*/{-])([\w-]+\.md)(?![\w-])/g
const HEADING = new RegExp(`^### (${CODE}) \\S`)

type Place = { readonly name: string; readonly at: string }

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length

/** Where people read `pattern` in a file: in the comments of code, anywhere in a document or in SQL. */
function placesOf(file: ProjectFile, pattern: RegExp): Place[] {
  // Most files hold none, and need no parser.
  if (file.text.search(pattern) === -1) return []
  const prose = isCode(file.path) ? commentsOf(file) : [{ text: file.text, start: 0 }]
  return prose.flatMap(({ text, start }) =>
    [...text.matchAll(pattern)].map((match) => ({
      name: match[1] ?? match[0],
      at: `${file.path}:${lineAt(file.text, start + match.index)}`,
    })),
  )
}

/** The codes that a file names, with their places. */
function codesOf(file: ProjectFile): Place[] {
  const views = [...file.text.matchAll(VIEW)].map(({ 1: number, index }) => ({
    name: `I${number}`,
    at: `${file.path}:${lineAt(file.text, index)}`,
  }))
  const inBrackets = isCode(file.path) ? [...file.text.matchAll(IN_BRACKETS)] : []
  const inTitles = inBrackets.flatMap((match) =>
    [...match[0].matchAll(USED)].map(([name]) => ({
      name,
      at: `${file.path}:${lineAt(file.text, match.index)}`,
    })),
  )
  return [...placesOf(file, USED), ...inTitles, ...views]
}

/** The codes that have a heading in docs/rules.md, with their places. */
export function readRules(text: string): Place[] {
  return text.split('\n').flatMap((row, index) => {
    const name = HEADING.exec(row)?.[1]
    return name === undefined ? [] : [{ name, at: `${RULES}:${index + 1}` }]
  })
}

/** Codes without a heading, headings that nothing names or that stand twice, and threats that are not in the list. */
export function breaksRules(project: readonly ProjectFile[]): Violation[] {
  const list = project.find(({ path }) => path === RULES)
  if (list === undefined) return [`${RULES} is not there`]
  const headings = readRules(list.text)
  const known = new Set(headings.map(({ name }) => name))
  const read = project.filter(
    ({ path }) => /\.(ts|tsx|mjs|css|sql|md)$/.test(path) && !path.startsWith('tools/house-rules/'),
  )
  const used = read.filter(({ path }) => path !== RULES).flatMap(codesOf)
  const named = new Set(used.map(({ name }) => name))
  const threatList = project.find(({ path }) => path === THREATS)?.text ?? ''
  const threats = new Set(readThreats(threatList).map(({ name }) => name))
  return [
    ...[...used, ...codesOf(list)]
      .filter(({ name }) => !known.has(name))
      .map(({ name, at }) => `${at} ${name} has no heading in ${RULES}`),
    ...headings
      .filter(({ name }) => !named.has(name))
      .map(({ name, at }) => `${at} ${name} is named by nothing`),
    ...headings
      .filter(({ name }, index) => headings.findIndex((other) => other.name === name) < index)
      .map(({ name, at }) => `${at} ${name} stands twice`),
    ...read.flatMap((file) =>
      placesOf(file, THREAT).flatMap(({ name, at }) =>
        name
          .split(', ')
          .filter((one) => !threats.has(one))
          .map((one) => `${at} ${one} is not in ${THREATS}`),
      ),
    ),
  ]
}

/** Documents that are named and are not in the repository: nobody who reads it has them. Migrations stay as they are once they are written. */
export function breaksDocuments(project: readonly ProjectFile[]): Violation[] {
  const known = new Set(project.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)))
  return project
    .filter(({ path }) => /\.(ts|tsx|mjs|css|md)$/.test(path) && !path.startsWith('tools/house-rules/'))
    .flatMap((file) => placesOf(file, DOCUMENT))
    .filter(({ name }) => !known.has(name))
    .map(({ name, at }) => `${at} there is no ${name}`)
}
