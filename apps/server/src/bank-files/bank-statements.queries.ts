/** The SQL of what statements say stood on an account. */
import type { Balances } from '@kvitt/domain/bank-files/bank-file.ts'
import { statement, type Transaction } from '../platform/database/database.ts'

const insertStatement = statement(
  'bankStatements.insert',
  `insert into bank_statement (instance_id, id, file_id, account_id, currency, opening_on, opening_minor, closing_on, closing_minor)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
)

export async function insertStatementRow(
  tx: Transaction,
  of: {
    readonly instanceId: string
    readonly id: string
    readonly fileId: string
    readonly accountId: string
  },
  { currency, opening, closing }: Balances,
): Promise<void> {
  const amounts = [opening.day, opening.minor, closing.day, closing.minor]
  await tx.rows(insertStatement, [of.instanceId, of.id, of.fileId, of.accountId, currency, ...amounts])
}

const statements = statement(
  'bankStatements.gaps',
  `select s.id, s.opening_on, s.opening_minor, s.currency, b.day as before_on,
     b.day is not null and not exists (
       select from bank_statement p where p.instance_id = s.instance_id and p.account_id = s.account_id and p.currency = s.currency
         and p.id <> s.id and p.closing_minor = s.opening_minor and p.closing_on in (s.closing_on, b.day)) as is_gap
   from bank_statement s cross join lateral (
     select max(p.closing_on) as day from bank_statement p where p.instance_id = s.instance_id and p.account_id = s.account_id
       and p.currency = s.currency and p.closing_on < s.closing_on) b
   where s.instance_id = $1 and s.account_id = $2`,
)

export type StatementRow = {
  readonly id: string
  readonly opening_on: string
  readonly opening_minor: number
  readonly currency: string
  /** The last day that a statement before it tells of; null for the first one. */
  readonly before_on: string | null
  /** No statement before it ends with what it begins with. */
  readonly is_gap: boolean
}

/** The statements of an account, and which of them do not go on from another one. */
export function readStatements(
  tx: Transaction,
  instanceId: string,
  accountId: string,
): Promise<StatementRow[]> {
  return tx.rows<StatementRow>(statements, [instanceId, accountId])
}
