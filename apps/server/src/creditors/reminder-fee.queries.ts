/** The SQL of what creditors have agreed with their customers. */
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

export type FeeAgreementRow = {
  id: string
  name: string
  identification_number: string | null
  agreed_on: string | null
  source: string | null
}

const COLUMNS = `id, name, identification_number, reminder_fee_agreed_on::text as agreed_on, reminder_fee_source as source`

const agreements = statement(
  'creditors.feeAgreements',
  `select ${COLUMNS} from creditor where instance_id = $1 order by name, id`,
)

/** All creditors of the instance, by name. */
export function readFeeAgreements(db: Connection, instanceId: string): Promise<FeeAgreementRow[]> {
  return db.rows<FeeAgreementRow>(agreements, [instanceId])
}

const agreement = statement(
  'creditors.feeAgreement',
  `select ${COLUMNS} from creditor where instance_id = $1 and id = $2 for no key update`,
)

/** What a creditor of the instance has agreed. Whoever else changes it waits. */
export async function readFeeAgreement(
  tx: Transaction,
  instanceId: string,
  creditorId: string,
): Promise<FeeAgreementRow> {
  const [row] = await tx.rows<FeeAgreementRow>(agreement, [instanceId, creditorId])
  if (!row) throw new Error(`creditor ${creditorId} does not exist`)
  return row
}

const setAgreement = statement(
  'creditors.setFeeAgreement',
  `with was as (
     select id, reminder_fee_agreed_on, reminder_fee_source from creditor where instance_id = $1 and id = $2
   ), now as (
     update creditor set reminder_fee_agreed_on = $3::date, reminder_fee_source = $4 where instance_id = $1 and id = $2
   )
   insert into reminder_fee_change (instance_id, creditor_id, agreed_on, source, agreed_on_before, source_before, entered_by)
   select $1, was.id, $3::date, $4, was.reminder_fee_agreed_on, was.reminder_fee_source, $5 from was`,
)

/** Changes the agreement and keeps what it was before, and who changed it. */
export async function setFeeAgreementRow(
  tx: Transaction,
  change: {
    readonly instanceId: string
    readonly creditorId: string
    readonly agreedOn: string | null
    readonly source: string | null
    readonly by: string
  },
): Promise<void> {
  const { instanceId, creditorId, agreedOn, source, by } = change
  await tx.rows(setAgreement, [instanceId, creditorId, agreedOn, source, by])
}
