/** A line that cannot be booked sets itself aside: the others of its file are booked, and it is tried again. */
import { expect, test } from 'vitest'
import {
  build,
  fileOf,
  outcomesOf,
  rows,
  server,
  stateOf,
  takeFiles,
  useBankFiles,
} from '../testing/files/bank-files.ts'

useBankFiles()

test('a line that cannot be booked holds up no other, a person is asked, and the next import books it', async () => {
  const invoices = [await build(10_100), await build(20_200), await build(30_300)]
  await server.test.owner.query(`create function refuse_line() returns trigger language plpgsql as $$
    begin
      if new.amount_minor = 20200 then raise exception 'broken on purpose'; end if;
      return new;
    end $$;
    create trigger refuse_line before update on bank_line for each row execute function refuse_line()`)
  const payments = invoices.map(({ reference }, index) => ({ reference, amountMinor: 10_100 * (index + 1) }))
  expect(outcomesOf(await takeFiles(fileOf(payments)))).toEqual(['booked', 'booked'])
  const states = async () => Promise.all(invoices.map(async (invoice) => (await stateOf(invoice)).status))
  expect(await states()).toEqual(['CLOSED', 'ACTIVATED', 'CLOSED'])
  const tasks = await rows<{ about: string }>(
    `select about from task where kind = 'work_stuck' and done_at is null`,
  )
  expect(tasks).toEqual([{ about: expect.stringMatching(/^place bank line /) }])
  await server.test.owner.query('drop trigger refuse_line on bank_line')
  expect(outcomesOf(await takeFiles())).toEqual(['booked'])
  expect(await states()).toEqual(['CLOSED', 'CLOSED', 'CLOSED'])
  expect(await rows(`select about from task where kind = 'work_stuck' and done_at is null`)).toEqual([])
})
