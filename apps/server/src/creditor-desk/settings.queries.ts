/** The SQL of a creditor's own data: of the creditor $2 at the instance $1. */
import { USUAL_BOUNDS } from '@kvitt/domain/conversations/request.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { asWritten, sqlJson, word } from '../platform/database/sql-json.ts'
import { courtInstructionsOf } from '../staff/office-debtor.queries.ts'
import type { ClientPrincipal } from '../staff/staff.ts'

const list = (rows: string): ReturnType<typeof asWritten> =>
  asWritten(`'[' || coalesce((${rows}), '') || ']'`)

const ACCOUNTS = `select string_agg(${sqlJson({
  id: word('a.id'),
  scheme: word('a.scheme'),
  accountNumber: 'a.account_number',
  iban: 'a.iban',
  bic: 'a.bic',
  bankName: 'a.bank_name',
  receiverName: 'a.receiver_name',
  currency: 'a.currency',
  holder: 'a.holder',
  isUsable: asWritten(`case when a.is_usable then 'true' else 'false' end`),
})}, ',' order by a.chosen_at desc, a.id)
  from payment_account a where a.instance_id = c.instance_id and a.creditor_id = c.id and a.joined_to is null`

const bound = (column: 'most_days' | 'plan_months', usual: number): string =>
  `coalesce((select b.${column} from creditor_bounds b where b.instance_id = c.instance_id and b.creditor_id = c.id), ${usual})::text`

const settings = statement(
  'creditorDesk.settings',
  `select ${sqlJson({
    id: word('c.id'),
    version: asWritten('c.xmin::text'),
    name: 'c.name',
    identificationNumber: 'c.identification_number',
    email: 'c.email',
    phone: 'c.phone',
    address: {
      address: 'c.address',
      address2: 'c.address2',
      zip: 'c.zip',
      city: 'c.city',
      countryCode: word('c.country'),
    },
    accounts: list(ACCOUNTS),
    reminderFee: asWritten(
      `case when c.reminder_fee_agreed_on is null then 'null' else ${sqlJson({
        agreedOn: word('c.reminder_fee_agreed_on'),
        source: 'c.reminder_fee_source',
      })} end`,
    ),
    bounds: {
      mostDays: asWritten(bound('most_days', USUAL_BOUNDS.mostDays)),
      planMonths: asWritten(bound('plan_months', USUAL_BOUNDS.planMonths)),
    },
    courtInstructions: asWritten(courtInstructionsOf('c')),
  })} as json from creditor c where c.instance_id = $1 and c.id = $2`,
)

/** As the wire has it. */
export async function readSettings(
  db: Connection,
  { instance, creditorId }: ClientPrincipal,
): Promise<string> {
  const [row] = await db.rows<{ json: string }>(settings, [instance.id, creditorId])
  if (!row) throw new Error(`creditor ${creditorId} is gone`)
  return row.json
}

const setBounds = statement(
  'creditorDesk.setBounds',
  `insert into creditor_bounds as b (instance_id, creditor_id, most_days, plan_months)
   values ($1, $2, coalesce($3, ${USUAL_BOUNDS.mostDays}), coalesce($4, ${USUAL_BOUNDS.planMonths}))
   on conflict (instance_id, creditor_id) do update
     set most_days = coalesce($3, b.most_days), plan_months = coalesce($4, b.plan_months)
     where b.most_days <> coalesce($3, b.most_days) or b.plan_months <> coalesce($4, b.plan_months)
   returning most_days`,
)

/** What is left out stays. Answers false where they were so before. */
export async function setBoundsRow(
  tx: Transaction,
  of: { readonly instanceId: string; readonly creditorId: string },
  { mostDays, planMonths }: { mostDays?: number | undefined; planMonths?: number | undefined },
): Promise<boolean> {
  return (
    (await tx.rows(setBounds, [of.instanceId, of.creditorId, mostDays ?? null, planMonths ?? null]))
      .length === 1
  )
}
