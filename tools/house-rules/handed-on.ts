/** A feature's main file exports what the feature does. Its queries are its own affair. */
import { type ProjectFile, type Violation, isProduct, isTest } from './project.ts'
import { type Node, resolveImport, treeOf } from './syntax.ts'

const FEATURE_FILE = /^apps\/server\/src\/[^/]+\/.+(?<!\.queries)\.ts$/

/** How many queries these files hand on to other features still. The numbers may only become smaller, and nothing is added. */
export const STILL_HANDED_ON: Readonly<Record<string, number>> = {
  'apps/server/src/ledger/ledger.ts': 31,
  'apps/server/src/invoices/invoices.ts': 19,
  'apps/server/src/creditors/creditors.ts': 11,
  'apps/server/src/tasks/tasks.ts': 9,
  'apps/server/src/claims/claims.ts': 8,
  'apps/server/src/sign-in/sign-in.ts': 7,
  'apps/server/src/payments/payments.ts': 5,
  'apps/server/src/mail/mail.ts': 4,
  'apps/server/src/part-payments/part-payments.ts': 4,
  'apps/server/src/bank-files/bank-files.ts': 3,
  'apps/server/src/collection/collection.ts': 2,
  'apps/server/src/creditors/own-accounts.ts': 1,
  'apps/server/src/instances/instances.ts': 1,
  'apps/server/src/refunds/refunds.ts': 1,
}

/** The queries that a file hands on: what it exports of a `*.queries.ts`, types left out. */
function queriesOf(file: ProjectFile): string[] {
  return (treeOf(file).body as Node[])
    .filter((node) => node.type === 'ExportNamedDeclaration' && node.exportKind !== 'type')
    .filter((node) => {
      const source = (node.source as Node | null)?.value
      return typeof source === 'string' && resolveImport(file.path, source)?.endsWith('.queries.ts')
    })
    .flatMap((node) => (node.specifiers as Node[]).filter((one) => one.exportKind !== 'type'))
    .map((one) => String((one.exported as Node).name))
}

/** Files that hand on another number of queries than `still` says. */
export function findHandedOn(
  files: readonly ProjectFile[],
  still: Readonly<Record<string, number>> = STILL_HANDED_ON,
): Violation[] {
  return files
    .filter(({ path }) => FEATURE_FILE.test(path) && isProduct(path) && !isTest(path))
    .flatMap((file) => {
      const names = queriesOf(file)
      const allowed = still[file.path] ?? 0
      if (names.length === allowed) return []
      return names.length > allowed
        ? [`${file.path} hands on ${names.length} queries, ${allowed} at most: ${names.join(', ')}`]
        : [`${file.path} hands on ${names.length} queries: lower its number in STILL_HANDED_ON`]
    })
}

/** Files of the list that are gone. */
export function findGone(files: readonly ProjectFile[]): Violation[] {
  const paths = new Set(files.map(({ path }) => path))
  return Object.keys(STILL_HANDED_ON).filter((path) => !paths.has(path))
}
