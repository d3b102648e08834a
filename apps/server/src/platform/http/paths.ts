/** Where a contract is found. */
import type { Contract, Door } from '@kvitt/domain/contract.ts'

/** The path of a contract behind one of its doors. */
export function pathOf(contract: Contract, door: Door): string {
  if (door === 'open') return `/api${contract.path}`
  const { subject } = contract
  if (door === 'public') return `/api/public/${subject}/:paymentReference/:zip${contract.path}`
  if (door === 'client' || door === 'admin') return `/api/${door}${contract.path}`
  return `/api/debtor${subject ? `/${subject}` : ''}${contract.path}`
}

/** The router knows no longer part of a path. */
export const LONGEST_PART = 200

/** Stands a reference and a zip in this path, however they are written? */
export const namesPair = (path: string): boolean =>
  /^\/api\/public\/(?:invoices|collection-batches)\//.test(path)

/** Every path of a contract: behind the debtor's door some have a second one (A-26). */
export function pathsOf(contract: Contract, door: Door): string[] {
  const path = pathOf(contract, door)
  const hasId = door === 'debtor' && contract.byId
  return hasId ? [path, `/api/debtor/${contract.subject}/:id${contract.path}`] : [path]
}
