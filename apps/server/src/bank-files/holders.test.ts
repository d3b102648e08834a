/** Whose account money comes to: held for the creditor by the instance, or paid to the creditor, which sends it back itself. */
import { isBankgiroValid } from '@kvitt/domain/accounts.ts'
import type { OperatorRole } from '@kvitt/domain/staff/roles.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { disputeInvoice } from '../disputes/disputes.ts'
import { upholdDispute } from '../collection/collection.ts'
import { newId } from '../platform/identity.ts'
import { recordRefund } from '../refunds/refunds.ts'
import { publicViewer } from '../sign-in/viewer.ts'
import {
  balanceOf,
  build as buildOver,
  context,
  fileOf,
  instance,
  OF_INSTANCE,
  one,
  outcomesOf,
  rows,
  server,
  stateOf,
  takeFiles,
  useBankFiles,
} from '../testing/files/bank-files.ts'
import { TODAY, type BuiltInvoice } from '../testing/build.ts'
import { openOffice, told, type AskOffice } from '../testing/staff.ts'
import { openTask } from '../tasks/tasks.ts'
import { placeSuspense, readSuspenseRows, tellHolder } from './bank-files.ts'

useBankFiles()

type Account = { readonly id: string; readonly bankgiro: string; readonly invoice: BuiltInvoice }
let next = 20_000_000

/** An invoice over 842,00 to be paid to an account of its creditor's that nobody else has. */
async function build(holder: 'INSTANCE' | 'CREDITOR' | null): Promise<Account> {
  const invoice = await buildOver(84_200, { hasAccount: false })
  do next += 1
  while (!isBankgiroValid(String(next)))
  const [id, bankgiro] = [newId(server.clock.now()), String(next)]
  await rows(
    `insert into payment_account (instance_id, id, creditor_id, scheme, account_number, receiver_name, is_usable, number_key, holder)
     values ($1, $2, $3, 'BANKGIRO', $4, 'Fjällström', true, 'BANKGIRO' || $4, $5)`,
    server.instanceId,
    id,
    invoice.creditorId,
    bankgiro,
    holder,
  )
  await rows(
    'insert into account_address (instance_id, account_id, address) values ($1, $2, $3)',
    server.instanceId,
    id,
    `SE BANKGIRO ${bankgiro}`,
  )
  await rows('update invoice set payment_account_id = $2 where id = $1', invoice.id, id)
  return { id, bankgiro, invoice }
}

const pay = async ({ bankgiro, invoice }: Account, amountMinor: number): Promise<string[]> =>
  outcomesOf(await takeFiles(fileOf([{ reference: invoice.reference, amountMinor }], { bankgiro })))
const takeBack = async ({ bankgiro, invoice }: Account, amountMinor: number): Promise<string[]> => {
  const other = await buildOver(amountMinor + 500, { hasAccount: false })
  const payments = [
    { reference: other.reference, amountMinor: amountMinor + 500 },
    { reference: invoice.reference, amountMinor, kind: 'deduction' as const },
  ]
  return outcomesOf(await takeFiles(fileOf(payments, { bankgiro })))
}

/** What of a creditor's money and a debtor's credit stands where, in öre; nothing that is zero. */
async function standing({ invoice: { creditorId, debtorId } }: Account): Promise<Record<string, number>> {
  const found = await rows<{ kind: string; minor: number }>(
    `select kind, sum(balance_minor)::int as minor from ledger_account
     where (creditor_id = $1 or debtor_id = $2) and kind <> 'claims_on_debtors' group by 1 having sum(balance_minor) <> 0`,
    creditorId,
    debtorId,
  )
  return Object.fromEntries(found.map(({ kind, minor }) => [kind, minor]))
}

/** Tasks about money that goes back, open ones. */
const tasksOf = async ({ invoice }: Account) =>
  (
    await rows<{ kind: string; minor: number }>(
      `select k.kind, (k.details ->> 'amountMinor')::int as minor from task k
       join ledger_transaction t on t.instance_id = k.instance_id and (t.cause = k.about or t.cause = 'refund:' || k.about)
       where t.invoice_id = $1 and k.kind in ('refund', 'creditor_refund') and k.done_at is null
       group by k.id, 1, 2 order by 1`,
      invoice.id,
    )
  ).map(({ kind, minor }) => `${kind} ${minor}`)

const lineOf = async (reference: string) =>
  (await readSuspenseRows(server.test.db)).find((row) => row.payment_references[0] === reference)

let atBank = 0
beforeEach(async () => {
  atBank = await balanceOf('clearing', 'BANK_FILE')
})
const bankMoved = async (): Promise<number> => (await balanceOf('clearing', 'BANK_FILE')) - atBank

test('money on the creditor’s own account pays the debt and is never held', async () => {
  const account = await build('CREDITOR')
  expect(await pay(account, 84_200)).toEqual(['booked'])
  expect(await stateOf(account.invoice)).toEqual({ status: 'CLOSED', owed: 0 })
  expect(await standing(account)).toEqual({ paid_to_creditor: -84_200 })
  expect([await bankMoved(), await tasksOf(account)]).toEqual([0, []])
})

test('what is too much is the creditor’s to send back, and nothing when the bank takes it back', async () => {
  const account = await build('CREDITOR')
  expect(await pay(account, 90_000)).toEqual(['booked'])
  expect(await standing(account)).toEqual({ paid_to_creditor: -84_200, credit_at_creditor: -5_800 })
  expect(await tasksOf(account)).toEqual(['creditor_refund 5800'])
  expect(await takeBack(account, 90_000)).toContain('reversed')
  expect(await stateOf(account.invoice)).toEqual({ status: 'ACTIVATED', owed: 84_200 })
  expect([await standing(account), await tasksOf(account)]).toEqual([{}, []])
})

test('the creditor says that it has sent it: nothing is owed back any more, and the money is not the bank’s to take', async () => {
  const account = await build('CREDITOR')
  expect(await pay(account, 90_000)).toEqual(['booked'])
  const { about } = await one<{ about: string }>(
    `select k.about from task k join ledger_transaction t on t.cause = 'refund:' || k.about
     where k.kind = 'creditor_refund' and t.invoice_id = $1`,
    account.invoice.id,
  )
  const { instanceId } = server
  const wish = { instanceId, by: 'person:anna', about, holder: 'CREDITOR', hasLeft: false } as const
  await expect(recordRefund(context(), { ...wish, holder: 'INSTANCE' })).rejects.toThrow(
    /^Nothing is owed back/,
  )
  await Promise.all([recordRefund(context(), wish), recordRefund(context(), wish)])
  expect([await standing(account), await tasksOf(account)]).toEqual([{ paid_to_creditor: -84_200 }, []])
  expect(await balanceOf('clearing', 'BANK_RETURN')).toBe(0)
  expect(await takeBack(account, 90_000)).toContain('suspense')
})

test('what nobody could place on the creditor’s account is the creditor’s to send back', async () => {
  const { bankgiro } = await build('CREDITOR')
  const reference = String((next += 1))
  await takeFiles(fileOf([{ reference, amountMinor: 5_000 }], { bankgiro }))
  const lineId = (await lineOf(reference))?.id ?? ''
  await placeSuspense(context(), { instanceId: server.instanceId, by: 'person:anna', lineId, to: 'back' })
  const tasks = await rows(
    'select kind from task where about = $1 and done_at is null',
    `bank-line:${lineId}`,
  )
  expect(tasks).toEqual([{ kind: 'creditor_refund' }])
  expect([await bankMoved(), await balanceOf('clearing', 'BANK_RETURN')]).toEqual([0, 0])
})

test('of a debt paid on both kinds of account the instance sends back what it holds, the creditor the rest', async () => {
  const account = await build('CREDITOR')
  const { invoice } = account
  expect(await pay(account, 30_000)).toEqual(['booked'])
  expect(await pay({ ...account, bankgiro: OF_INSTANCE }, 20_000)).toEqual(['booked'])
  const viewer = publicViewer(instance, invoice.reference, invoice.zip)
  await disputeInvoice(server.product.context, viewer, undefined, {
    debtorEmail: 'alva@example.com',
    reason: 'Fel antal.',
  })
  const upheld = { on: TODAY, decision: 'Ni hade rätt.', creditMinor: 84_200 }
  const key = { instanceId: server.instanceId, invoiceId: invoice.id }
  expect(await upholdDispute(server.product.context, key, upheld)).toBe(true)
  expect(await standing(account)).toEqual({ credit: -20_000, credit_at_creditor: -30_000 })
  expect(await tasksOf(account)).toEqual(['creditor_refund 30000', 'refund 20000'])
  // The bank takes the creditor's part back: that credit settles what would be owed again, the other stays.
  expect(await takeBack(account, 30_000)).toContain('reversed')
  expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
})

test('what nobody can place lies on no account of ours, and is placed as money of the creditor', async () => {
  const account = await build('CREDITOR')
  const reference = String((next += 1))
  const payments = [{ reference, amountMinor: 84_200 }]
  expect(outcomesOf(await takeFiles(fileOf(payments, { bankgiro: account.bankgiro })))).toEqual(['suspense'])
  const line = await lineOf(reference)
  await placeSuspense(context(), {
    instanceId: server.instanceId,
    by: 'person:anna',
    lineId: line?.id ?? '',
    to: { kind: 'invoice', name: account.invoice.id },
  })
  expect([await standing(account), await bankMoved()]).toEqual([{ paid_to_creditor: -84_200 }, 0])
})

describe('an account from before it was asked', () => {
  const untold = async (): Promise<Account> => {
    const account = await build(null)
    const about = `account:${account.id}`
    await openTask(server.test.db, {
      instanceId: server.instanceId,
      kind: 'account_holder_unset',
      about,
      details: {},
    })
    return account
  }
  const tell = ({ id }: Account, holder: 'INSTANCE' | 'CREDITOR') =>
    tellHolder(context(), instance, { of: id, holder, by: 'person:anna' })
  const isAsked = async ({ id }: Account): Promise<boolean> =>
    (
      await one<{ open: boolean }>(
        'select done_at is null as open from task where about = $1',
        `account:${id}`,
      )
    ).open

  test('books as held until it is told, and then as what it is, once', async () => {
    const account = await untold()
    expect(await pay(account, 90_000)).toEqual(['booked'])
    expect(await standing(account)).toEqual({ held_for_creditor: -84_200, credit: -5_800 })
    expect([await isAsked(account), await bankMoved()]).toEqual([true, 90_000])
    await Promise.all([tell(account, 'CREDITOR'), tell(account, 'CREDITOR')])
    expect(await standing(account)).toEqual({ paid_to_creditor: -84_200, credit_at_creditor: -5_800 })
    expect(await tasksOf(account)).toEqual(['creditor_refund 5800'])
    expect([await isAsked(account), await bankMoved()]).toEqual([false, 0])
    expect(await stateOf(account.invoice)).toEqual({ status: 'CLOSED', owed: 0 })
    expect(await takeBack(account, 90_000)).toContain('reversed')
    expect([await standing(account), await tasksOf(account)]).toEqual([{}, []])
  })

  test('that is the instance’s stays as it was booked', async () => {
    const account = await untold()
    expect(await pay(account, 84_200)).toEqual(['booked'])
    await tell(account, 'INSTANCE')
    expect(await standing(account)).toEqual({ held_for_creditor: -84_200 })
    expect(await isAsked(account)).toBe(false)
  })

  test('is told of what lies in suspense as well', async () => {
    const account = await untold()
    const reference = String((next += 1))
    const payments = [{ reference, amountMinor: 84_200 }]
    await takeFiles(fileOf(payments, { bankgiro: account.bankgiro }))
    await tell(account, 'CREDITOR')
    expect(await bankMoved()).toBe(0)
    const line = await lineOf(reference)
    await placeSuspense(context(), {
      instanceId: server.instanceId,
      by: 'person:anna',
      lineId: line?.id ?? '',
      to: { kind: 'invoice', name: account.invoice.id },
    })
    expect(await standing(account)).toEqual({ paid_to_creditor: -84_200 })
  })

  test('told otherwise later, it holds for what comes from then on', async () => {
    const account = await untold()
    await tell(account, 'CREDITOR')
    await pay(account, 40_000)
    await tell(account, 'INSTANCE')
    await pay(account, 44_200)
    expect(await standing(account)).toEqual({ paid_to_creditor: -40_000, held_for_creditor: -44_200 })
  })
})

test.each([
  ['INSTANCE', 'own'],
  ['CREDITOR', OF_INSTANCE],
  [null, OF_INSTANCE],
] as const)(
  'a gateway pays to an account of %s: %s; a transfer goes where the invoice says',
  async (holder, to) => {
    const { bankgiro, invoice } = await build(holder)
    const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}`
    const shown = (await server.call('GET', `${path}/payment-account`)).json as { accountNumber: string }
    expect(shown.accountNumber).toBe(bankgiro)
    const body = { paymentDate: TODAY, amount: '842.00', redirectUri: `${server.origin}/` }
    expect((await server.call('POST', `${path}/payment-requests`, { body })).status).toBe(201)
    const { payee } = await one<{ payee: string }>(
      'select payee_account as payee from payment where invoice_id = $1',
      invoice.id,
    )
    expect(payee).toBe(to === 'own' ? bankgiro : to.replace('-', ''))
  },
)

describe('said by one person in the portal', () => {
  let ask: AskOffice
  beforeAll(async () => {
    ask = await openOffice(server, ['finance', 'support'])
  })
  const path = ({ id }: Account, part = '') => `POST /bank-accounts/${id}/holder${part}`
  const holderOf = async ({ id }: Account) =>
    (await rows<{ holder: string | null }>('select holder from payment_account where id = $1', id))[0]?.holder

  test('what would be booked anew is shown before, and nothing has changed then', async () => {
    const account = await build(null)
    await pay(account, 30_000)
    await pay(account, 10_000)
    const before = await standing(account)
    const preview = (holder: string, who: OperatorRole = 'finance') =>
      ask(who, path(account, '/preview'), { holder })
    expect(told(await preview('CREDITOR', 'support'))).toEqual([403, 'not_allowed'])
    expect((await preview('CREDITOR')).json).toEqual({
      payments: 2,
      sums: [{ amount: 400, currency: 'SEK' }],
      isAbove: false,
    })
    expect((await preview('INSTANCE')).json).toEqual({ payments: 0, sums: [], isAbove: false })
    expect([await standing(account), await holderOf(account)]).toEqual([before, null])
    expect((await ask('finance', path(account), { holder: 'CREDITOR' })).status).toBe(200)
    expect(await standing(account)).not.toEqual(before)
    expect((await preview('CREDITOR')).json, 'it is so').toEqual({ payments: 0, sums: [], isAbove: false })
  })

  test('admin.by_hand: above the limit one person does not, and is told what to do', async () => {
    const account = await build(null)
    await pay(account, 84_200)
    await rows('update invoice set payment_account_id = $2 where id = $1', account.invoice.id, account.id)
    const large = await buildOver(450_000, { hasAccount: false, beside: account.invoice })
    await takeFiles(
      fileOf([{ reference: large.reference, amountMinor: 450_000 }], { bankgiro: account.bankgiro }),
    )
    const before = await standing(account)
    expect((await ask('finance', path(account, '/preview'), { holder: 'CREDITOR' })).json).toEqual({
      payments: 2,
      sums: [{ amount: 5_342, currency: 'SEK' }],
      isAbove: true,
    })
    const refused = await ask('finance', path(account), { holder: 'CREDITOR' })
    expect(told(refused)).toEqual([400, 'holder_above_limit', 'holder'])
    expect(refused.text).toContain('npm run payment-account')
    expect([await standing(account), await holderOf(account)]).toEqual([before, null])
    expect((await ask('finance', path(account), { holder: 'INSTANCE' })).status, 'books nothing').toBe(200)
  })
})
