/** The SQL of what is paid out: settlements with the account that they go to, and the files that they leave in. */
import { CURRENCIES, type Currency } from '@kvitt/domain/money.ts'
import type { PayoutScheme } from '@kvitt/domain/payouts/payout-account.ts'
import { PAYOUT_FILE_KINDS, type PayoutFileKind, type PayoutStatus } from '@kvitt/domain/payouts/payout.ts'
import type { SettlementStatus } from '@kvitt/domain/settlements/settlement.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { amount, asWritten, instantText, sqlJson, word } from '../platform/database/sql-json.ts'
import { tasksOf } from '../tasks/tasks.ts'
import { openOfficeList, openOfficeRow, type OfficeListShape } from '../staff/office-list.ts'

/** A settlement with the account that holds for its creditor and currency; null where there is none. */
export type PayableRow = {
  readonly id: string
  readonly number: number
  readonly from: string
  readonly to: string
  readonly creditorId: string
  readonly creditor: string
  readonly currency: Currency
  readonly amountMinor: number
  readonly status: SettlementStatus
  readonly accountId: string | null
  readonly scheme: PayoutScheme | null
  readonly account: string | null
  readonly bic: string | null
  readonly receiverName: string | null
  readonly isUsable: boolean | null
}

const payable = (name: string, condition: string) =>
  statement(
    name,
    `select s.id, s.number, s.period_from as "from", s.period_to as "to", s.creditor_id as "creditorId", c.name as creditor, s.currency,
       s.paid_out_minor as "amountMinor", s.status, a.id as "accountId", a.scheme, a.number as account, a.bic,
       a.receiver_name as "receiverName",
       a.usable_from <= now() + make_interval(days => coalesce((select days from clock_shift), 0)) as "isUsable"
     from settlement s join creditor c on c.instance_id = s.instance_id and c.id = s.creditor_id
     left join lateral (select * from payout_account o where o.instance_id = s.instance_id and o.creditor_id = s.creditor_id
       and o.currency = s.currency order by o.position desc limit 1) a on true
     where s.instance_id = $1 and ${condition} order by s.id for no key update of s`,
  )
const named = payable('payoutDesk.named', 's.id = any($2)')
const approved = payable('payoutDesk.approved', `s.currency = $2 and s.status = 'APPROVED'`)

/** These settlements, locked in one order. */
export function lockSettlements(
  tx: Transaction,
  instanceId: string,
  ids: readonly string[],
): Promise<PayableRow[]> {
  return tx.rows<PayableRow>(named, [instanceId, ids])
}

/** All that are approved in a currency, locked. */
export function lockApproved(tx: Transaction, instanceId: string, currency: string): Promise<PayableRow[]> {
  return tx.rows<PayableRow>(approved, [instanceId, currency])
}

export type PayerRow = {
  readonly id: string
  readonly scheme: 'IBAN' | 'BANKGIRO' | 'PLUSGIRO'
  readonly number: string
  readonly bic: string | null
  readonly name: string
}

const payer = statement(
  'payoutDesk.payer',
  `select p.id, case when p.iban is null then p.scheme else 'IBAN' end as scheme,
     coalesce(p.iban, regexp_replace(p.account_number, '[^0-9]', '', 'g')) as number, p.bic, p.receiver_name as name
   from payment_account p where p.instance_id = $1 and p.creditor_id is null and p.holder = 'INSTANCE' and p.is_usable and p.joined_to is null
     and p.scheme in ('IBAN', 'BANKGIRO', 'PLUSGIRO')
     and (p.currency = $2 or p.currency is null and (p.scheme = 'IBAN' or $2 = 'SEK'))
   order by p.currency is null, p.chosen_at desc, p.id limit 1`,
)

/** The account of client funds that money in a currency leaves; undefined where the provider has none. */
export async function readPayer(
  db: Connection,
  instanceId: string,
  currency: string,
): Promise<PayerRow | undefined> {
  return (await db.rows<PayerRow>(payer, [instanceId, currency]))[0]
}

const operatorsPart = statement(
  'payoutDesk.operatorsPart',
  `select operators_part($1, s.id) as minor from settlement s where s.instance_id = $1 and s.id = $2
     and not exists (select from ledger_transaction t where t.instance_id = $1 and t.cause = 'fees:settlement:' || s.id)`,
)

/** What the operator keeps with this payout; zero where it has left with an earlier one. */
export async function readOperatorsPart(
  tx: Transaction,
  instanceId: string,
  settlementId: string,
): Promise<number> {
  return (await tx.rows<{ minor: number }>(operatorsPart, [instanceId, settlementId]))[0]?.minor ?? 0
}

const short = statement(
  'payoutDesk.short',
  `select c.name from ledger_account a join creditor c on c.instance_id = a.instance_id and c.id = a.creditor_id
   where a.instance_id = $1 and a.kind = 'held_for_creditor' and a.currency = $2 and a.creditor_id = any($3) and a.balance_minor > 0
   order by c.name`,
)

/** The creditors for whom less than nothing would be held now. After the postings, which have locked their accounts. */
export async function readShort(
  tx: Transaction,
  instanceId: string,
  { currency, creditorIds }: { readonly currency: string; readonly creditorIds: readonly string[] },
): Promise<string[]> {
  return (await tx.rows<{ name: string }>(short, [instanceId, currency, creditorIds])).map(({ name }) => name)
}

const insertFile = statement(
  'payoutDesk.insertFile',
  `insert into payout_file (instance_id, id, message_id, currency, account_id, from_account, execution_on, payout_count, amount_minor,
     content, proposal_id, kind)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
)
const insertPayouts = statement(
  'payoutDesk.insertPayouts',
  `insert into payout (instance_id, id, file_id, settlement_id, account_id, amount_minor)
   select $1, p.id, $2, p.settlement_id, p.account_id, p.amount_minor
   from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::bigint[]) as p (id, settlement_id, account_id, amount_minor)`,
)

export type NewFile = {
  readonly kind: PayoutFileKind
  readonly id: string
  readonly messageId: string
  readonly currency: string
  readonly payer: PayerRow
  readonly executionDate: string
  readonly amountMinor: number
  readonly content: string
  readonly proposalId: string
  readonly count: number
}

export async function insertFileRow(tx: Transaction, instanceId: string, file: NewFile): Promise<void> {
  const { id, messageId, currency, payer: from, executionDate, amountMinor, content } = file
  const sums = [executionDate, file.count, amountMinor, content, file.proposalId, file.kind]
  await tx.rows(insertFile, [instanceId, id, messageId, currency, from.id, from.number, ...sums])
}

export type NewPayout = {
  readonly id: string
  readonly settlementId: string
  readonly accountId: string
  readonly amountMinor: number
}

/** The settlements of a file that is there. */
export async function insertPayoutRows(
  tx: Transaction,
  instanceId: string,
  { fileId, payouts }: { readonly fileId: string; readonly payouts: readonly NewPayout[] },
): Promise<void> {
  await tx.rows(insertPayouts, [
    instanceId,
    fileId,
    payouts.map((payout) => payout.id),
    payouts.map(({ settlementId }) => settlementId),
    payouts.map(({ accountId }) => accountId),
    payouts.map((payout) => payout.amountMinor),
  ])
}

const states = (status: PayoutStatus): ReturnType<typeof asWritten> =>
  asWritten(
    `(select count(*)::text from payout o where o.instance_id = f.instance_id and o.file_id = f.id and o.status = '${status}')`,
  )
const personOf = (column: string): string =>
  `(select p.name from proposal r join person p on p.id = r.${column} where r.instance_id = f.instance_id and r.id = f.proposal_id)`

const SHAPE: OfficeListShape = {
  name: 'payouts.office',
  from: (whose) => `payout_file f where f.instance_id = $1 and ${whose('null::uuid')}`,
  json: sqlJson({
    id: word('f.id'),
    version: asWritten('f.xmin::text'),
    messageId: word('f.message_id'),
    kind: word('f.kind'),
    currency: word('f.currency'),
    amount: amount('f.amount_minor'),
    count: asWritten('f.payout_count::text'),
    states: {
      sent: states('SENT'),
      accepted: states('ACCEPTED'),
      paid: states('PAID'),
      refused: states('REFUSED'),
      returned: states('RETURNED'),
      notExecuted: states('NOT_EXECUTED'),
    },
    from: word('f.from_account'),
    executionDate: word('f.execution_on'),
    madeAt: instantText('f.made_at'),
    proposedBy: personOf('proposed_by'),
    approvedBy: personOf('decided_by'),
  }),
  targets: { number: 'f.message_id' },
  filters: {
    id: { kind: 'id', sql: 'f.id::text' },
    currency: { kind: 'choice', values: CURRENCIES, sql: 'f.currency' },
    kind: { kind: 'choice', values: PAYOUT_FILE_KINDS, sql: 'f.kind' },
    madeAt: { kind: 'day', sql: 'f.made_at::date' },
    amount: { kind: 'amount', sql: 'f.amount_minor' },
  },
  orders: { id: 'f.made_at', madeAt: 'f.made_at', amount: 'f.amount_minor' },
  tie: 'f.id',
}
export const searchFileRows = openOfficeList(SHAPE)
export const readFileJson = openOfficeRow(SHAPE)

const ofFile = statement(
  'payoutDesk.ofFile',
  `select o.id, s.id as "settlementId", s.number as "settlementNumber", c.id as "creditorId", c.name as creditor,
     o.amount_minor as "amountMinor", f.currency, coalesce(a.scheme, o.scheme) as scheme, coalesce(a.number, o.number) as number,
     coalesce(a.receiver_name, o.receiver_name) as "receiverName", o.status, o.reason, o.task_id as "taskId", k.kind as "taskKind"
   from payout o join payout_file f on f.instance_id = o.instance_id and f.id = o.file_id
   left join settlement s on s.instance_id = o.instance_id and s.id = o.settlement_id
   left join creditor c on c.instance_id = s.instance_id and c.id = s.creditor_id
   left join payout_account a on a.instance_id = o.instance_id and a.id = o.account_id
   left join ${tasksOf(['refund', 'send_back'], 'all')} k on k.instance_id = o.instance_id and k.id = o.task_id
   where o.instance_id = $1 and o.file_id = $2 order by o.id`,
)

export type PayoutOfFile = {
  readonly id: string
  readonly settlementId: string | null
  readonly settlementNumber: number | null
  readonly creditorId: string | null
  readonly creditor: string | null
  /** What asked for it, where it goes back to whoever paid. */
  readonly taskId: string | null
  readonly taskKind: 'refund' | 'send_back' | null
  readonly amountMinor: number
  readonly currency: string
  readonly scheme: PayoutScheme
  readonly number: string
  readonly receiverName: string
  readonly status: PayoutStatus
  readonly reason: string | null
}

export function readPayoutsOfFile(
  db: Connection,
  instanceId: string,
  fileId: string,
): Promise<PayoutOfFile[]> {
  return db.rows<PayoutOfFile>(ofFile, [instanceId, fileId])
}

const content = statement(
  'payoutDesk.content',
  'select content from payout_file where instance_id = $1 and id = $2',
)

export async function readContent(db: Connection, instanceId: string, id: string): Promise<string> {
  return (await db.rows<{ content: string }>(content, [instanceId, id]))[0]?.content ?? ''
}

const byMessage = statement(
  'payoutDesk.byMessage',
  'select id from payout_file where instance_id = $1 and message_id = $2',
)

/** The file that is called so at the bank; undefined when it is none of ours. */
export async function findFileByMessage(
  tx: Transaction,
  instanceId: string,
  messageId: string,
): Promise<string | undefined> {
  return (await tx.rows<{ id: string }>(byMessage, [instanceId, messageId]))[0]?.id
}

const insertAnswer = statement(
  'payoutDesk.insertAnswer',
  `insert into payout_answer (instance_id, content_hash, file_id) values ($1, $2, $3) on conflict do nothing returning file_id`,
)

/** Answers false when the same bytes are here already. */
export async function insertAnswerRow(
  tx: Transaction,
  instanceId: string,
  { hash, fileId }: { readonly hash: Buffer; readonly fileId: string },
): Promise<boolean> {
  return (await tx.rows(insertAnswer, [instanceId, hash, fileId])).length === 1
}

const isSettlement = statement(
  'payoutDesk.isSettlement',
  'select id from settlement where instance_id = $1 and id = $2',
)

export async function isSettlementRow(db: Connection, instanceId: string, id: string): Promise<boolean> {
  return (await db.rows(isSettlement, [instanceId, id])).length === 1
}
