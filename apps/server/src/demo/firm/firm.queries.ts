/** The SQL of the demo's firm: how far it is, and how its debts stand. */
import { statement, type Connection } from '../../platform/database/database.ts'
import { tasksOf } from '../../tasks/tasks.ts'

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
     c.balance_minor as claim_balance_minor,
     exists (select from dispute d where d.instance_id = i.instance_id and d.invoice_id = i.id) as was_disputed
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
  readonly was_disputed: boolean
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

const member = statement(
  'firm.member',
  `select m.id as membership_id, p.id as person_id from membership m join person p on p.id = m.person_id
   where m.instance_id = $1 and p.email = $2 and p.is_demo and m.ended_at is null`,
)

export type FirmMember = { readonly membership_id: string; readonly person_id: string }

/** One of the cast's staff. */
export async function findMember(
  db: Connection,
  instanceId: string,
  email: string,
): Promise<FirmMember | undefined> {
  return (await db.rows<FirmMember>(member, [instanceId, email]))[0]
}

const debtorOf = statement(
  'firm.debtorOf',
  'select debtor_id as id from invoice where instance_id = $1 and invoice_number = $2',
)

export async function readDebtorOf(db: Connection, instanceId: string, number: string): Promise<string> {
  const found = (await db.rows<{ id: string }>(debtorOf, [instanceId, number]))[0]
  if (!found) throw new Error(`there is no ${number}`)
  return found.id
}

const waitingClaim = statement(
  'firm.waitingClaim',
  `select c.id from claim c
   join debtor d on d.instance_id = c.instance_id and d.id = c.debtor_id and ${FIRM_DEBTOR}
   join creditor r on r.instance_id = c.instance_id and r.id = c.creditor_id
   join invoice i on i.instance_id = c.instance_id and i.claim_id = c.id and i.invoice_number like 'E-%'
   where c.instance_id = $1 and c.status = 'OPEN' and not c.is_part_payment and d.kind = 'PERSON'
     and exists (select from ${tasksOf(['schedule_ended'])} t where t.instance_id = c.instance_id and t.about = 'claim:' || c.id)
     and not exists (select from ${tasksOf(['court_to_file'])} t where t.instance_id = c.instance_id)
   order by c.claim_number limit 1`,
)

/** A claim of the energy company whose schedule has ended; undefined when one is to be taken to a court already. */
export async function readWaitingClaim(db: Connection, instanceId: string): Promise<string | undefined> {
  return (await db.rows<{ id: string }>(waitingClaim, [instanceId]))[0]?.id
}

const creditors = statement(
  'firm.creditors',
  `select c.id, c.name, exists (select from payout_account a where a.instance_id = c.instance_id and a.creditor_id = c.id) as has_account
   from creditor c where c.instance_id = $1 and c.name = any($2::text[]) order by c.name`,
)

export function findCreditors(
  db: Connection,
  instanceId: string,
  names: readonly string[],
): Promise<{ readonly id: string; readonly name: string; readonly has_account: boolean }[]> {
  return db.rows(creditors, [instanceId, names])
}

const settlements = statement(
  'firm.settlements',
  `select id, status from settlement where instance_id = $1 and creditor_id = $2 and currency = 'SEK' order by number`,
)

/** In the order of their months. */
export function readSettlements(
  db: Connection,
  instanceId: string,
  creditorId: string,
): Promise<{ readonly id: string; readonly status: string }[]> {
  return db.rows(settlements, [instanceId, creditorId])
}

const openDispute = statement(
  'firm.openDispute',
  `select id from dispute where instance_id = $1 and invoice_id = $2 and status = 'OPEN'`,
)

export async function findOpenDispute(
  db: Connection,
  instanceId: string,
  invoiceId: string,
): Promise<string | undefined> {
  return (await db.rows<{ id: string }>(openDispute, [instanceId, invoiceId]))[0]?.id
}

const openProposal = statement(
  'firm.openProposal',
  `select id from proposal where instance_id = $1 and about = $2 and status = 'OPEN'`,
)

export async function findOpenProposal(
  db: Connection,
  instanceId: string,
  about: string,
): Promise<string | undefined> {
  return (await db.rows<{ id: string }>(openProposal, [instanceId, about]))[0]?.id
}

const instalments = statement(
  'firm.instalments',
  `select i.invoice_number as number, i.payment_reference as reference, i.balance_minor
   from invoice i join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id and ${FIRM_DEBTOR}
   where i.instance_id = $1 and i.type = 'PART_INVOICE' and i.status = 'ACTIVATED' and i.balance_minor > 0
     and i.expire_date > $2 and i.expire_date <= $3 order by i.invoice_number`,
)

export type FirmInstalment = {
  readonly number: string
  readonly reference: string
  readonly balance_minor: number
}

/** Instalments of the firm's plans that are due on a day after `after`, up to `until`. */
export function readInstalmentsDue(
  db: Connection,
  instanceId: string,
  { after, until }: { readonly after: string; readonly until: string },
): Promise<FirmInstalment[]> {
  return db.rows<FirmInstalment>(instalments, [instanceId, after, until])
}
