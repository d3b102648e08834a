import { beforeAll, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { buildInstanceAccount } from '../testing/build-claim.ts'
import { buildInvoice, TODAY } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { advanceDays } from './clock.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await buildInstanceAccount(server.test, server.instanceId)
})

test('each day that passes has its night, and its letters go on that day', async () => {
  const { product, clock, instanceId: id } = server
  const invoice = await buildInvoice(server.test, id, clock, { dueDate: addDays(TODAY, 1) })
  await server.test.owner.query(`update debtor set email = 'alva@example.com' where id = $1`, [
    invoice.debtorId,
  ])
  const timeZone = 'Europe/Stockholm'
  const demo = {
    context: product.context,
    timeZone,
    setShift: (days: number) => clock.moveTo(addDays(TODAY, days)),
    performRuns: async () =>
      void (await performDailyRun(product.context, { id, timeZone }, clock.today(timeZone))),
    sendMail: () => product.sendMail(),
  }
  expect(await advanceDays(demo, 40)).toBe(addDays(TODAY, 40))
  const { rows } = await server.test.owner.query(
    `select m.kind, m.status from mail_outbox m join collection_step s on s.id = m.step_id order by m.created_at`,
  )
  expect(rows.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
    'expired_notice SENT',
    'reminder SENT',
    'collection_notice SENT',
    'demand SENT',
  ])
})
