/** The SQL of the demo's firm: how far it is, and how its debts stand. */
import { statement, type Connection } from '../../platform/database/database.ts'

export type FirmRow = { readonly today: string; readonly next_day: string; readonly is_made: boolean }

const begin = statement(
  'firm.begin',
  'insert into demo_firm (today, next_day) values ($1, $2) on conflict do nothing',
)

/** The firm is to be made, of the days from `nextDay` to `today`. */
export async function beginFirmRow(db: Connection, today: string, nextDay: string): Promise<void> {
  await db.rows(begin, [today, nextDay])
}

const read = statement('firm.read', 'select today, next_day, made_at is not null as is_made from demo_firm')

/** Undefined in a demo without the firm. */
export async function readFirmRow(db: Connection): Promise<FirmRow | undefined> {
  return (await db.rows<FirmRow>(read))[0]
}

const pass = statement('firm.pass', 'update demo_firm set next_day = $1::date + 1 where next_day = $1')

/** All of `day` has been lived through. */
export async function passDayRow(db: Connection, day: string): Promise<void> {
  await db.rows(pass, [day])
}

const end = statement('firm.end', 'update demo_firm set made_at = now() where made_at is null')

export async function endFirmRow(db: Connection): Promise<void> {
  await db.rows(end)
}

const state = statement(
  'firm.state',
  `select i.invoice_number as number, i.id, i.status, i.balance_minor, c.payment_reference as claim_reference,
     c.balance_minor as claim_balance_minor
   from invoice i left join claim c on c.instance_id = i.instance_id and c.id = i.claim_id
   where i.instance_id = $1 and i.invoice_number = any($2::text[])`,
)

export type FirmDebt = {
  readonly number: string
  readonly id: string
  readonly status: string
  readonly balance_minor: number
  /** Of the claim that holds it. */
  readonly claim_reference: string | null
  readonly claim_balance_minor: number | null
}

export async function readFirmDebts(
  db: Connection,
  instanceId: string,
  numbers: readonly string[],
): Promise<Map<string, FirmDebt>> {
  const rows = await db.rows<FirmDebt>(state, [instanceId, numbers])
  return new Map(rows.map((row) => [row.number, row]))
}

const fileKnown = statement(
  'firm.fileKnown',
  'select exists (select from bank_file where instance_id = $1 and name = $2) as is_known',
)

export async function isFileKnown(db: Connection, instanceId: string, name: string): Promise<boolean> {
  return (await db.rows<{ is_known: boolean }>(fileKnown, [instanceId, name]))[0]?.is_known ?? false
}

/** Debtors of the firm are known by an address that only the recipe gives. */
const FIRM_DEBTOR = `d.email ~ '^(energy|gym)-[0-9]+@example[.]com$'`

const sendPast = statement(
  'firm.sendPast',
  `update mail_outbox m set status = 'SENT', sent_at = now(), last_error = 'past'
   where m.status = 'WAITING' and m.instance_id = $1 and exists (select from demo_firm where made_at is null) and (
     exists (select from invoice i join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id
       where i.instance_id = m.instance_id and i.id = m.invoice_id and ${FIRM_DEBTOR})
     or exists (select from claim c join debtor d on d.instance_id = c.instance_id and d.id = c.debtor_id
       where c.instance_id = m.instance_id and c.id = m.claim_id and ${FIRM_DEBTOR}))`,
)

/** What the firm's customers were told in its past has been sent then. */
export async function sendPastOfFirm(db: Connection, instanceId: string): Promise<void> {
  await db.rows(sendPast, [instanceId])
}

const held = statement(
  'firm.held',
  `select exists (select from work_lease where instance_id = $1 and work = 'night' and day = $2 and until > now()) as is_held`,
)

/** Is somebody in the daily run of that day, or was until half a minute ago? */
export async function isRunHeld(db: Connection, instanceId: string, day: string): Promise<boolean> {
  return (await db.rows<{ is_held: boolean }>(held, [instanceId, day]))[0]?.is_held ?? false
}
