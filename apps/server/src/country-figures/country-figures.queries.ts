/** The SQL of rates, fees and ceilings that a provider's people have entered, and of what they concern. */
import { setTimeout } from 'node:timers/promises'
import type { EnteredFigure, FigureValue } from '@kvitt/domain/collection/entered-figures.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { instantText } from '../platform/database/sql-json.ts'
import { tasksOf } from '../tasks/tasks.ts'

const entered = statement(
  'countryFigures.entered',
  `select country, figure, from_day::text as "from", value, source from country_figure where instance_id = $1 order by position`,
)

/** In the order of their entry. */
export function readEnteredRows(db: Connection, instanceId: string): Promise<EnteredFigure[]> {
  return db.rows<EnteredFigure>(entered, [instanceId])
}

const key = `hashtextextended('country-figures ' || $1::text, 0)`
const share = statement('countryFigures.share', `select pg_advisory_xact_lock_shared(${key})`)
/** Half of this is how much longer than it has to it takes, as a mean. */
const EACH_MS = 25
const tryLock = statement('countryFigures.lock', `select pg_try_advisory_xact_lock(${key}) as "isHeld"`)
/** Below what a statement may take, with whatever else the act does. */
const LONGEST_WAIT_MS = 4_000

/** Until the end of the transaction nobody enters a figure; others who charge go on beside it. */
export async function shareFigures(tx: Transaction, instanceId: string): Promise<void> {
  await tx.rows(share, [instanceId])
}

/**
 * Whoever charges or enters waits until the end of the transaction. It never stands in the queue: whoever charges holds debts and accounts,
 * and would wait behind it for those who wait for that debt. Answers false where others charged all the time; nothing has changed then.
 */
export async function tryFigures(tx: Transaction, instanceId: string): Promise<boolean> {
  for (let waited = 0; waited <= LONGEST_WAIT_MS; waited += EACH_MS) {
    if (waited > 0) await setTimeout(EACH_MS)
    const [row] = await tx.rows<{ isHeld: boolean }>(tryLock, [instanceId])
    if (row?.isHeld) return true
  }
  return false
}

const insert = statement(
  'countryFigures.insert',
  `insert into country_figure (instance_id, id, country, figure, from_day, value, source, proposal_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

export async function insertFigureRow(
  tx: Transaction,
  instanceId: string,
  row: EnteredFigure & { readonly id: string; readonly proposalId: string },
): Promise<void> {
  const { id, country, figure, from, value, source, proposalId } = row
  await tx.rows(insert, [instanceId, id, country, figure, from, JSON.stringify(value), source, proposalId])
}

const nameOf = (column: string): string => `(select p.name from person p where p.id = ${column})`

const listed = statement(
  'countryFigures.listed',
  `select f.country, f.figure, f.from_day::text as "from", f.value, f.source, ${nameOf('x.proposed_by')} as "enteredBy",
     ${nameOf('x.decided_by')} as "agreedBy", ${instantText('f.agreed_at')} as "agreedAt"
   from country_figure f join proposal x on x.instance_id = f.instance_id and x.id = f.proposal_id
   where f.instance_id = $1 order by f.position`,
)

export type ListedFigure = EnteredFigure & {
  readonly enteredBy: string
  readonly agreedBy: string
  readonly agreedAt: string
}

export function readListedRows(db: Connection, instanceId: string): Promise<ListedFigure[]> {
  return db.rows<ListedFigure>(listed, [instanceId])
}

const proposed = statement(
  'countryFigures.proposed',
  `select x.id, x.after, ${nameOf('x.proposed_by')} as "proposedBy", ${instantText('x.proposed_at')} as "proposedAt"
   from proposal x where x.instance_id = $1 and x.kind = 'country_figure' and x.status = 'OPEN' order by x.proposed_at, x.id`,
)

/** `after` as a proposal has it. */
export type ProposedFigure = {
  readonly id: string
  readonly after: {
    readonly country: string
    readonly figure: string
    readonly from: string
    readonly source: string
  } & Partial<
    Extract<FigureValue, { percent: string; isOverReference: boolean }> &
      Extract<FigureValue, { bands: unknown }>
  >
  readonly proposedBy: string
  readonly proposedAt: string
}

export function readProposedRows(db: Connection, instanceId: string): Promise<ProposedFigure[]> {
  return db.rows<ProposedFigure>(proposed, [instanceId])
}

const asked = statement(
  'countryFigures.asked',
  `select k.id, k.kind, k.about, k.details ->> 'debt' as debt, k.details ->> 'neededOn' as "neededOn"
   from ${tasksOf(['rate_unknown', 'ceiling_unknown'])} k where k.instance_id = $1 order by k.created_at, k.id`,
)

/** What somebody is asked for. */
export type AskedRow = {
  readonly id: string
  readonly kind: 'rate_unknown' | 'ceiling_unknown'
  readonly about: string
  readonly debt: string | null
  readonly neededOn: string | null
}

export function readAskedRows(db: Connection, instanceId: string): Promise<AskedRow[]> {
  return db.rows<AskedRow>(asked, [instanceId])
}

const openDebts = statement(
  'countryFigures.openDebts',
  `select c.country, d.kind, x.currency, count(*)::int as count
   from (select creditor_id, debtor_id, currency from invoice where instance_id = $1 and balance_minor > 0
           and status in ('ACTIVATED', 'PAUSED', 'DISPUTED', 'PENDING_AUTHORIZATION')
         union all
         select creditor_id, debtor_id, currency from claim where instance_id = $1 and balance_minor > 0
           and status not in ('CLOSED', 'STOPPED')) x
   join creditor c on c.instance_id = $1 and c.id = x.creditor_id
   join debtor d on d.instance_id = $1 and d.id = x.debtor_id
   group by 1, 2, 3`,
)
const applications = statement(
  'countryFigures.applications',
  `select c.country, d.kind, count(*)::int as count from collection_step s
   join claim k on k.instance_id = s.instance_id and k.id = s.claim_id
   join creditor c on c.instance_id = k.instance_id and c.id = k.creditor_id
   join debtor d on d.instance_id = k.instance_id and d.id = k.debtor_id
   where s.instance_id = $1 and s.type = 'BAILIFF_PAYMENT_INJUCTION' and s.status = 'PERFORMED'
     and not exists (select from ledger_transaction t where t.instance_id = s.instance_id and t.cause = 'step:' || s.id)
   group by 1, 2`,
)
const creditors = statement(
  'countryFigures.creditors',
  'select country, count(*)::int as count from creditor where instance_id = $1 group by 1',
)

/** Invoices and claims that are owed something, by the country of the creditor. */
export function countOpenDebts(
  db: Connection,
  instanceId: string,
): Promise<{ country: string; kind: 'PERSON' | 'COMPANY'; currency: string; count: number }[]> {
  return db.rows(openDebts, [instanceId])
}

/** Applications that were recorded without what they cost. */
export function countWithoutCost(
  db: Connection,
  instanceId: string,
): Promise<{ country: string; kind: 'PERSON' | 'COMPANY'; count: number }[]> {
  return db.rows(applications, [instanceId])
}

export function countCreditors(
  db: Connection,
  instanceId: string,
): Promise<{ country: string; count: number }[]> {
  return db.rows(creditors, [instanceId])
}

const mode = statement('countryFigures.mode', `select mode = 'live' as "isLive" from instance where id = $1`)

export async function readIsLive(db: Connection, instanceId: string): Promise<boolean> {
  return (await db.rows<{ isLive: boolean }>(mode, [instanceId]))[0]?.isLive ?? false
}
