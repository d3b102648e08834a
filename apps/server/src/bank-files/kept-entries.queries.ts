/** The SQL of the camt lines that are kept of an account, as later files are compared with them. */
import type { EntryIds } from '@kvitt/domain/bank-files/match-entries.ts'
import { statement, type Transaction } from '../platform/database/database.ts'

const LINES = `select l.id, l.account_key, l.deposit_key, l.currency, l.bank_date, l.kind, l.amount_minor, l.bank_ids,
     l.payment_references, l.payer, l.message, l.named_payment_id
   from bank_line l join bank_file f on f.instance_id = l.instance_id and f.id = l.file_id and f.format = 'camt'`

/** Small enough to be read at once without anybody's waiting. */
const PAGE = 1000

const ofDays = statement(
  'keptEntries.ofDays',
  `${LINES} where l.instance_id = $1 and l.account_id = $2 and (l.bank_date, l.id) > ($3::date, $4::uuid) and l.bank_date <= $5::date
   order by l.bank_date, l.id limit ${PAGE}`,
)

// A name that the bank gave on another day, and what was kept when accounts were known by their printed numbers.
const others = statement(
  'keptEntries.others',
  `${LINES} where l.instance_id = $1 and l.account_id = $2 and l.deposit_key = any($3) and l.bank_date not between $4 and $5
   union all ${LINES} where l.instance_id = $1 and l.account_id is null and l.account_key = $6
     and (l.bank_date between $4 and $5 or l.deposit_key = any($3))
   order by 1`,
)

export type KeptLineRow = {
  readonly id: string
  readonly account_key: string
  readonly deposit_key: string
  readonly currency: string
  readonly bank_date: string
  readonly kind: 'PAYMENT' | 'DEDUCTION'
  readonly amount_minor: number
  readonly bank_ids: EntryIds
  readonly payment_references: readonly string[]
  readonly payer: string | null
  readonly message: string | null
  readonly named_payment_id: string | null
}

type EntryKeys = {
  readonly instanceId: string
  readonly accountId: string
  /** As the file writes it. */
  readonly account: string
  readonly first: string
  readonly last: string
  readonly keys: readonly string[]
}

/** The lines on the account between two days, and those of deposits with one of the keys, in the order of days and coming. */
export async function* readKeptLines(
  tx: Transaction,
  { instanceId, accountId, account, first, last, keys }: EntryKeys,
): AsyncIterable<KeptLineRow> {
  yield* await tx.rows<KeptLineRow>(others, [instanceId, accountId, keys, first, last, account])
  let after = [first, '00000000-0000-0000-0000-000000000000']
  for (;;) {
    const page = await tx.rows<KeptLineRow>(ofDays, [instanceId, accountId, ...after, last])
    yield* page
    const end = page.at(-1)
    if (!end || page.length < PAGE) return
    after = [end.bank_date, end.id]
  }
}
