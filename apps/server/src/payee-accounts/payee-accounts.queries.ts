/** The SQL of the accounts that debtors pay to, as two people have agreed them. */
import type { Currency } from '@kvitt/domain/money.ts'
import { PAYEE_ACCOUNT_WAIT_HOURS, type PayeeAccount } from '@kvitt/domain/payee-accounts/payee-account.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { asWritten, instantText, sqlJson, word } from '../platform/database/sql-json.ts'

/** Now, on the product's clock. */
const NOW = `(now() + make_interval(days => coalesce((select days from clock_shift), 0)))`

/** Whose account, in which currency; without a creditor the provider's own. */
export type Place = {
  readonly instanceId: string
  readonly creditorId: string | null
  readonly currency: Currency
}
type Key = { readonly instanceId: string; readonly id: string }
type Whose = Omit<Place, 'currency'>

const STATE = `case when e.outcome is null then 'WAITING' when e.outcome = 'STOPPED' then 'STOPPED'
  when exists (select from payee_account n join payee_account_end ne on ne.instance_id = n.instance_id and ne.payee_id = n.id
    where n.instance_id = g.instance_id and n.creditor_id is not distinct from g.creditor_id and n.currency = g.currency
      and ne.outcome = 'HOLDS' and n.position > g.position) then 'REPLACED' else 'CURRENT' end`
const FROM = `payee_account g
  left join payee_account_end e on e.instance_id = g.instance_id and e.payee_id = g.id
  join proposal x on x.instance_id = g.instance_id and x.id = g.proposal_id`
const nameOf = (column: string): string => `(select p.name from person p where p.id = ${column})`
const JSON_OF = sqlJson({
  id: word('g.id'),
  currency: word('g.currency'),
  scheme: word('g.scheme'),
  number: word('g.number'),
  bic: 'g.bic',
  receiverName: 'g.receiver_name',
  holder: word('g.holder'),
  state: word(STATE),
  proposedBy: nameOf('x.proposed_by'),
  agreedBy: nameOf('x.decided_by'),
  agreedAt: instantText('g.agreed_at'),
  usableFrom: instantText('g.usable_from'),
  stoppedBy: nameOf('e.stopped_by'),
  stoppedAt: instantText(`case when e.outcome = 'STOPPED' then e.ended_at end`),
  stopReason: 'e.reason',
})
const PROPOSED = sqlJson({
  id: word('x.id'),
  currency: `x.after ->> 'currency'`,
  scheme: `x.after ->> 'scheme'`,
  number: `x.after ->> 'number'`,
  bic: `x.after ->> 'bic'`,
  receiverName: `x.after ->> 'receiverName'`,
  proposedBy: nameOf('x.proposed_by'),
  proposedAt: instantText('x.proposed_at'),
})

const listed = statement(
  'payeeAccounts.listed',
  `select ${sqlJson({
    accounts:
      asWritten(`'[' || coalesce((select string_agg(${JSON_OF}, ',' order by g.position desc) from ${FROM}
      where g.instance_id = $1 and g.creditor_id is not distinct from $2::uuid), '') || ']'`),
    proposed:
      asWritten(`'[' || coalesce((select string_agg(${PROPOSED}, ',' order by x.proposed_at desc, x.id) from proposal x
      where x.instance_id = $1 and x.creditor_id is not distinct from $2::uuid and x.kind = 'payee_account' and x.status = 'OPEN'),
      '') || ']'`),
  })} as json`,
)

/** All that were agreed, and what is proposed. */
export async function readListed(db: Connection, { instanceId, creditorId }: Whose): Promise<object> {
  const [row] = await db.rows<{ json: string }>(listed, [instanceId, creditorId])
  return JSON.parse(row?.json ?? '{}') as object
}

const one = statement(
  'payeeAccounts.one',
  `select ${JSON_OF} as json from ${FROM} where g.instance_id = $1 and g.id = $2`,
)

/** As the wire has it. */
export async function readPayeeJson(db: Connection, { instanceId, id }: Key): Promise<string | undefined> {
  return (await db.rows<{ json: string }>(one, [instanceId, id]))[0]?.json
}

const COLUMNS = `g.id, g.creditor_id as "creditorId", g.currency, g.scheme, g.number, g.bic, g.receiver_name as "receiverName", g.holder`
export type PayeeRow = PayeeAccount & { readonly id: string; readonly creditorId: string | null }

const found = statement(
  'payeeAccounts.found',
  `select ${COLUMNS} from payee_account g where g.instance_id = $1 and g.id = $2`,
)

/** Undefined at another provider. */
export async function findPayeeRow(db: Connection, { instanceId, id }: Key): Promise<PayeeRow | undefined> {
  return (await db.rows<PayeeRow>(found, [instanceId, id]))[0]
}

const holding = statement(
  'payeeAccounts.holding',
  `select ${COLUMNS} from ${FROM} where g.instance_id = $1 and g.creditor_id is not distinct from $2::uuid and g.currency = $3
     and e.outcome = 'HOLDS' order by g.position desc limit 1`,
)

/** What was agreed of a place and is shown. */
export async function readHolding(
  db: Connection,
  { instanceId, creditorId, currency }: Place,
): Promise<PayeeRow | undefined> {
  return (await db.rows<PayeeRow>(holding, [instanceId, creditorId, currency]))[0]
}

const waiting = statement(
  'payeeAccounts.waiting',
  `select g.id from ${FROM} where g.instance_id = $1 and g.creditor_id is not distinct from $2::uuid and g.currency = $3
     and e.payee_id is null`,
)

/** Does one that was agreed wait for its time? */
export async function isOneWaiting(
  db: Connection,
  { instanceId, creditorId, currency }: Place,
): Promise<boolean> {
  return (await db.rows(waiting, [instanceId, creditorId, currency])).length > 0
}

const lockCreditor = statement(
  'payeeAccounts.lockCreditor',
  'select id from creditor where instance_id = $1 and id = $2 for no key update',
)
const lockInstance = statement(
  'payeeAccounts.lockInstance',
  `select pg_advisory_xact_lock(hashtextextended('payee-accounts ' || $1::text, 0))`,
)

/** Whoever else decides about accounts of the provider waits. Answers whether there is such a creditor. */
export async function lockPlace(tx: Transaction, { instanceId, creditorId }: Whose): Promise<boolean> {
  await tx.rows(lockInstance, [instanceId])
  return creditorId === null || (await tx.rows(lockCreditor, [instanceId, creditorId])).length === 1
}

const insert = statement(
  'payeeAccounts.insert',
  `insert into payee_account (instance_id, id, creditor_id, currency, scheme, number, bic, receiver_name, holder, proposal_id,
     agreed_at, usable_from)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ${NOW}, ${NOW} + interval '${PAYEE_ACCOUNT_WAIT_HOURS} hours')
   returning usable_from`,
)

/** Answers the moment from which debtors are shown it. */
export async function insertPayeeRow(
  tx: Transaction,
  { instanceId, creditorId }: Whose,
  row: PayeeAccount & { readonly id: string; readonly proposalId: string },
): Promise<string> {
  const { id, currency, scheme, number, bic, receiverName, holder, proposalId } = row
  const values = [instanceId, id, creditorId, currency, scheme, number, bic, receiverName, holder, proposalId]
  return (await tx.rows<{ usable_from: string }>(insert, values))[0]?.usable_from ?? ''
}

const stop = statement(
  'payeeAccounts.stop',
  `insert into payee_account_end (instance_id, payee_id, outcome, stopped_by, reason, ended_at)
   select g.instance_id, g.id, 'STOPPED', $3, $4, ${NOW} from payee_account g
   where g.instance_id = $1 and g.id = $2 and g.usable_from > ${NOW}
   on conflict (instance_id, payee_id) do nothing returning payee_id`,
)

/** Answers false when it does not wait any more. */
export async function stopRow(
  tx: Transaction,
  { instanceId, id }: Key,
  { personId, reason }: { readonly personId: string; readonly reason: string },
): Promise<boolean> {
  return (await tx.rows(stop, [instanceId, id, personId, reason])).length === 1
}

const due = statement(
  'payeeAccounts.due',
  `select ${COLUMNS} from ${FROM} where g.instance_id = $1 and e.payee_id is null and g.usable_from <= ${NOW}
   order by g.usable_from, g.position`,
)

/** Those that have waited. */
export function readDue(db: Connection, instanceId: string): Promise<PayeeRow[]> {
  return db.rows<PayeeRow>(due, [instanceId])
}

const ended = statement(
  'payeeAccounts.ended',
  'select payee_id from payee_account_end where instance_id = $1 and payee_id = $2',
)
const end = statement(
  'payeeAccounts.end',
  `insert into payee_account_end (instance_id, payee_id, outcome, account_id, ended_at)
   values ($1, $2, case when $3::uuid is null then 'STOPPED' else 'HOLDS' end, $3, ${NOW})`,
)

/** Has another process been first? Ask under lockPlace. */
export async function isEnded(tx: Transaction, { instanceId, id }: Key): Promise<boolean> {
  return (await tx.rows(ended, [instanceId, id])).length === 1
}

/** It holds from now on, as that account; or, where somebody else has its number, it never does. */
export async function endRow(
  tx: Transaction,
  { instanceId, id }: Key,
  accountId: string | undefined,
): Promise<void> {
  await tx.rows(end, [instanceId, id, accountId ?? null])
}

const managers = statement(
  'payeeAccounts.managersTold',
  `select distinct p.email, p.name from membership m join person p on p.id = m.person_id
   where m.instance_id = $1 and m.ended_at is null and case when m.creditor_id is null
     then m.role in ('manager', 'approver', 'finance', 'auditor')
     else m.role = 'manager' and ($2::uuid is null or m.creditor_id = $2) end
   order by p.email`,
)
const creditorName = statement(
  'payeeAccounts.creditorName',
  'select name from creditor where instance_id = $1 and id = $2',
)

/**
 * Each once: of the operator everybody who answers for money, so that no two who agree with each other are the only ones who know; the
 * managers of the creditor whose account it is, and of all creditors when it is the provider's own, which many of their debtors pay to.
 */
export function readTold(
  tx: Transaction,
  { instanceId, creditorId }: Whose,
): Promise<{ readonly email: string; readonly name: string }[]> {
  return tx.rows(managers, [instanceId, creditorId])
}

export async function readCreditorName(
  db: Connection,
  { instanceId, creditorId }: Whose,
): Promise<string | undefined> {
  return (await db.rows<{ name: string }>(creditorName, [instanceId, creditorId]))[0]?.name
}
