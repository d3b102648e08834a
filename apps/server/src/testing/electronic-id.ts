/** Logging in with the electronic ID, for tests: a server, the sandbox's provider, and browsers that keep cookies. */
import { beforeAll, beforeEach, expect } from 'vitest'
import type { CollectAnswer, StartAnswer } from '@kvitt/domain/electronic-id/electronic-id.contract.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from './build.ts'
import { startTestServer, type TestServer } from './start-test-server.ts'

export const ALVA = '199007292387'
/** How far the clock is ahead; none at the beginning of a test. */
export const time = { aheadMs: 0 }
export let server: TestServer
/** Alva's. */
export let invoice: BuiltInvoice
export let second: { id: string; host: string }
/** Counts starts, as the others do not. */
export let limited: { id: string; host: string }

/** For the top of a test file: everything above is there before its first test. */
export function useElectronicId(): void {
  beforeAll(async () => {
    server = await startTestServer({
      clock: { now: () => Date.now() + time.aheadMs, today: () => '2026-11-20' as never },
    })
    invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    await number(invoice, '19900729-2387')
    second = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
    limited = await buildInstance(server.test, { alias: 'kustklar', isDefault: false, guessLimits: {} })
  })
  beforeEach(async () => {
    time.aheadMs = 0
    await server.control('DELETE', '/control/faults')
  })
}

export async function number(of: BuiltInvoice, identificationNumber: string): Promise<void> {
  await server.test.owner.query(
    'update debtor set identification_number = $2::text, identity = $3 where id = $1',
    [of.debtorId, identificationNumber, `SE:${identificationNumber.replaceAll('-', '')}`],
  )
}

/** A browser: it keeps the cookies that it is given. */
export function openBrowser(headers: Record<string, string> = {}) {
  const jar = new Map<string, string>()
  async function post(path: string, body: unknown = {}, more: Record<string, string> = {}) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await server.call('POST', `/api${path}`, {
      body,
      headers: { ...headers, ...more, cookie },
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0/.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }
  return {
    jar,
    post,
    start: async () => (await post('/external/bankid/auth')).json as StartAnswer,
    collect: (orderRef: string, type = 'QR_CODE') =>
      post('/external/bankid/collect?source=debtor', { orderRef, type }),
    cancel: (orderRef: string) => post('/external/bankid/cancel', { orderRef }),
  }
}
export type Browser = ReturnType<typeof openBrowser>

export const act = (orderRef: string, name: string, body: object = {}) =>
  server.control('POST', `/control/orders/${orderRef}/${name}`, body)
export const codeOf = (answer: { json: never }): string => (answer.json as { code: string }).code
export const fault = (name: string, times = 1) =>
  server.control('POST', '/control/faults', { target: 'eid', fault: name, times })
export const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Asks as the portal does until the order has an end. */
export async function finish(browser: Browser, orderRef: string): Promise<CollectAnswer> {
  for (let asked = 0; asked < 40; asked++) {
    const answer = await browser.collect(orderRef)
    expect(answer.status, answer.text).toBe(200)
    const told = answer.json as CollectAnswer
    if (told.status !== 'pending') return told
    await wait(150)
  }
  throw new Error('the order never ended')
}

export const built = (): Promise<BuiltInvoice> => buildInvoice(server.test, server.instanceId, server.clock)
