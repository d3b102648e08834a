import { beforeAll, expect, test } from 'vitest'
import { buildInvoice, TODAY } from '../src/testing/build.ts'
import { signAndSettle } from '../src/testing/debts/settle.ts'
import { runHere, urlOf, type Ended } from '../src/testing/run-program.ts'
import { startTestServer, type TestServer } from '../src/testing/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const run = (...args: string[]): Promise<Ended> =>
  runHere('reverse-payment-cli', args, { DATABASE_URL: urlOf(server.test) })

test('a payment is taken back, once, with who and why; a mistake is one sentence', {
  timeout: 120_000,
}, async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const body = { amount: '842.00', paymentDate: TODAY, redirectUri: `${server.origin}/` }
  const url = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`
  const { id } = (await server.call('POST', url, { body })).json as { id: string }
  await signAndSettle(server, invoice.reference)
  const reverse = ['--payment', id, '--reason', 'The bank has no such payment', '--by', 'kim']
  const done = (word: string) => ({ status: 0, stderr: '', stdout: `${word}  842.00 SEK  payment ${id}\n` })
  expect(await run(...reverse)).toEqual(done('reversed'))
  expect(await run(...reverse)).toEqual(done('reversed before'))
  const { rows } = await server.test.owner.query(
    `select i.status, e.actor, e.reason from invoice i, audit_event e
     where i.id = $1 and e.about = $2 and e.kind = 'payment_reversed'`,
    [invoice.id, `payment:${id}`],
  )
  expect(rows).toEqual([{ status: 'ACTIVATED', actor: 'person:kim', reason: 'The bank has no such payment' }])
  for (const [args, sentence] of [
    [['--reason', 'x1'], /^No payment was named/],
    [['--payment', id], /^Say why, in --reason/],
    [['--payment', server.instanceId, '--reason', 'x1'], /has no payment .* that has been paid/],
  ] as const)
    expect(await run(...args)).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(sentence),
    })
})
