/** Money of the portal that a person moves to another debt, and that lies on the creditor's own account. */
import { isBankgiroValid } from '@kvitt/domain/accounts.ts'
import { expect, test } from 'vitest'
import { recordPaymentResult } from '../../payments/payments.ts'
import { newId } from '../../platform/identity.ts'
import {
  build as buildOver,
  context,
  fileOf,
  instance,
  one,
  outcomesOf,
  rows,
  server,
  stateOf,
  takeFiles,
  useBankFiles,
  violated,
} from '../../testing/files/bank-files.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../../testing/build.ts'
import { moveGatewayPayment, tellHolder } from '../bank-files.ts'

useBankFiles()

let lastBankgiro = 30_000_000

/** Two invoices of one creditor that are paid to its own account, which nobody has told of yet. */
async function build() {
  const wrong = await buildOver(84_200, { hasAccount: false })
  const { creditorId } = wrong
  do lastBankgiro += 1
  while (!isBankgiroValid(String(lastBankgiro)))
  const [account, bankgiro] = [newId(server.clock.now()), String(lastBankgiro)]
  await rows(
    `insert into payment_account (instance_id, id, creditor_id, scheme, account_number, receiver_name, is_usable, number_key, holder)
     values ($1, $2, $3, 'BANKGIRO', $4, 'Fjällström', true, 'BANKGIRO' || $4, 'INSTANCE')`,
    server.instanceId,
    account,
    creditorId,
    bankgiro,
  )
  await rows(
    'insert into account_address (instance_id, account_id, address) values ($1, $2, $3)',
    server.instanceId,
    account,
    `SE BANKGIRO ${bankgiro}`,
  )
  const beside = { totalMinor: 84_200, beside: wrong, hasAccount: false }
  const right = await buildInvoice(server.test, server.instanceId, server.clock, beside)
  await rows('update invoice set payment_account_id = $2 where id = any($1)', [wrong.id, right.id], account)
  return { account, bankgiro, wrong, right }
}

async function payByBank(invoice: BuiltInvoice): Promise<string> {
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests?invoiceNumber=${invoice.number}`
  const redirectUri = `${server.origin}/`
  const body = { amount: '842.00', redirectUri, serviceProviderCode: 'DIRECT_BANK', paymentDate: TODAY }
  const { status, text } = await server.call('POST', path, { body })
  expect(status, text).toBe(201)
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders?all=true')
  const order = orders.find(({ reference }) => reference === invoice.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`)
  await server.control('POST', '/control/settle', {})
  const { id } = await one<{ id: string }>('select id from payment where invoice_id = $1', invoice.id)
  await recordPaymentResult(server.product.context, { instance_id: server.instanceId, id }, 'sweep')
  expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
  return id
}

/** What stands between the instance and the creditor, in öre. */
const standing = ({ creditorId }: BuiltInvoice) =>
  rows<{ kind: string; minor: number }>(
    `select kind, sum(balance_minor)::int as minor from ledger_account
     where creditor_id = $1 and kind <> 'claims_on_debtors' group by 1 having sum(balance_minor) <> 0`,
    creditorId,
  )

test.each([['file', 'move', 'back'] as const, ['move', 'file', 'back'] as const])(
  '%s, then %s: it is paid to the creditor, and nothing of it is held',
  async (...deeds) => {
    const { account, bankgiro, wrong, right } = await build()
    const paymentId = await payByBank(wrong)
    const told = { of: account, holder: 'CREDITOR', by: 'person:anna' } as const
    await tellHolder(context(), instance, told)
    const move = (to: BuiltInvoice) =>
      moveGatewayPayment(context(), {
        instanceId: server.instanceId,
        paymentId,
        to: { kind: 'invoice', name: to.id },
        by: 'person:kim',
        reason: 'the payer meant the other one',
      })
    const doing = {
      file: async () => {
        const file = fileOf([{ reference: wrong.reference, amountMinor: 84_200 }], { bankgiro })
        expect(outcomesOf(await takeFiles(file))).toEqual(['known'])
      },
      move: () => move(right),
      back: () => move(wrong),
    }
    const paid = [{ kind: 'paid_to_creditor', minor: -84_200 }]
    for (const deed of deeds.slice(0, 2)) await doing[deed as 'file' | 'move']()
    expect(await stateOf(right)).toEqual({ status: 'CLOSED', owed: 0 })
    expect([await standing(wrong), await violated()]).toEqual([paid, []])
    await doing.back()
    expect(await stateOf(wrong)).toEqual({ status: 'CLOSED', owed: 0 })
    expect([await standing(wrong), await violated()]).toEqual([paid, []])
  },
)
