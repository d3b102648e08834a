/** Whatever staff are shown of people is written down with who they are: every call, by its form alone. */
import type { Contract } from '@kvitt/domain/contract.ts'
import { noteAccess } from '../audit/audit.ts'
import { AsFile, type Asked } from '../platform/http/call.ts'
import { isListed } from '../platform/http/paging.ts'
import { isFile } from '../platform/http/send-file.ts'
import { actorOf } from '../staff/staff.ts'
import type { Principal } from './principal.ts'
import type { DebtorViewer } from './viewer.ts'

/** What somebody has asked for themselves shows them nobody. */
const OWN = ['acts', 'bulk']

/** Rows of people that are a part of something, page after page; the other parts of a row are shown with the row. */
const ROWS_OF_PEOPLE = /^\/(payment-batches\/:id\/lines|imports\/:id\/rows)$/

function countIn(given: unknown): number | undefined {
  if (isListed(given)) return given.total
  if (isFile(given)) return given.rows
  const { count } = (given ?? {}) as { count?: unknown }
  return typeof count === 'number' ? count : undefined
}

/** Writes a look at one row, or at a list with its filter and count, down before it is answered. Of other calls nothing. */
export async function noteLook(
  { context, request }: Asked,
  { name, method, path }: Contract,
  { principal, given }: { readonly principal: Principal; readonly given: unknown },
): Promise<void> {
  if (principal.kind === 'debtor') return notePeekedFile(context, principal, { name, given })
  if (principal.kind !== 'staff' && principal.kind !== 'api_key') return
  const [, resource = ''] = path.split('/')
  if (OWN.includes(resource)) return
  const by = { instanceId: principal.instance.id, actor: actorOf(principal) }
  if (method === 'GET' && /^\/[a-z-]+\/:id$/.test(path)) {
    const { id = '' } = request.params as { id?: string }
    const file = given instanceof AsFile ? given.file.mimeType : undefined
    const kind = file === undefined ? 'staff_opened' : 'staff_exported'
    const details = file === undefined ? {} : { file }
    await noteAccess(context, { ...by, kind, about: `${resource}:${id}`, details })
  }
  if (ROWS_OF_PEOPLE.test(path)) {
    const { id = '' } = request.params as { id?: string }
    const found = isListed(given) ? given.total : undefined
    const details = { found, filters: request.query }
    await noteAccess(context, { ...by, kind: 'staff_listed', about: `${resource}:${id}`, details })
  }
  // A sum tells, too, whether there is somebody of a name.
  if (method === 'POST' && (path.endsWith('/search') || path.endsWith('/sum'))) {
    const { query, ...filters } = (request.body ?? {}) as { query?: unknown }
    const found = countIn(given)
    // What was searched for may be a name: that there was something is enough.
    const details = { found, filters, ...(query ? { isSearched: true } : {}) }
    const kind = isFile(given) ? 'staff_exported' : 'staff_listed'
    await noteAccess(context, { ...by, kind, about: resource, details })
  }
}

/**
 * Of a peek, a file that a call answers itself: with the person, about each row of the debtor, so that what is kept about any of
 * them shows it. A file that has a name is written down where it opens (app.ts). A debtor's own session leaves nothing.
 */
async function notePeekedFile(
  context: Asked['context'],
  { instance, session }: DebtorViewer,
  { name, given }: { readonly name: string; readonly given: unknown },
): Promise<void> {
  const file = given instanceof AsFile ? given.file : isFile(given) ? given : undefined
  if (!session.peek || !file) return
  const details = { call: name, file: file.mimeType, found: file.rows }
  const by = { instanceId: instance.id, actor: session.peek.staff, kind: 'staff_exported' as const }
  for (const id of session.debtorIds) await noteAccess(context, { ...by, about: `debtors:${id}`, details })
}
