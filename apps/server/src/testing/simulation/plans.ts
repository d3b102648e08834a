/** Plans in the story: begun, billed and missed by the nights, withdrawn from. */
import { startPartPayment, withdrawPartPayment } from '../../part-payments/debtor-plans.ts'
import { endOpenPayment } from '../../payments/payments.ts'
import { publicViewer } from '../../sign-in/viewer.ts'
import type { BuiltInvoice } from '../build.ts'
import { attempt, pick, type World } from './world.ts'

const PLANS = ['PLAN_3', 'PLAN_6', 'PLAN_12', 'ONGOING_6', 'ACCOUNT']

/** A debtor chooses one of the plans that may be offered, now and then twice at once. */
export async function startPlan(world: World): Promise<void> {
  const { chance, context, instance } = world
  const invoice = await pick(
    world,
    "status in ('ACTIVATED', 'PAUSED') and balance_minor >= 30000 and claim_id is null and not is_part_payment and type = 'INVOICE'",
  )
  const type = chance.oneOf(PLANS) ?? 'PLAN_3'
  const times = chance.happens(0.3) ? 2 : 1
  if (!invoice) return
  const request = {
    body: { type, agreementAccepted: true },
    idempotencyKey: undefined,
    language: 'sv' as const,
    sessionKind: 'public' as const,
    network: '127.0.0.0/24',
  }
  const viewer = publicViewer(instance, invoice.reference, invoice.zip)
  await Promise.all(
    Array.from({ length: times }, () =>
      attempt('plan', () =>
        startPartPayment(context, viewer, {
          wanted: { invoice: invoice.number },
          request,
          endPayment: endOpenPayment,
        }),
      ),
    ),
  )
}

export async function withdraw(world: World): Promise<void> {
  const invoice = await pick(world, "is_part_payment and type = 'INVOICE'")
  if (!invoice) return
  const viewer = publicViewer(world.instance, invoice.reference, invoice.zip)
  await attempt('withdraw', () => withdrawPartPayment(world.context, viewer, { invoice: invoice.number }))
}

/** What the nights have billed can be paid, disputed and paused like everything else. */
export async function findBills({ test, bills }: World): Promise<void> {
  const { rows } = await test.owner.query<BuiltInvoice>(
    `select i.instance_id as "instanceId", i.id, i.payment_reference as reference, i.zip, i.invoice_number as number,
       i.creditor_id as "creditorId", i.debtor_id as "debtorId"
     from invoice i where i.type <> 'INVOICE' and i.balance_minor > 0 and i.id <> all($1) order by i.id`,
    [bills.map(({ id }) => id)],
  )
  bills.push(...rows)
}
