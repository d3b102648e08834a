/** The SQL of lines that a person has entered as the bank's own or the operator's. */
import type { BankEntryKind } from '@kvitt/domain/bank-files/bank-entry.ts'
import { BANK_FEES, BANK_INTEREST, PAID_TWICE } from '@kvitt/domain/ledger/own-money.ts'
import { OPERATOR_FEES } from '@kvitt/domain/ledger/payout.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { statement, type Connection, type Transaction } from '../../platform/database/database.ts'

const insert = statement(
  'ownMoney.insert',
  `insert into bank_entry (instance_id, line_id, kind, creditor_id, entered_by, entered_on, amount_minor, currency, payout_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

export async function insertEntryRow(
  tx: Transaction,
  instanceId: string,
  entry: {
    readonly lineId: string
    readonly kind: BankEntryKind
    readonly creditorId: string | null
    /** The row of a file that it has come back of. */
    readonly payoutId: string | null
    readonly by: string
    readonly on: string
    readonly amountMinor: number
    readonly currency: Currency
  },
): Promise<void> {
  const { lineId, kind, creditorId, payoutId, by, on, amountMinor, currency } = entry
  await tx.rows(insert, [instanceId, lineId, kind, creditorId, by, on, amountMinor, currency, payoutId])
}

const enteredToday = statement(
  'ownMoney.enteredOn',
  `select coalesce(sum(amount_minor), 0)::bigint as minor from bank_entry
   where instance_id = $1 and entered_on = $2 and currency = $3`,
)

/** What has been entered on a day in a currency, whichever way it went. Minor units. */
export async function readEnteredOn(
  db: Connection,
  instanceId: string,
  { on, currency }: { readonly on: string; readonly currency: Currency },
): Promise<number> {
  return (await db.rows<{ minor: number }>(enteredToday, [instanceId, on, currency]))[0]?.minor ?? 0
}

const drawable = statement(
  'ownMoney.drawable',
  `select (coalesce(-sum(balance_minor) filter (where gateway = '${OPERATOR_FEES}'), 0)
       - greatest(0, coalesce(sum(balance_minor) filter (where gateway = '${BANK_FEES}'), 0))
       - greatest(0, coalesce(sum(balance_minor) filter (where gateway = '${BANK_INTEREST}'), 0))
       - coalesce(sum(balance_minor) filter (where gateway = '${PAID_TWICE}'), 0)
       - (select coalesce(sum(greatest(0, s.minor)), 0) from (
           select sum(balance_minor) as minor from ledger_account where instance_id = $1 and creditor_id is not null and currency = $2
             and kind in ('held_for_creditor', 'advance') group by creditor_id) s))::bigint as minor
   from ledger_account where instance_id = $1 and invoice_id is null and claim_id is null and creditor_id is null and debtor_id is null
     and gateway in ('${OPERATOR_FEES}', '${BANK_FEES}', '${BANK_INTEREST}', '${PAID_TWICE}') and kind = 'clearing' and currency = $2`,
)

/**
 * The operator's fees that lie among client funds, less what it owes the account for its bank's charges and interest and for what was paid twice, and what is missing
 * of any creditor's money. Minor units.
 */
export async function readDrawable(db: Connection, instanceId: string, currency: Currency): Promise<number> {
  return (await db.rows<{ minor: number }>(drawable, [instanceId, currency]))[0]?.minor ?? 0
}

const standing = statement(
  'ownMoney.standing',
  `select balance_minor as minor from ledger_account where instance_id = $1 and invoice_id is null and claim_id is null
     and creditor_id is null and debtor_id is null and kind = 'clearing' and gateway = $2 and currency = $3`,
)

/** What stands on a clearing account: above zero is what it lacks. Minor units. */
export async function readStanding(
  db: Connection,
  instanceId: string,
  { gateway, currency }: { readonly gateway: string; readonly currency: Currency },
): Promise<number> {
  return (await db.rows<{ minor: number }>(standing, [instanceId, gateway, currency]))[0]?.minor ?? 0
}

const short = statement(
  'ownMoney.short',
  `select c.id, c.name, s.minor from creditor c
   join lateral (select sum(a.balance_minor)::bigint as minor from ledger_account a where a.instance_id = c.instance_id
     and a.creditor_id = c.id and a.currency = $2 and a.kind in ('held_for_creditor', 'advance')) s on s.minor > 0
   where c.instance_id = $1 order by s.minor desc, c.name, c.id`,
)

export type ShortRow = { readonly id: string; readonly name: string; readonly minor: number }

/** Creditors whose own money does not cover what was taken, and what is missing after what is advanced. */
export function readShort(db: Connection, instanceId: string, currency: Currency): Promise<ShortRow[]> {
  return db.rows<ShortRow>(short, [instanceId, currency])
}

const entryOf = statement(
  'ownMoney.entryOf',
  `select e.kind, c.id as "creditorId", c.name as creditor, o.file_id as file from bank_entry e
   left join payout o on o.instance_id = e.instance_id and o.id = e.payout_id
   left join creditor c on c.instance_id = e.instance_id and c.id = e.creditor_id
   where e.instance_id = $1 and e.line_id = $2`,
)

export type EntryRow = {
  readonly kind: BankEntryKind
  readonly creditorId: string | null
  readonly creditor: string | null
  /** The file of what has come back. */
  readonly file: string | null
}

/** What a person has said that the line was; undefined where nobody has. */
export async function readEntry(
  db: Connection,
  instanceId: string,
  lineId: string,
): Promise<EntryRow | undefined> {
  return (await db.rows<EntryRow>(entryOf, [instanceId, lineId]))[0]
}
