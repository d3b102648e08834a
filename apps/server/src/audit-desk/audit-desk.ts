/** The search of the audit log: every entry of an instance by kind, person, thing and day. */
import { AUDIT_LOGS, type AuditLog } from '@kvitt/domain/audit/audit-log.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { readOfficeSearch } from '@kvitt/domain/staff/office-search.ts'
import type { Context } from '../context.ts'
import { JsonText } from '../platform/http/json.ts'
import { readDirection, readPage, type Listed } from '../platform/http/paging.ts'
import type { OfficeQuery } from '../staff/office-list.ts'
import type { OfficePrincipal } from '../staff/staff.ts'
import {
  countAuditRows,
  findInLogs,
  isAuditOrder,
  readAuditRows,
  type AuditWish,
} from './audit-desk.queries.ts'

const SEARCHABLE = {
  targets: ['name', 'about', 'kind'],
  filters: {
    log: { kind: 'choice', values: AUDIT_LOGS },
    kind: { kind: 'text' },
    actor: { kind: 'text' },
    about: { kind: 'text' },
    at: { kind: 'day' },
  },
} as const

/**
 * A text is looked for as people, things and kinds first: among a million entries none is read that is not one of theirs. Refuses
 * `invalid_filter` and `invalid_paging`.
 */
export async function searchLogs(
  { db }: Pick<Context, 'db'>,
  { instance }: OfficePrincipal,
  query: OfficeQuery,
  body: Readonly<Record<string, unknown>> | undefined,
): Promise<Listed<JsonText>> {
  const search = readOfficeSearch(body, SEARCHABLE)
  if ('field' in search) throw new Refusal('invalid_filter', {}, [search.field])
  const order = query.orderBy ?? 'id'
  if (!isAuditOrder(order)) throw new Refusal('invalid_filter', {}, ['orderBy'])
  const direction = readDirection(query.order, 'desc')
  const page = readPage({ limit: query.limit ?? '1000', page: query.page }, true)
  const { text, target, wanted } = search
  const valuesOf = (name: string): readonly string[] | undefined => {
    const asked = wanted.get(name)
    return asked && 'values' in asked ? asked.values : undefined
  }
  const days = wanted.get('at')
  const logs = valuesOf('log') as readonly AuditLog[] | undefined
  const wish: AuditWish = {
    logs: logs ?? AUDIT_LOGS,
    kinds: valuesOf('kind'),
    actors: valuesOf('actor'),
    abouts: valuesOf('about'),
    days: days && 'from' in days ? days : undefined,
    found:
      text === '' ? undefined : await findInLogs(db, instance.id, { text, target, logs: logs ?? AUDIT_LOGS }),
  }
  const { limit } = page
  const [rows, total] = await Promise.all([
    readAuditRows(db, instance, wish, { order, direction, limit, offset: (page.page - 1) * limit }),
    countAuditRows(db, instance, wish),
  ])
  return { items: rows.map((row) => new JsonText(row)), total, page }
}
