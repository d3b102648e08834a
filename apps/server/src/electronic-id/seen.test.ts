/** What the homepage tells of the electronic ID is what the calls to it have met. */
import { expect, test } from 'vitest'
import { fault, openBrowser, second, server, time, useElectronicId } from '../testing/electronic-id.ts'

useElectronicId()

type States = { services: { code: string; state: string }[] }

async function stateOf(code: string, host?: string): Promise<string | undefined> {
  const headers: Record<string, string> = host === undefined ? {} : { host }
  const answer = await server.product.app.inject({ url: '/api/public/service-states', headers })
  return (JSON.parse(answer.body) as States).services.find((one) => one.code === code)?.state
}

const starts = async (times: number): Promise<void> => {
  for (let n = 0; n < times; n += 1) await openBrowser().post('/external/bankid/auth')
}

test('not asked it is unknown, answered it works, five times silent it does not, and half an hour later nobody knows', async () => {
  time.aheadMs = 3_600_000
  expect(await stateOf('BANKID')).toBe('unknown')
  await starts(1)
  expect(await stateOf('BANKID')).toBe('works')
  await fault('error500', 5)
  await starts(4)
  expect(await stateOf('BANKID')).toBe('works')
  await starts(1)
  expect(await stateOf('BANKID')).toBe('silent')
  time.aheadMs += 31 * 60_000
  expect(await stateOf('BANKID')).toBe('unknown')
  await starts(1)
  expect(await stateOf('BANKID')).toBe('works')
})

test('a provider that does not offer it tells nothing of it', async () => {
  time.aheadMs = 3 * 3_600_000
  expect(await stateOf('BANKID', second.host)).toBeDefined()
  await server.test.owner.query(`update instance set logins = '{PAYMENT_REFERENCE}' where id = $1`, [
    second.id,
  ])
  time.aheadMs += 60_000
  expect(await stateOf('BANKID', second.host)).toBeUndefined()
  expect(await stateOf('PORTAL', second.host)).toBe('works')
})
