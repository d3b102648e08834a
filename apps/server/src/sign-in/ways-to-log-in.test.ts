/** An instance offers the ways to log in that it names, and no other (specification section 2). */
import { beforeAll, expect, test } from 'vitest'
import { BINDINGS } from '../api.ts'
import { pathOf } from '../platform/http/serve.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { signIn } from '../testing/sign-in.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

const OFFERS = {
  both: ['PAYMENT_REFERENCE', 'BANKID'],
  reference: ['PAYMENT_REFERENCE'],
  bankid: ['BANKID'],
  none: [],
} as const
type Offer = keyof typeof OFFERS

let server: TestServer
let offering: Record<Offer, { host: string; invoice: BuiltInvoice }>

beforeAll(async () => {
  server = await startTestServer()
  const built = await Promise.all(Object.keys(OFFERS).map(async (name) => [name, await build(name as Offer)]))
  offering = Object.fromEntries(built)
})

async function build(name: Offer) {
  const { id, host } = await buildInstance(server.test, { alias: `offers-${name}`, isDefault: false })
  await server.test.owner.query('update instance set logins = $2 where id = $1', [id, OFFERS[name]])
  return { host, invoice: await buildInvoice(server.test, id, server.clock) }
}

type Sent = { headers?: Record<string, string>; payload?: object }

async function send(host: string, method: string, url: string, { headers, payload }: Sent = {}) {
  const answer = await server.product.app.inject({
    method: method as 'GET',
    url,
    headers: { host, ...headers },
    ...(payload ? { payload } : {}),
  })
  return { status: answer.statusCode, json: answer.json<{ code?: string }>() }
}

const look = ({ reference }: BuiltInvoice, zip: string) => `/api/public/invoices/${reference}/${zip}`

test.each(Object.keys(OFFERS) as Offer[])('offering %s', async (name) => {
  const logins: readonly string[] = OFFERS[name]
  const { host, invoice } = offering[name]
  const search = { filters: { topic: 'AUTHENTICATION', type: 'LOGIN', enabled: true } }
  const { json } = await send(host, 'POST', '/api/public/service-providers/search', { payload: search })
  expect((json as { code: string }[]).map(({ code }) => code).sort()).toEqual(logins.toSorted())

  const byReference = logins.includes('PAYMENT_REFERENCE')
  const right = await send(host, 'GET', look(invoice, invoice.zip))
  const wrong = await send(host, 'GET', look(invoice, '99999'))
  expect([right.status, right.json.code]).toEqual(byReference ? [200, undefined] : [400, 'eid_required'])
  expect(wrong.json.code).toBe(byReference ? 'login_error::invalid_data' : 'eid_required')

  const start = await send(host, 'POST', '/api/external/bankid/auth', { payload: {} })
  const isStarted = logins.includes('BANKID')
  expect(start.json.code).toBe(isStarted ? undefined : 'provider_unavailable')
})

test('without the reference no call opens with one, and BankID opens all of them', async () => {
  const { host, invoice } = offering.bankid
  const calls = BINDINGS.map(({ contract }) => contract).filter(({ doors }) => doors.includes('public'))
  expect(calls.length).toBeGreaterThan(20)
  for (const contract of calls) {
    const url = pathOf(contract, 'public')
      .replace(':paymentReference', invoice.reference)
      .replace(':zip', invoice.zip)
    const payload = contract.method === 'GET' ? {} : { payload: {} }
    expect((await send(host, contract.method, url, payload)).json.code, contract.name).toBe('eid_required')
  }
  const headers = await signIn(server.product.context, invoice.instanceId, [invoice.debtorId])
  const own = await send(host, 'GET', `/api/debtor/invoices?paymentReference=${invoice.reference}`, {
    headers,
  })
  expect([own.status, own.json]).toMatchObject([200, { paymentReference: invoice.reference }])
})
