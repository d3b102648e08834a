/** A database that another has taken the place of answers, and takes nothing: it is away, which passes by itself. */
import { expect, test } from 'vitest'
import { buildInvoice } from '../../testing/build.ts'
import { startTestServer } from '../../testing/start-test-server.ts'

const server = await startTestServer()

test('what a database that only reads refuses to write is 503 with Retry-After, and goes on when it writes again', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const start = (key: string) =>
    server.call('POST', `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`, {
      body: {
        paymentDate: '2026-11-20',
        amount: '842.00',
        serviceProviderCode: 'DIRECT_BANK',
        redirectUri: `${server.origin}/`,
      },
      headers: { 'idempotency-key': key },
    })
  // One that was there before, which the setting does not reach.
  const owner = await server.test.owner.connect()
  const { database = '' } = server.test.address
  const become = async (setting: string): Promise<void> => {
    await owner.query(`alter database ${database} ${setting}`)
    await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = 'kvitt_app'`)
  }
  try {
    await become('set default_transaction_read_only = on')
    const refused = await start('while-it-only-reads')
    expect([refused.status, refused.headers.get('retry-after')], refused.text).toEqual([503, '5'])
    expect(refused.json).toMatchObject({ code: 'unavailable', retryable: true })
    // Reads are still answered.
    expect((await server.call('GET', '/api/instance-providers/default')).status).toBe(200)
  } finally {
    await become('reset default_transaction_read_only')
    owner.release()
  }
  expect((await start('while-it-only-reads')).status).toBe(201)
})
