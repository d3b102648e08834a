/** The SQL of the files that a debit in suspense may be of. */
import { statement, type Connection } from '../../platform/database/database.ts'

/** With what was said to be not executed: the debit may be of that all the same. */
const filesOf = statement(
  'moneyOut.filesOf',
  `select id, "executionDate", $4 in (untold, untold + late) as "isWhole",
     case $4 when untold then n when untold + late then n + n_late else 1 end as count,
     $4 <> untold and ($4 = untold + late or not is_untold) as "isOfLate"
   from (
     select f.id, f.execution_on as "executionDate", coalesce(sum(o.amount_minor) filter (where o.status <> 'NOT_EXECUTED'), 0) as untold,
       coalesce(sum(o.amount_minor) filter (where o.status = 'NOT_EXECUTED'), 0) as late,
       (count(*) filter (where o.status <> 'NOT_EXECUTED'))::int as n, (count(*) filter (where o.status = 'NOT_EXECUTED'))::int as n_late,
       bool_or(o.amount_minor = $4) as is_one, bool_or(o.amount_minor = $4 and o.status <> 'NOT_EXECUTED') as is_untold
     from payout_file f
     join payout o on o.instance_id = f.instance_id and o.file_id = f.id
     where f.instance_id = $1 and f.currency = $2 and coalesce(f.account_id = $3, true) and (o.status = 'NOT_EXECUTED'
       or exists (select from money_out m where m.instance_id = o.instance_id and m.order_id = o.id and m.line_id is null and m.returned_on is null))
     group by f.instance_id, f.id) x
   where $4 in (untold, untold + late) or is_one order by id desc limit 10`,
)

export type FileOfDebit = {
  readonly id: string
  readonly executionDate: string
  /** Whether all rows that no line has told of come to the debit; else one of them does. */
  readonly isWhole: boolean
  readonly count: number
  /** Rows that were said to be not executed are among them. */
  readonly isOfLate: boolean
}

/** The files that a debit is of, as a whole or as one row: the newest first. */
export function readFilesOfDebit(
  db: Connection,
  instanceId: string,
  of: { readonly currency: string; readonly accountId: string | null; readonly amountMinor: number },
): Promise<FileOfDebit[]> {
  return db.rows<FileOfDebit>(filesOf, [instanceId, of.currency, of.accountId, of.amountMinor])
}
