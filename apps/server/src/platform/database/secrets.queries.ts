/** The SQL of secrets that the installation makes for itself. */
import { randomBytes } from 'node:crypto'
import { statement, type Connection } from './database.ts'

const makeSecret = statement(
  'secrets.make',
  'insert into secret (name, value) values ($1, $2) on conflict (name) do nothing',
)
const readSecret = statement('secrets.read', 'select value from secret where name = $1')

/** The 32 random bytes kept under `name`, made at the first call. All processes get the same. */
export async function readOrMakeSecret(db: Connection, name: string): Promise<Uint8Array> {
  await db.rows(makeSecret, [name, randomBytes(32)])
  const row = (await db.rows<{ value: Buffer }>(readSecret, [name]))[0]
  if (!row) throw new Error(`the secret ${name} was not kept`)
  return row.value
}
