/** Where a program may get its time, its settings, its chance, its figures and its rows from. */
import { type ProjectFile, type Violation, isProduct, isTest } from './project.ts'
import { type Node, findNodes, placeOf } from './syntax.ts'

const SERVER = /^apps\/server\/(src|commands|config)\//
const DOMAIN = /^packages\/domain\/src\//
const BROWSER = /^(apps\/(debtor|client|admin|home|support)|packages\/(ui|office))\/src\//

/** "Date.now" for a member access by name, "Date" for a plain name, "" for everything else. */
function nameOf(node: Node | undefined | null): string {
  if (!node) return ''
  if (node.type === 'Identifier') return String(node.name)
  if (node.type === 'ChainExpression') return nameOf(node.expression as Node)
  if (node.type !== 'MemberExpression' || node.computed) return ''
  return `${nameOf(node.object as Node)}.${nameOf(node.property as Node)}`
}

function findNamed(file: ProjectFile, wanted: (name: string, node: Node) => boolean): string[] {
  return findNodes(file, (node) => node.type === 'MemberExpression' && wanted(nameOf(node), node)).map(
    (node) => `${placeOf(file, node)} ${nameOf(node)}`,
  )
}

/** Settings come in through config.ts of the server; domain and browsers have no environment at all. */
export function breaksEnvironment(files: readonly ProjectFile[]): Violation[] {
  return files
    .filter(({ path }) => isProduct(path) && path !== 'apps/server/config/config.ts')
    .filter(({ path }) => SERVER.test(path) || DOMAIN.test(path) || BROWSER.test(path))
    .flatMap((file) => findNamed(file, (name) => name === 'process.env'))
}

/** Time and chance are handed in, so that a test can decide them. */
export function breaksClock(files: readonly ProjectFile[]): Violation[] {
  return files
    .filter(({ path }) => isProduct(path) && (SERVER.test(path) || DOMAIN.test(path)))
    .filter(({ path }) => path !== 'apps/server/src/platform/clock.ts')
    .flatMap((file) => [
      ...findNamed(file, (name) => name === 'Date.now' || name === 'Math.random'),
      ...findNodes(
        file,
        (node) =>
          (node.type === 'NewExpression' || node.type === 'CallExpression') &&
          nameOf(node.callee as Node) === 'Date' &&
          (node.type === 'CallExpression' || (node.arguments as Node[]).length === 0),
      ).map((node) => `${placeOf(file, node)} the time of day`),
    ])
}

const SUM = /((^|\.)minor|Minor|[aA]mount|[bB]alance)$/

function isSum(node: Node): boolean {
  return SUM.test(nameOf(node))
}

function isFraction(node: Node): boolean {
  return node.type === 'Literal' && typeof node.value === 'number' && !Number.isInteger(node.value)
}

/** Sums are whole: no float is parsed or printed, no sum is divided or multiplied by a fraction. */
export function breaksMoney(files: readonly ProjectFile[]): Violation[] {
  return files
    .filter(({ path }) => isProduct(path) && (SERVER.test(path) || DOMAIN.test(path)))
    .flatMap((file) => [
      ...findNamed(file, (name) => /(^|\.)toFixed$/.test(name) || name === 'Number.parseFloat'),
      ...findNodes(
        file,
        (node) =>
          node.type === 'MemberExpression' && !node.computed && (node.property as Node).name === 'toFixed',
      ).map((node) => `${placeOf(file, node)} toFixed`),
      ...findNodes(
        file,
        (node) => node.type === 'CallExpression' && nameOf(node.callee as Node) === 'parseFloat',
      ).map((node) => `${placeOf(file, node)} parseFloat`),
      ...findNodes(file, (node) => {
        if (node.type !== 'BinaryExpression' && node.type !== 'AssignmentExpression') return false
        const operator = String(node.operator).replace('=', '')
        const sides = [node.left as Node, node.right as Node]
        if (!sides.some(isSum)) return false
        return operator === '/' || (operator === '*' && sides.some(isFraction))
      }).map((node) => `${placeOf(file, node)} a sum becomes a fraction`),
    ])
    .filter(
      (entry, index, all) => all.findIndex((other) => placeBefore(other) === placeBefore(entry)) === index,
    )
}

function placeBefore(entry: Violation): string {
  return entry.split(' ')[0] ?? entry
}

const SQL =
  /\b(select\b[\s\S]+\bfrom\s+["a-z]|insert\s+into\s+["a-z]|update\s+["a-z_.]+\s+(as\s+\w+\s+)?set\b|delete\s+from\s+["a-z])/i
const BUILDERS = new Set(['selectFrom', 'insertInto', 'updateTable', 'deleteFrom'])

/**
 * Only queries name tables. platform is left out: it knows no feature's table, but migrations and the database
 * itself have to be asked about.
 */
export function breaksQueries(files: readonly ProjectFile[]): Violation[] {
  return files
    .filter(({ path }) => SERVER.test(path) && isProduct(path) && !isTest(path))
    .filter(({ path }) => !path.endsWith('.queries.ts') && !path.startsWith('apps/server/src/platform/'))
    .flatMap((file) =>
      findNodes(file, (node) => {
        if (node.type === 'Literal') return typeof node.value === 'string' && SQL.test(node.value)
        if (node.type === 'TemplateLiteral') {
          return SQL.test(file.text.slice(node.start, node.end))
        }
        const called = node.type === 'CallExpression' ? (node.callee as Node) : undefined
        return called?.type === 'MemberExpression' && BUILDERS.has(String((called.property as Node).name))
      }).map((node) => `${placeOf(file, node)} names a table`),
    )
}

/** The states of an invoice that nobody sees, in any order, as a list in SQL. */
const HIDDEN_LIST = /(?:'(?:CREATED|PENDING|ARCHIVED)',?\s*){3}/

/** What nobody may see is one rule: the list of its states stands in the domain, and as SQL in sign-in/shown.ts. */
export function breaksShown(files: readonly ProjectFile[]): Violation[] {
  return files
    .filter(({ path }) => SERVER.test(path) && isProduct(path) && !isTest(path))
    .flatMap((file) =>
      findNodes(
        file,
        (node) =>
          ['Literal', 'TemplateLiteral', 'ArrayExpression'].includes(node.type) &&
          HIDDEN_LIST.test(file.text.slice(node.start, node.end)),
      ).map((node) => `${placeOf(file, node)} lists the hidden states: use sign-in/shown.ts`),
    )
}

const TASK_TABLE = /\b(from|join|into|update)\s+task\b/i

/** What needs a person is one feature: no other names its table, so that a kind cannot be made beside the closed list. */
export function breaksTasks(files: readonly ProjectFile[]): Violation[] {
  return files
    .filter(({ path }) => SERVER.test(path) && isProduct(path) && !isTest(path))
    .filter(({ path }) => !path.startsWith('apps/server/src/tasks/') && !path.includes('/testing/'))
    .flatMap((file) =>
      findNodes(
        file,
        (node) =>
          (node.type === 'Literal' && typeof node.value === 'string' && TASK_TABLE.test(node.value)) ||
          (node.type === 'TemplateLiteral' && TASK_TABLE.test(file.text.slice(node.start, node.end))),
      ).map((node) => `${placeOf(file, node)} names the table of tasks: ask tasks/tasks.ts`),
    )
}
