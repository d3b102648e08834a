/** What every list has, whoever answers it: X-Total-Count and Link, pages, orders that are known. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Contract } from '@kvitt/domain/contract.ts'
import { describeSchema } from '@kvitt/domain/schema.contract.ts'
import { BINDINGS } from './api.ts'
import { linkHeader } from './platform/http/paging.ts'
import { pathOf } from './platform/http/serve.ts'
import { buildInvoice, type BuiltInvoice } from './testing/build.ts'
import { buildClaim, buildInstanceAccount } from './testing/build-claim.ts'
import { signInStaff, type SignedIn } from './testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from './testing/start-test-server.ts'
import { askForBooksAtEnd } from './testing/test-database.ts'

askForBooksAtEnd()

let server: TestServer
let invoice: BuiltInvoice
let claim: Awaited<ReturnType<typeof buildClaim>>
let manager: SignedIn
let claimManager: SignedIn
let importId: string
let operator: SignedIn
let bankFileId: string

beforeAll(async () => {
  server = await startTestServer()
  await buildInstanceAccount(server.test, server.instanceId)
  claim = await buildClaim(server.test, server.instanceId, server.clock)
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  manager = await signInStaff(server.product.context, {
    instanceId: server.instanceId,
    creditorId: invoice.creditorId,
    role: 'manager',
  })
  claimManager = await signInStaff(server.product.context, {
    instanceId: server.instanceId,
    creditorId: claim.invoices[0]?.creditorId ?? '',
    role: 'manager',
  })
  const { rows } = await server.test.owner.query<{ id: string }>(
    `insert into import (instance_id, id, creditor_id, file_name, file_hash, byte_count, format, status, made_by)
     values ($1, gen_random_uuid(), $2, 'x.csv', 'x', 1, 'CSV', 'READY', 'person:x') returning id`,
    [server.instanceId, invoice.creditorId],
  )
  importId = rows[0]?.id ?? ''
  const at = { instanceId: server.instanceId, creditorId: null }
  operator = await signInStaff(server.product.context, { ...at, role: 'manager' })
  const files = await server.test.owner.query<{ id: string }>(
    `insert into bank_file (instance_id, id, name, format, content_hash)
     values ($1, gen_random_uuid(), 'x.txt', 'bgmax', 'x') returning id`,
    [server.instanceId],
  )
  bankFileId = files.rows[0]?.id ?? ''
  for (const [subject, pair] of [
    ['invoices', invoice],
    ['collection-batches', claim],
  ] as const) {
    const body = { debtorEmail: 'alva@example.com', reason: 'Fel antal.' }
    const path = `/api/public/${subject}/${pair.reference}/${pair.zip}/dispute`
    expect((await server.call('POST', path, { body })).status).toBe(201)
  }
})

const lists = BINDINGS.map(({ contract }) => contract)
  .filter((contract) => describeSchema(contract.response, 'output')?.type === 'array')
  .map((contract) => ({ name: contract.name, contract }))

function ofPath(path: string): string {
  if (path.startsWith('/payment-batches/')) return bankFileId
  return path.startsWith('/imports/') ? importId : invoice.id
}

function ask(contract: Contract, query = ''): Promise<Answer> {
  const pair = contract.subject === 'collection-batches' ? claim : invoice
  const door = contract.doors[0] ?? 'open'
  const ofClaim = contract.path.startsWith('/collection-batches/')
  const own = ofPath(contract.path)
  const path = pathOf(contract, door)
    .replace(':paymentReference', pair.reference)
    .replace(':zip', pair.zip)
    .replace(':id', ofClaim ? claim.id : own)
  const sent = contract.method === 'POST' ? { body: {} } : {}
  const clients = ofClaim ? claimManager : manager
  const headers = door === 'client' ? { ...clients } : door === 'admin' ? { ...operator } : {}
  return server.call(contract.method, `${path}${query}`, { ...sent, headers })
}

describe.each(lists)('$name', ({ contract }) => {
  test('says how much there is, and where the pages are', async () => {
    const answer = await ask(contract)
    expect(answer.status, answer.text).toBe(200)
    expect(Number(answer.headers.get('x-total-count'))).toBe((answer.json as unknown[]).length)
    expect(answer.headers.get('link')).toMatch(/<.+[?&]page=1>; rel="first", .*rel="last"/)
  })

  test('takes a page, and refuses what is none', async () => {
    const whole = await ask(contract)
    const page = await ask(contract, '?limit=1')
    const all = whole.json as unknown[]
    expect((page.json as unknown[]).length).toBe(Math.min(1, all.length))
    // A look at the log is itself in the log.
    const own = contract.path.startsWith('/audit') ? 1 : 0
    const total = (answer: Answer) => Number(answer.headers.get('x-total-count'))
    expect(total(page)).toBe(total(whole) + own)
    expect(page.headers.get('link')?.includes('rel="next"')).toBe(all.length > 1)
    const beyond = await ask(contract, '?page=900')
    expect([beyond.status, beyond.json]).toEqual([200, []])
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'limit=', 'limit=1.5', 'page=0', 'page=-1']) {
      const refused = await ask(contract, `?${query}`)
      expect([refused.status, (refused.json as { code: string }).code], query).toEqual([
        400,
        'invalid_paging',
      ])
    }
  })

  test('keeps in its links all that it was asked with', () => {
    const names = Object.keys(describeSchema(contract.query, 'input')?.properties ?? {})
    const asked = names.filter((name) => name !== 'limit' && name !== 'page')
    const path = `/a?${asked.map((name) => `${name}=A%5BOR%5DB`).join('&')}`
    const link = linkHeader(path, { total: 3, page: { limit: 1, page: 1 } })
    const next = /<([^>]+)>; rel="next"/.exec(link)?.[1] ?? ''
    const kept = new URL(next, 'http://local').searchParams
    for (const name of asked) expect(kept.get(name), name).toBe('A[OR]B')
  })
})

const ordered = lists.filter(({ contract }) =>
  Object.hasOwn(describeSchema(contract.query, 'input')?.properties ?? {}, 'orderBy'),
)
test.each(ordered)('$name: an order that is not known is an invalid filter', async ({ contract }) => {
  for (const query of ['orderBy=secret', 'orderBy=toString', 'order=sideways']) {
    const answer = await ask(contract, `?${query}`)
    expect([answer.status, (answer.json as { code: string }).code], query).toEqual([400, 'invalid_filter'])
  }
})

test('the ways to log in and to pay come in the order that is asked for', async () => {
  const codes = async (query: string): Promise<string[]> => {
    const answer = await server.call('POST', `/api/public/service-providers/search${query}`, { body: {} })
    return (answer.json as { code: string }[]).map(({ code }) => code)
  }
  const own = await codes('')
  expect(await codes('?order=desc')).toEqual(own)
  expect(await codes('?order=asc')).toEqual(own.toReversed())
  expect(await codes('?orderBy=code&order=asc')).toEqual(own.toSorted())
  expect(await codes('?orderBy=code&order=desc')).toEqual(own.toSorted().toReversed())
})

test('an invoice number that is empty is none', async () => {
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}`
  const [without, empty, other] = await Promise.all(
    ['', '?invoiceNumber=', '?invoiceNumber=none'].map((query) => server.call('GET', `${path}${query}`)),
  )
  expect(empty?.status).toBe(200)
  expect(empty?.json).toEqual(without?.json)
  expect(other?.status).toBe(400)
  const claims = `/api/public/collection-batches/${claim.reference}/${claim.zip}?collectionBatchNumber=`
  expect((await server.call('GET', claims)).status).toBe(200)
})

test.each([
  ['a reference of 256 digits', '1'.repeat(256), '11122'],
  ['a zip of 8 kB', '7001234908', '1'.repeat(8192)],
  ['a zip that is no UTF-8', '7001234908', '%FF'],
  ['a reference that is no escape', '%2', '11122'],
])('%s is a pair that nobody has', async (_, reference, zip) => {
  for (const subject of ['invoices', 'collection-batches']) {
    for (const tail of ['', '/documents', '/payment-requests']) {
      const url = `/api/public/${subject}/${reference}/${zip}${tail}`
      const answer = await server.product.app.inject({ method: 'GET', url, headers: { host: 'localhost' } })
      expect([answer.statusCode, answer.json()], url.slice(0, 80)).toEqual([
        400,
        expect.objectContaining({ code: 'login_error::invalid_data' }),
      ])
      const elsewhere = { host: 'unknown.example' }
      expect((await server.product.app.inject({ method: 'GET', url, headers: elsewhere })).statusCode).toBe(
        404,
      )
    }
  }
})
