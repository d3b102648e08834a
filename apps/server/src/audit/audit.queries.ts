/** The SQL of audit events. */
import { statement, type Connection } from '../platform/database/database.ts'

const insertEvent = statement(
  'audit.insert',
  `insert into audit_event (instance_id, kind, actor, about) values ($1, $2, $3, $4)
   on conflict (chain, kind, actor, about, hour) where not is_deed and after is null do nothing`,
)

export type EventRow = {
  /** Null for what came to no instance. */
  readonly instanceId: string | null
  readonly kind: string
  readonly actor: string
  readonly about: string
}

/** Adds a row; once an hour for the same. */
export async function insertEventRow(db: Connection, event: EventRow): Promise<void> {
  await db.rows(insertEvent, [event.instanceId, event.kind, event.actor, event.about])
}

const insertAccess = statement(
  'audit.insertAccess',
  'insert into audit_event (instance_id, kind, actor, about, after) values ($1, $2, $3, $4, $5)',
)

/** Adds a row, always. */
export async function insertAccessRow(
  db: Connection,
  { instanceId, kind, actor, about, details }: EventRow & { readonly details: object },
): Promise<void> {
  await db.rows(insertAccess, [instanceId, kind, actor, about, JSON.stringify(details)])
}

const insertDeed = statement(
  'audit.insertDeed',
  `insert into audit_event (instance_id, kind, actor, about, is_deed, reason, before, after)
   values ($1, $2, $3, $4, true, $5, $6, $7)`,
)

export type DeedRow = EventRow & {
  readonly instanceId: string
  readonly reason: string | null
  readonly before: object | null
  readonly after: object | null
}

/** Adds a row, always. */
export async function insertDeedRow(tx: Connection, deed: DeedRow): Promise<void> {
  const json = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))
  await tx.rows(insertDeed, [
    deed.instanceId,
    deed.kind,
    deed.actor,
    deed.about,
    deed.reason,
    json(deed.before),
    json(deed.after),
  ])
}

const forget = statement('audit.forget', 'select forget_audit_events()')

/** Removes what is older than twelve months. */
export async function forgetEventRows(db: Connection): Promise<void> {
  await db.rows(forget)
}
