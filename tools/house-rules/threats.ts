/**
 * Every threat that docs/threats.md names is shown by a test whose title begins with that name, in the file that the list
 * gives, or the list says why there is none. What a test shows under such a name stands in the list.
 */
import { isTest, type ProjectFile, type Violation } from './project.ts'
import { type Node, findNodes, placeOf } from './syntax.ts'

export const THREATS = 'docs/threats.md'

/** `cb.forged` for an attack, T-KILL for what breaks by itself, H4 for many processes. */
const NAME = '[a-z]+\\.[a-z]+|T-[A-Z]+(?:-[A-Z]+)*|H\\d+'
const ROW = new RegExp(`^\\| \`(${NAME})\` \\| (.+) \\|$`)
const TITLE = new RegExp(`^((?:${NAME})(?:, (?:${NAME}))*): `)
const WITHOUT = /^(not here|not yet): .{10,}/

type Threat = { readonly name: string; readonly line: number; readonly files: string[]; readonly why: string }

/** The rows of the list: "| `name` | attack | defence | test |", the last being files or "not here: …", "not yet: …". */
export function readThreats(text: string): Threat[] {
  return text.split('\n').flatMap((row, index) => {
    const [, name = '', rest = ''] = ROW.exec(row) ?? []
    if (name === '') return []
    const why = rest.split(' | ').at(-1) ?? ''
    return [
      { name, line: index + 1, files: [...why.matchAll(/`([^`]+\.tsx?)`/g)].map(([, p = '']) => p), why },
    ]
  })
}

type Title = { readonly names: string[]; readonly node: Node }

/** Titles of tests that begin with names; what is skipped shows nothing. */
function namedTitles(file: ProjectFile): Title[] {
  return findNodes(file, (node) => node.type === 'CallExpression').flatMap((node) => {
    let callee = node.callee as Node
    const how: unknown[] = []
    while (callee.type === 'CallExpression' || callee.type === 'MemberExpression') {
      if (callee.type === 'MemberExpression') how.push((callee.property as Node).name)
      callee = (callee.type === 'CallExpression' ? callee.callee : callee.object) as Node
    }
    if (!['test', 'it', 'describe'].includes(String(callee.name))) return []
    if (how.includes('skip') || how.includes('todo')) return []
    const names = TITLE.exec(beginningOf((node.arguments as Node[])[0]))?.[1]
    return names === undefined ? [] : [{ names: names.split(', '), node }]
  })
}

/** The text that a title begins with, up to its first value. */
function beginningOf(title: Node | undefined): string {
  if (title?.type === 'TemplateLiteral') {
    const [first] = title.quasis as Node[]
    return (first?.value as { cooked?: string } | undefined)?.cooked ?? ''
  }
  return typeof title?.value === 'string' ? title.value : ''
}

/** Names without test, tests without name, files that are not there, names that stand twice. */
export function breaksThreats(project: readonly ProjectFile[]): Violation[] {
  const list = project.find(({ path }) => path === THREATS)
  if (list === undefined) return [`${THREATS} is not there`]
  const threats = readThreats(list.text)
  const titles = project
    .filter(({ path }) => isTest(path) && /\.(test|spec)\.tsx?$/.test(path))
    .flatMap((file) => namedTitles(file).map((title) => ({ ...title, file })))
  const isShown = (name: string, path: string): boolean =>
    titles.some(({ names, file }) => file.path === path && names.includes(name))
  const isListed = (name: string, path: string): boolean =>
    threats.some((threat) => threat.name === name && threat.files.includes(path))
  return [
    ...threats.flatMap(({ name, line, files, why }, index) => {
      const at = `${THREATS}:${line} ${name}`
      if (threats.findIndex((other) => other.name === name) < index) return [`${at} stands twice`]
      if (files.length === 0) return WITHOUT.test(why) ? [] : [`${at} has neither a test nor a reason`]
      return files.filter((path) => !isShown(name, path)).map((path) => `${at} is no test's name in ${path}`)
    }),
    ...titles.flatMap(({ names, node, file }) =>
      names
        .filter((name) => !isListed(name, file.path))
        .map((name) => `${placeOf(file, node)} ${name} is not listed with this file in ${THREATS}`),
    ),
  ]
}
