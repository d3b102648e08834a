/** The SQL of a creditor's keys. */
import { KEY_SCOPES } from '@kvitt/domain/staff/roles.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { asWritten, instantText, sqlJson, word } from '../platform/database/sql-json.ts'
import { openOfficeList, openOfficeRow, type OfficeListShape } from '../staff/office-list.ts'
import type { ClientPrincipal } from '../staff/staff.ts'

const OF_CREDITOR = 'api_key k where k.instance_id = $1 and k.creditor_id = $2'
const JSON_OF_KEY = sqlJson({
  id: word('k.id'),
  name: 'k.name',
  lastFour: 'k.last_four',
  scopes: asWritten('to_json(k.scopes)::text'),
  createdAt: instantText('k.created_at'),
  expiresAt: instantText('k.expires_at'),
  usedAt: instantText('k.used_at'),
  revokedAt: instantText('k.revoked_at'),
})

const SHAPE: OfficeListShape = {
  name: 'apiKeys.office',
  from: () => OF_CREDITOR,
  json: JSON_OF_KEY,
  targets: { name: 'k.name' },
  filters: {
    scopes: { kind: 'choice', values: KEY_SCOPES, sql: `array_to_string(k.scopes, ' ')` },
    isRevoked: { kind: 'flag', sql: '(k.revoked_at is not null)::text' },
  },
  orders: { id: 'k.created_at', name: 'k.name' },
  tie: 'k.id',
}

export const searchKeyRows = openOfficeList(SHAPE)

/** One of the creditor's keys. */
export const readKeyJson = openOfficeRow(SHAPE)

const key = statement('apiKeys.one', `select k.id, k.revoked_at from ${OF_CREDITOR} and k.id = $3`)

export async function readKeyRow(
  db: Connection,
  { instance, creditorId }: ClientPrincipal,
  id: string,
): Promise<{ id: string; revoked_at: string | null } | undefined> {
  const rows = await db.rows<{ id: string; revoked_at: string | null }>(key, [instance.id, creditorId, id])
  return rows[0]
}

const revoke = statement(
  'apiKeys.revoke',
  'update api_key set revoked_at = $3 where instance_id = $1 and id = $2 and revoked_at is null returning 1',
)

/** Answers whether it was not revoked before. */
export async function revokeKeyRow(
  tx: Transaction,
  { instanceId, id, at }: { instanceId: string; id: string; at: string },
): Promise<boolean> {
  return (await tx.rows(revoke, [instanceId, id, at])).length === 1
}
