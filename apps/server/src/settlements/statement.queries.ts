/** The SQL of what stands on a settlement's files besides its lines. */
import type { ChosenAccounts } from '@kvitt/domain/settlements/account-plan.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import type { ClientPrincipal } from '../staff/staff.ts'

const creditor = statement(
  'settlements.statement.creditor',
  `select c.name, c.identification_number as number, c.address, c.address2, c.zip, c.city, c.country,
     (select coalesce(a.account_number, a.iban) from payment_account a
      where a.instance_id = c.instance_id and a.creditor_id = c.id and a.currency = $3 and a.holder = 'CREDITOR' and a.is_usable
        and a.joined_to is null
      order by a.chosen_at desc, a.id desc limit 1) as account
   from creditor c where c.instance_id = $1 and c.id = $2`,
)

export type StatementCreditor = {
  readonly name: string
  readonly number: string | null
  readonly address: string | null
  readonly address2: string | null
  readonly zip: string | null
  readonly city: string | null
  readonly country: string
  /** Its own account in the currency that it used last. */
  readonly account: string | null
}

export async function readStatementCreditor(
  db: Connection,
  { instance, creditorId }: ClientPrincipal,
  currency: string,
): Promise<StatementCreditor> {
  const [row] = await db.rows<StatementCreditor>(creditor, [instance.id, creditorId, currency])
  if (!row) throw new Error(`creditor ${creditorId} is gone`)
  return row
}

const chosenAccounts = statement(
  'settlements.chosenAccounts',
  `select from_day::text as "from", accounts from creditor_account_plan
   where instance_id = $1 and creditor_id = $2 order by from_day, id`,
)

/** In the order of their days and of their entry. */
export function readChosenAccounts(
  db: Connection,
  { instance, creditorId }: ClientPrincipal,
): Promise<ChosenAccounts[]> {
  return db.rows<ChosenAccounts>(chosenAccounts, [instance.id, creditorId])
}

const hold = statement(
  'settlements.holdCreditor',
  'select from creditor where instance_id = $1 and id = $2 for no key update',
)

/** Waits for whoever is choosing, too. */
export async function holdCreditor(
  tx: Transaction,
  { instance, creditorId }: ClientPrincipal,
): Promise<void> {
  await tx.rows(hold, [instance.id, creditorId])
}

const insertChosen = statement(
  'settlements.insertChosenAccounts',
  `insert into creditor_account_plan (instance_id, creditor_id, from_day, accounts, entered_by)
   select $1, $2, $3::date, $4::jsonb, $5
   where $4::jsonb is distinct from (
     select l.accounts from creditor_account_plan l
     where l.instance_id = $1 and l.creditor_id = $2 and l.from_day = $3::date order by l.id desc limit 1)
   returning id`,
)

/** False where the last word about that day was the same. */
export async function insertChosenAccounts(
  tx: Transaction,
  {
    instanceId,
    creditorId,
    from,
    accounts,
    by,
  }: ChosenAccounts & { readonly instanceId: string; readonly creditorId: string; readonly by: string },
): Promise<boolean> {
  const values = [instanceId, creditorId, from, JSON.stringify(accounts), by]
  return (await tx.rows(insertChosen, values)).length === 1
}
