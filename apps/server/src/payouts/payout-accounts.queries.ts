/** The SQL of the accounts that creditors are paid out to. */
import { CURRENCIES } from '@kvitt/domain/money.ts'
import {
  PAYOUT_ACCOUNT_WAIT_HOURS,
  PAYOUT_SCHEMES,
  type PayoutAccount,
} from '@kvitt/domain/payouts/payout-account.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { asWritten, instantText, sqlJson, word } from '../platform/database/sql-json.ts'
import { creditorJson } from '../staff/office-debtor.queries.ts'
import { openOfficeList } from '../staff/office-list.ts'

/** Now, on the product's clock. */
const NOW = `(now() + make_interval(days => coalesce((select days from clock_shift), 0)))`
/** Of a creditor and currency, the last one holds. */
const HOLDS = `not exists (select from payout_account n where n.instance_id = o.instance_id and n.creditor_id = o.creditor_id
  and n.currency = o.currency and n.position > o.position)`

export const searchPayoutAccountRows = openOfficeList({
  name: 'payoutAccounts.office',
  from: (whose) => `payout_account o where o.instance_id = $1 and ${whose('o.creditor_id')} and ${HOLDS}`,
  json: sqlJson({
    id: word('o.id'),
    version: asWritten('o.xmin::text'),
    creditor: creditorJson('o.instance_id', 'o.creditor_id'),
    currency: word('o.currency'),
    scheme: word('o.scheme'),
    number: word('o.number'),
    bic: 'o.bic',
    receiverName: 'o.receiver_name',
    approvedAt: instantText('o.approved_at'),
    usableFrom: instantText('o.usable_from'),
    isUsable: asWritten(`(o.usable_from <= ${NOW})::text`),
  }),
  targets: { name: 'o.receiver_name' },
  filters: {
    id: { kind: 'id', sql: 'o.id::text' },
    'creditor.id': { kind: 'id', sql: 'o.creditor_id::text' },
    currency: { kind: 'choice', values: CURRENCIES, sql: 'o.currency' },
    scheme: { kind: 'choice', values: PAYOUT_SCHEMES, sql: 'o.scheme' },
  },
  orders: { id: 'o.approved_at', approvedAt: 'o.approved_at' },
  tie: 'o.id',
})

type Place = { readonly instanceId: string; readonly creditorId: string; readonly currency: string }

export type PayoutAccountRow = PayoutAccount & { readonly id: string; readonly isUsable: boolean }

const holding = statement(
  'payoutAccounts.holding',
  `select o.id, o.currency, o.scheme, o.number, o.bic, o.receiver_name as "receiverName", o.usable_from <= ${NOW} as "isUsable"
   from payout_account o where o.instance_id = $1 and o.creditor_id = $2 and o.currency = $3 order by o.position desc limit 1`,
)

/** The account of a creditor in a currency; undefined where none was ever approved. */
export async function readPayoutAccountRow(
  db: Connection,
  { instanceId, creditorId, currency }: Place,
): Promise<PayoutAccountRow | undefined> {
  return (await db.rows<PayoutAccountRow>(holding, [instanceId, creditorId, currency]))[0]
}

const lockCreditor = statement(
  'payoutAccounts.lockCreditor',
  'select id from creditor where instance_id = $1 and id = $2 for no key update',
)

/** Whoever else decides about this creditor's accounts waits. Answers whether there is such a creditor. */
export async function lockCreditorRow(
  tx: Transaction,
  { instanceId, creditorId }: Omit<Place, 'currency'>,
): Promise<boolean> {
  return (await tx.rows(lockCreditor, [instanceId, creditorId])).length === 1
}

const insert = statement(
  'payoutAccounts.insert',
  `insert into payout_account (instance_id, id, creditor_id, currency, scheme, number, bic, receiver_name, proposal_id, approved_at, usable_from)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, ${NOW}, ${NOW} + interval '${PAYOUT_ACCOUNT_WAIT_HOURS} hours') returning usable_from`,
)

/** Answers the moment from which it holds. */
export async function insertPayoutAccountRow(
  tx: Transaction,
  { instanceId, creditorId }: Omit<Place, 'currency'>,
  row: PayoutAccount & { readonly id: string; readonly proposalId: string },
): Promise<string> {
  const { id, currency, scheme, number, bic, receiverName, proposalId } = row
  const values = [instanceId, id, creditorId, currency, scheme, number, bic, receiverName, proposalId]
  return (await tx.rows<{ usable_from: string }>(insert, values))[0]?.usable_from ?? ''
}

const managers = statement(
  'payoutAccounts.managersTold',
  `select distinct p.email, p.name, c.name as creditor from membership m join person p on p.id = m.person_id
     join creditor c on c.instance_id = m.instance_id and c.id = $2
   where m.instance_id = $1 and coalesce(m.creditor_id, $2) = $2 and m.role = 'manager' and m.ended_at is null order by p.email`,
)

type Manager = { readonly email: string; readonly name: string; readonly creditor: string }

/** The managers of the creditor and of the operator, each once. */
export function readManagersTold(
  tx: Transaction,
  { instanceId, creditorId }: Omit<Place, 'currency'>,
): Promise<Manager[]> {
  return tx.rows<Manager>(managers, [instanceId, creditorId])
}
