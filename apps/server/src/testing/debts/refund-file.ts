/** A file of refunds as the bank was handed it, on a day of the past. Of no payout: only what becomes of its bytes is looked at. */
import { buildInstanceAccount } from '../build-claim.ts'
import type { TestServer } from '../start-test-server.ts'

let serial = 0

export async function buildRefundFile(
  { test, instanceId }: TestServer,
  { executionOn }: { readonly executionOn: string },
): Promise<void> {
  const { owner } = test
  const known = await owner.query(
    'select id from payment_account where instance_id = $1 and creditor_id is null',
    [instanceId],
  )
  if (known.rows.length === 0) await buildInstanceAccount(test, instanceId)
  await owner.query('alter table payout_file disable trigger all')
  await owner.query(
    `insert into payout_file (instance_id, id, message_id, currency, account_id, from_account, execution_on, payout_count, amount_minor,
       content, proposal_id, kind)
     select $1, gen_random_uuid(), $2, 'SEK', a.id, '9990-0110', $3, 1, 100, '<Nm>Ottilia</Nm>', gen_random_uuid(), 'REFUND'
     from payment_account a where a.instance_id = $1 and a.creditor_id is null limit 1`,
    [instanceId, `FILE${(serial += 1)}`, executionOn],
  )
  await owner.query('alter table payout_file enable trigger all')
}
