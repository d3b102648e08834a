import { beforeAll, expect, test } from 'vitest'
import { addDays, date } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { buildInstanceAccount } from '../testing/build-claim.ts'
import { buildInvoice } from '../testing/build.ts'
import { wordsOf } from '../testing/files/pdf-words.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await buildInstanceAccount(server.test, server.instanceId)
})

const DUE = date('2026-01-10')
const sql = async (text: string, values: unknown[]) => (await server.test.owner.query(text, values)).rows

type Mail = { to: string; attachments: { href: string }[] }

/** The letters that a debtor got, in the order in which they were sent. */
async function lettersTo(email: string): Promise<string[]> {
  await server.product.sendMail()
  const mails: Mail[] = await server.control('GET', '/control/mail')
  const hrefs = mails
    .filter(({ to }) => to === email)
    .flatMap((mail) => mail.attachments.map(({ href }) => href))
  return Promise.all(
    hrefs.map(async (href) => {
      const answer = await fetch(`http://127.0.0.1:${server.sandbox.port}${href}`)
      return wordsOf(Buffer.from(await answer.arrayBuffer()))
    }),
  )
}

test('two demands are two letters, each of its own day', async () => {
  server.clock.moveTo(addDays(DUE, -30))
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, {
    dueDate: DUE,
    currency: 'NOK',
  })
  const email = 'to.krav@example.com'
  await sql(`update creditor set country = 'NO' where id = $1`, [invoice.creditorId])
  await sql(`update debtor set country = 'NO', email = $2 where id = $1`, [invoice.debtorId, email])
  const instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
  for (let n = 1; n < 100; n++) {
    server.clock.moveTo(addDays(DUE, n))
    await performDailyRun(server.product.context, instance, addDays(DUE, n))
    await server.product.sendMail()
  }
  const demands = await sql(
    `select performed_date::text as on, last_pay_date::text as pay_by
     from collection_step s join claim k on k.id = s.claim_id join invoice i on i.claim_id = k.id
     where i.id = $1 and s.type = 'COLLECTION_CLAIM' order by s.number`,
    [invoice.id],
  )
  expect(demands).toHaveLength(2)
  const letters = (await lettersTo(email)).filter((words) => words.includes('Inkassokrav'))
  expect(letters).toHaveLength(2)
  for (const [index, { on, pay_by: payBy }] of demands.entries()) {
    const mine = letters.filter((words) => words.includes(on) && words.includes(payBy))
    expect(mine).toHaveLength(1)
    // The first costs the light fee, the second says both.
    expect(mine[0]).toContain(index === 0 ? '245,00 NOK' : '490,00 NOK')
  }
})
