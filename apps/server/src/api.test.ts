import { beforeAll, describe, expect, test } from 'vitest'
import { ERRORS } from '@kvitt/domain/errors.ts'
import { BINDINGS } from './api.ts'
import { pathOf, pathsOf } from './platform/http/serve.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from './testing/build.ts'
import { formWith, PDF } from './testing/files/sample-files.ts'
import { signIn } from './testing/sign-in.ts'
import { signInStaff } from './testing/staff.ts'
import { startTestServer, type TestServer } from './testing/start-test-server.ts'
import { askForBooksAtEnd } from './testing/test-database.ts'

askForBooksAtEnd()

let server: TestServer
let invoice: BuiltInvoice
let stranger: BuiltInvoice
let foreign: BuiltInvoice

beforeAll(async () => {
  server = await startTestServer()
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  stranger = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41105' })
  const other = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  foreign = await buildInvoice(server.test, other.id, server.clock, { zip: '0150' })
})

const doors = BINDINGS.flatMap(({ contract }) => contract.doors.map((door) => ({ contract, door })))
const publicCalls = doors
  .filter(({ door }) => door === 'public')
  .map(({ contract }) => ({ name: contract.name, contract }))

/** A body that the call would accept, so that only the question of who asks is left. */
function bodyFor(method: string, path: string): unknown {
  if (path.endsWith('/dispute/files') && method === 'PUT') return formWith(PDF)
  if (path.endsWith('/dispute')) return { debtorEmail: 'a@example.com', reason: 'x' }
  if (!path.endsWith('/payment-requests') || method !== 'POST') return method === 'GET' ? undefined : {}
  return { paymentDate: '2026-11-20', amount: '842.00', redirectUri: `${server.origin}/` }
}

function call(contract: (typeof doors)[number]['contract'], reference: string, zip: string, body?: unknown) {
  const path = pathOf(contract, 'public').replace(':paymentReference', reference).replace(':zip', zip)
  return server.call(contract.method, path, { body: body ?? bodyFor(contract.method, path) })
}

const moneyTables = [
  'posting',
  'ledger_transaction',
  'ledger_account',
  'payment',
  'payment_move',
  'invoice',
  'task',
  'dispute_file',
  'file',
]
async function fingerprint(): Promise<string> {
  const sums = await Promise.all(
    moneyTables.map((t) =>
      server.test.owner.query(
        `select count(*), md5(coalesce(string_agg(x::text, ',' order by x::text), '')) from ${t} x`,
      ),
    ),
  )
  return JSON.stringify(sums.map((s) => s.rows))
}

describe('every call', () => {
  test('has a name and a path of its own', () => {
    const keys = doors.flatMap(({ contract, door }) =>
      pathsOf(contract, door).map((path) => `${contract.method} ${path}`),
    )
    expect(new Set(keys).size).toBe(keys.length)
    expect(new Set(BINDINGS.map((b) => b.contract.name)).size).toBe(BINDINGS.length)
  })

  test.each(
    doors.filter(({ door }) => door === 'debtor').map(({ contract }) => ({ name: contract.name, contract })),
  )('$name: 401 without a session', async ({ contract }) => {
    for (const path of pathsOf(contract, 'debtor')) {
      const answer = await server.call(contract.method, path.replace(':id', invoice.id), {
        body: bodyFor(contract.method, ''),
      })
      expect(answer.status).toBe(401)
    }
  })

  test.each(publicCalls)(
    '$name: nothing for another debtor, another tenant or nobody',
    async ({ contract }) => {
      const before = await fingerprint()
      const pairs = [
        [invoice.reference, stranger.zip],
        [stranger.reference, invoice.zip],
        [foreign.reference, foreign.zip],
        ['00000000000000', invoice.zip],
      ] as const
      for (const [reference, zip] of pairs) {
        const answer = await call(contract, reference, zip)
        expect([answer.status, answer.json]).toEqual([
          400,
          expect.objectContaining({ code: 'login_error::invalid_data' }),
        ])
      }
      expect(await fingerprint()).toBe(before)
    },
  )

  test.each(BINDINGS.map((b) => ({ name: b.contract.name, contract: b.contract })))(
    '$name: refuses other methods with 405 and says which it has',
    async ({ contract }) => {
      const path = pathOf(contract, contract.doors[0] ?? 'open')
        .replace(':paymentReference', invoice.reference)
        .replace(':zip', invoice.zip)
      const isStaff = contract.doors.includes('client')
      const isOperators = !isStaff && contract.doors.includes('admin')
      const { context } = server.product
      const role = 'manager' as const
      const headers =
        isStaff || isOperators
          ? {
              ...(await signInStaff(
                context,
                isStaff ? { ...invoice, role } : { ...invoice, creditorId: null, role },
              )),
            }
          : await signIn(context, server.instanceId, [invoice.debtorId])
      const answer = await server.call('PATCH', path, { headers })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toContain(contract.method)
    },
  )
})

/** The universal bad inputs, as text that fits into a path, a query and a body. */
const BAD: readonly string[] = [
  '', ' ', '\u0000', '\r\n', '\t', '\u202e', 'a\u0301'.repeat(50), '😀', '１２３', '٣٤٥', 'x'.repeat(8192), '-1', '0',
  '2147483648', '9007199254740993', '1e308', 'NaN', 'Infinity', "'", '"', ';--', '%00', '${7*7}', '{{7*7}}', '<svg onload=alert(1)>', '../',
  '..%2f', '%252e', '__proto__', 'constructor', 'null', 'true', '[]', '{}',
] // biome-ignore format: a list of inputs

describe('bad input', () => {
  test.each(publicCalls)('$name: never a 5xx, always a code, nothing changed', async ({ contract }) => {
    const before = await fingerprint()
    for (const bad of BAD) {
      const safe = encodeURIComponent(bad)
      const path = pathOf(contract, 'public')
      const addresses = [
        path.replace(':paymentReference', safe || 'x').replace(':zip', invoice.zip),
        path.replace(':paymentReference', invoice.reference).replace(':zip', safe || 'x'),
        `${path.replace(':paymentReference', invoice.reference).replace(':zip', invoice.zip)}?invoiceNumber=${safe}x&limit=${safe}x`,
      ]
      for (const address of addresses) {
        const answer = await server.call(contract.method, address, { body: bodyFor(contract.method, '') })
        expect(answer.status, `${bad.slice(0, 20)} ${answer.text.slice(0, 200)}`).toBeLessThan(500)
        if (answer.status >= 400) {
          const problem = answer.json as { code: string; message: string }
          expect(Object.keys(ERRORS), `${address.slice(0, 80)} ${answer.status} ${answer.text}`).toContain(
            problem.code,
          )
          expect(problem.message).toMatch(/\p{L}{3}/u)
        }
      }
    }
    expect(await fingerprint()).toBe(before)
  })

  const bodies: [string, unknown][] = [
    ['no JSON', '{'],
    ['a number', 1],
    ['a list', []],
    ['null', 'null'],
    ['a polluted object', '{"__proto__":{"polluted":true},"paymentDate":"2026-11-20"}'],
    ['a deep object', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
    ['wrong types', { paymentDate: 1, amount: {}, redirectUri: [], test: 'yes' }],
    [
      'strings that are too long',
      { paymentDate: 'x'.repeat(5000), amount: 'x'.repeat(5000), redirectUri: 'x'.repeat(5000) },
    ],
  ]
  test.each(bodies)('proto.pollute: startPayment with %s', async (_name, body) => {
    const before = await fingerprint()
    const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`
    const answer = await server.call('POST', path, { body })
    expect(answer.status).toBe(400)
    expect((answer.json as { code: string }).code).toBe('invalid_request')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    expect(await fingerprint()).toBe(before)
  })

  test('a body that is too large, and one of another kind', async () => {
    const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`
    expect((await server.call('POST', path, { body: `"${'x'.repeat(2_000_000)}"` })).status).toBe(413)
    const form = await server.call('POST', path, {
      body: 'a=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(form.status).toBe(415)
  })

  test.each([
    '/api/nothing',
    '/api/public/invoices',
    '/nothing',
    '/api/public/invoices/a/b/c/d',
    '/assets/none.js',
    '/api/demo/clock',
  ])('%s is a neutral 404', async (path) => {
    const answer = await server.call('GET', path)
    expect([answer.status, (answer.json as { code: string }).code]).toEqual([404, 'not_found'])
  })

  test.each(['/api/nothing', '/api/demo/clock', '/api/demo/firm'])(
    '%s is one for every method',
    async (path) => {
      for (const method of ['POST', 'PUT', 'DELETE'])
        expect((await server.call(method, path)).status).toBe(404)
    },
  )
})

describe('another site', () => {
  const auth = '/api/external/bankid/auth'
  test('cannot press a button here', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    const pressed = await server.call('POST', auth, { headers })
    expect([pressed.status, (pressed.json as { code: string }).code]).toEqual([400, 'invalid_request'])
    expect((await server.call('GET', '/api/ping/version', { headers })).status).toBe(200)
    expect((await server.call('POST', auth, { headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(
      200,
    )
  })

  test('cannot send what a form can', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const sent = await server.call('POST', auth, { body: '{}', headers: { 'content-type': type } })
      expect(sent.status, type).toBe(415)
    }
  })
})

describe('a body', () => {
  const search = '/api/public/service-providers/search'
  const send = (body: string | Buffer, type = 'application/json', path = search) =>
    server.product.app.inject({ method: 'POST', url: path, payload: body, headers: { 'content-type': type } })
  const deep = `{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`

  test.each<[string, string | Buffer, string?]>([
    ['a list', '[]'],
    ['null', 'null'],
    ['a list of one', '[{}]'],
    ['text', '"x"'],
    ['no UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['another character set', '{}', 'application/json; charset=utf-7'],
    ['one name twice', '{"query":"a","query":"b"}'],
    ['one name twice, spelled otherwise', '{"query":"a","qu\\u0065ry":"b"}'],
    ['one name twice further in', '{"filters":[{"key":"topic"},{"key":"type","key":"topic"}]}'],
    ['a thousand deep', deep],
    ['a hundred thousand long', `{"a":[${'0,'.repeat(99_999)}0]}`],
  ])('proto.pollute, bomb.set: that is %s is refused', async (_name, body, type) => {
    const answer = await send(body, type)
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'invalid_request' }),
    ])
  })

  test('may say that it is UTF-8, and begin with its mark', async () => {
    expect((await send('{}', 'application/json; charset="UTF-8"')).statusCode).toBe(200)
    expect((await send('\ufeff{"query":"å"}')).statusCode).toBe(200)
  })

  test('may have colons and quotes in its texts, and one name in two places', async () => {
    for (const body of [
      { query: 'a:b":"{\\', queryTarget: 'code', x: { query: ['"', ':', '\\"'] } },
      { 'a:b': 1, ':': { ':': [] }, '"': 2 },
    ]) {
      expect((await send(JSON.stringify(body))).statusCode, JSON.stringify(body)).toBe(200)
    }
    expect((await send('{ "query" : "a" , "x" : [ ] }')).statusCode).toBe(200)
  })
})

describe('open calls', () => {
  test('the ways to log in', async () => {
    const search = (body: unknown) =>
      server.call('POST', '/api/public/service-providers/search?limit=1000', { body })
    const login = await search({ filters: { topic: 'AUTHENTICATION', type: 'LOGIN', enabled: true } })
    expect(login.json).toEqual([
      { code: 'PAYMENT_REFERENCE', topic: 'AUTHENTICATION', type: 'LOGIN', enabled: true },
      { code: 'BANKID', topic: 'AUTHENTICATION', type: 'LOGIN', enabled: true },
    ])
    expect((await search({ filters: { topic: 'PAYMENT' } })).json).toMatchObject([
      { code: 'DIRECT_BANK' },
      { code: 'SWISH' },
    ])
    for (const body of [
      { 'filters.topic': 'AUTHENTICATION', queryTarget: '', query: '' },
      { filters: [{ key: 'topic', search: 'AUTHENTICATION' }], queryTarget: '*' },
      { 'filters.topic': 'AUTHENTICATION', 'filters.localeId': 'sv-SE' },
    ]) {
      expect((await search(body)).json, JSON.stringify(body)).toEqual(login.json)
    }
    for (const localeId of ['xx-XX', 7]) {
      expect((await search({ filters: { localeId } })).json).toMatchObject({
        code: 'invalid_filter',
        errors: [{ field: 'localeId' }],
      })
    }
    expect((await search({ query: 'nothing' })).json).toEqual([])
    expect((await search({ queryTarget: 'secret' })).json).toMatchObject({ code: 'invalid_filter' })
    expect((await search({ filters: { secret: 'x' } })).json).toMatchObject({ code: 'invalid_filter' })
  })

  test('version, locales and branding', async () => {
    expect((await server.call('GET', '/api/ping/version')).json).toEqual({ data: { version: '0.0.0-test' } })
    const locales = (await server.call('GET', '/api/public/locales')).json as { languageCode: string }[]
    expect(locales.map((l) => l.languageCode)).toEqual(['sv', 'nb', 'en', 'da', 'fi'])
    expect((await server.call('GET', '/api/locales/system')).json).toEqual(locales)
    expect((await server.call('GET', '/api/instance-providers/default')).json).toMatchObject({
      urlAlias: 'nordklar',
    })
  })

  test.each([
    ['en', 'We cannot find'],
    ['sv-SE,sv;q=0.9', 'Vi hittar'],
    ['nn', 'Vi finner'],
    ['da;q=0.5,fi;q=0.9', 'Näillä'],
    ['xx', 'Vi hittar'],
    [';;;,,q=', 'Vi hittar'],
  ])('Accept-Language %s', async (language, beginning) => {
    const answer = await server.call('GET', '/api/public/invoices/1/1', {
      headers: { 'accept-language': language },
    })
    expect((answer.json as { message: string }).message.startsWith(beginning)).toBe(true)
  })

  test('alive, ready and measured', async () => {
    expect((await server.call('GET', '/livez')).status).toBe(200)
    expect((await server.call('GET', '/readyz')).status).toBe(200)
    expect((await server.call('GET', '/metrics')).text).toContain('kvitt_request_seconds_bucket')
  })
})
