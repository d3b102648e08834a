/** Money that went back to a person through the bank: handed out, held and erased with the person. */
import { expect, test } from 'vitest'
import { endLongAgo } from '../testing/debts/known-person.ts'
import { one, rows, server } from '../testing/files/bank-files.ts'
import { bankOf, OF_ADA, openRefundOffice, overpaid, send } from '../testing/files/refund-office.ts'
import { openOffice } from '../testing/staff.ts'

openRefundOffice()

const payoutOf = (file: string) =>
  one<{ number: string; receiver_name: string; about: string }>(
    'select number, receiver_name, about from payout where file_id = $1',
    file,
  )

test('a payment that was sent back is exported, held with its file, and erased', async () => {
  const ask = await openOffice(server, ['manager', 'handler'])
  const { invoice, task } = await overpaid(1_234, OF_ADA)
  const file = await send(task)
  const bank = bankOf(file)
  await bank.answer()
  await bank.debit()
  expect((await payoutOf(file.id)).about).toMatch(/^refund:payment:[0-9a-f-]{36}$/)
  const { json } = await ask('handler', `POST /debtors/${invoice.debtorId}/personal-data`, {
    reason: 'asked',
  })
  expect(json).toMatchObject({
    rows: {
      payout: [{ number: OF_ADA, receiver_name: 'Ada & Bo Ek' }],
      money_out: [{ about: file.orders[0]?.about }],
    },
  })

  const old = server.test.owner
  await old.query('alter table payout_file disable trigger all')
  await old.query(`update payout_file set execution_on = '2015-03-01' where id = $1`, [file.id])
  await old.query('alter table payout_file enable trigger all')
  await endLongAgo(server.test, invoice, 12 * 9)
  const set = await ask('manager', 'POST /data-protection/holds', {
    debtor: invoice.debtorId,
    from: '2026-01-01',
    reason: 'Tvist',
    source: 'Tingsrätten',
  })
  const [hold] = (set.json as { holds: { id: string }[] }).holds
  const erased = async (kind: 'file' | 'person', id: string) =>
    (await one<{ done: boolean }>(`select erase_${kind}($1, $2) as done`, server.instanceId, id)).done
  expect([await erased('file', file.id), await erased('person', invoice.debtorId)]).toEqual([false, false])

  await ask('manager', `POST /data-protection/holds/${hold?.id}/lift`, { reason: 'Domen' })
  expect([await erased('file', file.id), await erased('person', invoice.debtorId)]).toEqual([true, true])
  expect(await payoutOf(file.id)).toMatchObject({ number: '[erased]', receiver_name: '[erased]' })
  expect(
    await rows<{ later: boolean }>(
      'select has_later_words($1, $2) as later',
      server.instanceId,
      invoice.debtorId,
    ),
  ).toEqual([{ later: false }])
  // It was there before the person was erased well: the next run finds it.
  await old.query('alter table payout disable trigger all')
  await old.query(`update payout set number = $2 where file_id = $1`, [file.id, OF_ADA])
  await old.query('alter table payout enable trigger all')
  expect(await rows('select has_later_words($1, $2) as later', server.instanceId, invoice.debtorId)).toEqual([
    { later: true },
  ])
  await erased('person', invoice.debtorId)
})
