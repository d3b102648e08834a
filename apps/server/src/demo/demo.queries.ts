/** The SQL of the demo: its clock and its marker. */
import { statement, type Connection } from '../platform/database.ts'

const readShift = statement('demo.readShift', 'select days from clock_shift')

export async function readShiftDays(db: Connection): Promise<number> {
  return (await db.rows<{ days: number }>(readShift))[0]?.days ?? 0
}

const addShift = statement('demo.addShift', 'update clock_shift set days = days + $1 returning days')

export async function addShiftDays(db: Connection, days: number): Promise<number> {
  return (await db.rows<{ days: number }>(addShift, [days]))[0]?.days ?? 0
}

const readMarker = statement(
  'demo.readMarker',
  `select (select count(*)::int from instance) as instances,
     exists (select from demo_cast) as is_demo, exists (select from demo_cast where loaded_at is not null) as is_loaded`,
)

export type DemoMarker = { instances: number; is_demo: boolean; is_loaded: boolean }

export async function readDemoMarker(db: Connection): Promise<DemoMarker> {
  const row = (await db.rows<DemoMarker>(readMarker))[0]
  if (!row) throw new Error('the database did not answer')
  return row
}

const beginDemo = statement('demo.begin', 'insert into demo_cast default values on conflict do nothing')
const endDemo = statement('demo.end', 'update demo_cast set loaded_at = now()')

export async function markDemoBegun(db: Connection): Promise<void> {
  await db.rows(beginDemo)
}

export async function markDemoLoaded(db: Connection): Promise<void> {
  await db.rows(endDemo)
}
