/** Names of folders, files, exports and migrations. */
import { type ProjectFile, type Violation, isCode, isProduct } from './project.ts'
import { type Node, placeOf, treeOf } from './syntax.ts'

/** What has no noun belongs to the file that uses it. */
const NO_NOUNS = new Set([
  'util',
  'utils',
  'helper',
  'helpers',
  'common',
  'shared',
  'lib',
  'libs',
  'types',
  'misc',
])
const OURS = /^(apps|packages|tools|bench|e2e)\//
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/

/** Folders and files are named after something, in kebab-case. */
export function breaksPathNames(paths: readonly string[]): Violation[] {
  return paths
    .filter((path) => OURS.test(path) && !path.includes('/migrations/'))
    .flatMap((path) => {
      const parts = path.split('/')
      const stems = [...parts.slice(0, -1), (parts.at(-1) ?? '').replace(/\..*$/, '')]
      const empty = stems.find((stem) => NO_NOUNS.has(stem))
      if (empty) return [`${path} "${empty}" names no thing`]
      const crooked = parts.find((part) => !KEBAB.test(part) && part !== 'README.md')
      return crooked ? [`${path} "${crooked}" is not kebab-case`] : []
    })
}

/** No file whose work is to hand on what others export; a feature's main file may offer single things of its own folder. */
export function findBarrels(files: readonly ProjectFile[]): Violation[] {
  return files
    .filter((file) => isCode(file.path))
    .flatMap((file) => {
      if (/(^|\/)index\.(ts|tsx|mjs)$/.test(file.path)) return [`${file.path} is named like a barrel`]
      const statements = treeOf(file).body as Node[]
      const whole = statements.find((node) => node.type === 'ExportAllDeclaration')
      if (whole) return [`${placeOf(file, whole)} hands on a whole file`]
      const handedOn = statements.filter((node) => node.type.startsWith('Export') && Boolean(node.source))
      const own = statements.filter((node) => node.type !== 'ImportDeclaration' && !handedOn.includes(node))
      return handedOn.length > 0 && own.length === 0 ? [`${file.path} only hands on what others export`] : []
    })
}

const WORDLESS = /^(process|handle|manage)([A-Z]|$)|(Service|Manager|Helper|Util|Utils)$/

function declaredNames(node: Node): string[] {
  const declaration = node.declaration as Node | null
  if (!declaration) return []
  const declarators = (declaration.declarations ?? [declaration]) as Node[]
  return declarators
    .map((declarator) => (declarator.id as Node | null)?.name)
    .filter((name) => typeof name === 'string')
}

/** What a file offers to others is called by the words of the business. */
export function breaksExportNames(files: readonly ProjectFile[]): Violation[] {
  return files
    .filter((file) => isProduct(file.path))
    .flatMap((file) =>
      (treeOf(file).body as Node[])
        .filter((node) => node.type === 'ExportNamedDeclaration' || node.type === 'ExportDefaultDeclaration')
        .flatMap((node) =>
          declaredNames(node)
            .filter((name) => WORDLESS.test(name))
            .map((name) => `${placeOf(file, node)} "${name}" says nothing of the business`),
        ),
    )
}

/** Words of the server and the domain that one standard word has replaced (docs/words.md). */
const GONE: Readonly<Record<string, string>> = {
  letIn: 'authenticate',
  Knock: 'authenticate',
  Admitted: 'Principal',
  asker: 'principal, or requester in a queue',
  ChargeBack: 'ChargeReversal',
  chargesWithoutGround: 'chargesToReverse',
  bookSentBack: 'bookRefund',
  useCredits: 'applyCredits',
  oweBack: 'bookAsOverpayment',
  shareOut: 'allocateToDebts',
  allocatePayment: 'allocateToBuckets',
  fuse: 'circuit breaker',
  openFuse: 'openCircuitBreaker',
  withBreaker: 'withCircuitBreaker',
  keepDoors: 'keepBatchedReads',
  onceMore: 'retryOnce',
  setAside: 'quarantine',
  planAnew: 'reschedule',
  passOnce: 'performInBatches',
  runNight: 'performDailyRun',
  NightContext: 'DailyRunContext',
  Aim: 'DebtSelector',
  aimAt: 'selectorOf',
  Surroundings: 'Context',
}
const GONE_WORD = new RegExp(`(?<![\\w-])(?:${Object.keys(GONE).join('|')})(?![\\w-])`, 'g')

/** Words that are gone, in code or in its comments. */
export function findGoneWords(files: readonly ProjectFile[]): Violation[] {
  return files
    .filter(({ path }) => /^(apps\/server|packages\/domain)\//.test(path) && isCode(path))
    .flatMap((file) =>
      [...file.text.matchAll(GONE_WORD)].map(({ 0: word, index }) => {
        const line = file.text.slice(0, index).split('\n').length
        return `${file.path}:${line} "${word}" is gone: say ${GONE[word]}`
      }),
    )
}

/**
 * Migrations are NNNN_name.sql, no two of one number: of twins a database gets the one and never the other. A hole is a
 * number that was given out and not used.
 */
export function breaksMigrations(paths: readonly string[]): Violation[] {
  const names = paths
    .filter((path) => path.startsWith('apps/server/migrations/'))
    .map((path) => path.slice('apps/server/migrations/'.length))
    .sort()
  const misnamed = names.filter((name) => !/^\d{4}_[a-z0-9]+([_-][a-z0-9]+)*\.sql$/.test(name))
  if (misnamed.length > 0)
    return misnamed.map((name) => `apps/server/migrations/${name} is not NNNN_name.sql`)
  return names.flatMap((name, index) => {
    const before = names[index - 1] ?? ''
    const isTwin = name.slice(0, 4) === before.slice(0, 4)
    return isTwin ? [`apps/server/migrations/${name} has the number of ${before}`] : []
  })
}
