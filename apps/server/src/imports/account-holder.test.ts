/** Whose the account is that an invoice is printed with. */
import { expect, test } from 'vitest'
import { chooseOwnAccount } from '../creditors/creditors.ts'
import { testClock } from '../testing/build.ts'
import { begin, built, importOne, instance, rows, SE, useImports } from '../testing/debts/imported.ts'

useImports()

const accounts = () =>
  rows('select holder, creditor_id is null as is_own from payment_account where instance_id = $1')

test('an account that comes in a file is the creditor’s own', async () => {
  await begin()
  expect((await importOne(SE)).outcome).toBe('created')
  expect(await accounts()).toEqual([{ holder: 'CREDITOR', is_own: false }])
})

test('one that the instance has entered as its own stays that', async () => {
  await begin()
  await importOne(SE)
  const [printed] = await rows('select account_number from payment_account where instance_id = $1')
  await begin()
  const wanted = { form: 'bankgiro', number: printed?.['account_number'] ?? '', currency: 'SEK' } as const
  const context = { db: built.db, clock: testClock() }
  await chooseOwnAccount(context, instance.id, {
    ...wanted,
    by: 'person:anna',
    receiver: 'Nordklar AB',
    bank: undefined,
    bic: undefined,
  })
  expect((await importOne(SE)).outcome).toBe('created')
  expect(await accounts()).toEqual([{ holder: 'INSTANCE', is_own: true }])
})
