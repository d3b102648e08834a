import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { OpenApi } from '../../apps/server/src/platform/http/openapi.ts'
import { sampleBody } from '../../apps/server/src/testing/calls/fuzz.ts'
import { ELIAS, MAJ } from '../testing/debtor.ts'
import { ownProduct } from '../testing/product.ts'
import { signInByCalls, type SignedIn } from '../testing/sign-in-by-calls.ts'

const product = await ownProduct('it reads the whole log of a program that logs everything', {
  fromNothing: true,
  settings: { LOG_LEVEL: 'trace' },
})

/** What no log may hold, in any spelling: things of the cast's, and things that only these requests know. */
const CANARIES = {
  reference: '770001122334455',
  zip: '98173',
  name: 'Kanariefågel',
  email: 'kanarie@canary.example',
  personalNumber: '19900101-2385',
  phone: '46701740688',
  secret: 'c4n4ry-s3cr3t',
} as const
const OF_THE_CAST = [
  MAJ.reference,
  MAJ.zip,
  ELIAS.reference,
  ELIAS.reference.replace(/(\d{4})(?=\d)/g, '$1 '),
  ELIAS.zip,
]

const { reference, zip, name, email, personalNumber, phone, secret } = CANARIES
const about = `${reference}?zip=${zip}&name=${encodeURIComponent(name)}&email=${email}&personalNumber=${personalNumber}`
const pair = `public/invoices/${ELIAS.reference}/${ELIAS.zip}`
const other = `public/invoices/${MAJ.reference}/${MAJ.zip}`
const dispute = { debtorEmail: email, reason: `${name} ${personalNumber} ${reference} ${zip}` }
const body = { ...dispute, payerPhone: phone }

/** Those that stand in a text, not counting what is a part of an id. */
const canariesIn = (text: string, more: readonly string[] = []): string[] =>
  [...Object.values(CANARIES), ...OF_THE_CAST, ...more].filter((value) =>
    new RegExp(`(?<![\\w-])${value.replace(/[.+]/g, '\\$&')}(?![\\w-])`).test(text),
  )

/** Bytes as they are, to where a careful client would not send them. */
function sendRaw(bytes: string): Promise<void> {
  const { hostname, port } = new URL(product.address)
  return new Promise((settle) => {
    const socket = connect(Number(port), hostname, () => socket.end(bytes))
    socket.on('error', () => settle()).once('close', () => settle())
    socket.resume()
  })
}

const good = async (): Promise<void> => {
  for (const rest of ['', '/documents', '/events/ledger?limit=-1', '/payment-methods', '/client']) {
    expect((await product.call('GET', pair + rest)).status).toBe(200)
  }
  const session = { authorization: `Bearer ${secret}`, cookie: `__Host-kvitt=${secret}` }
  await product.call('GET', `debtor/invoices?paymentReference=${about}`, { headers: session })
}

const bad = async (): Promise<void> => {
  await product.call('GET', `public/invoices/${reference}/${zip}`)
  await product.call('GET', `public/invoices/${encodeURIComponent(name)}/${email}`)
  await product.call('POST', `${pair}/payment-requests`, { body })
  await product.call('POST', `${pair}/dispute`, { body: { ...body, [name]: email } })
  await product.call('POST', `${pair}/ledger?orderBy=${name}`, { body: { 'statuses.main': name } })
  await product.call('POST', `callbacks/direct-bank/${secret}`, { body })
  await product.call('POST', `callbacks/swish/${secret}`, { body })
  await product.call('GET', `storage/${secret}-${reference}.pdf`)
  await product.call('POST', 'external/bankid/collect', { body: { orderRef: reference, name } })
}

const unmatched = async (): Promise<void> => {
  for (const path of [
    `public/invoice/${about}`,
    `public/invoices/${reference}/${zip}/${name}/${email}`,
    `PUBLIC/INVOICES/${reference}/${zip}`,
    `/public/invoices/${reference}/${zip}`,
    `debtor/${about}`,
    `../${about}`,
    `%2e%2e/%2f${about}`,
    `public/invoices/%E0%A4%A/${about}`,
    `public/invoices/${reference.repeat(20)}/${zip}`,
  ]) {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) await product.call(method, path)
  }
  for (const path of [`/sv/invoice/${about}`, `/en/confirmation/${about}`, `/${about}`, `/assets/${about}`]) {
    await fetch(product.address + path, { headers: { accept: 'text/html' }, redirect: 'manual' })
  }
}

const broken = async (): Promise<void> => {
  const send = (type: string, text: string) =>
    fetch(`${product.address}/api/${pair}/dispute`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: text,
    })
  expect((await send('application/json', `{"debtorEmail": "${email}", ${name}`)).status).toBe(400)
  expect((await send('application/json', JSON.stringify(body) + ' '.repeat(2_000_000))).status).toBe(413)
  await send(`multipart/form-data; boundary=${name.slice(0, 4)}`, `--${name}\r\n${email}`)
  await send(`text/${secret}`, JSON.stringify(body))
  await sendRaw(
    `GET /api/${pair} HTTP/1.1\r\nHost: ${secret}\r\nCookie: ${(email + secret).repeat(2_000)}\r\n\r\n`,
  )
  await sendRaw(`${name} /${about} HTTP/9\r\n\r\n`)
  await sendRaw(
    `GET http://localhost/api/public/invoices/${about} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  )
  await sendRaw(
    `POST /api/${pair}/dispute HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n{"reason": "${name}`,
  )
}

test('log.canary: The log of everything holds nothing of anybody, whatever is asked', async () => {
  await good()
  await bad()
  await unmatched()
  await broken()
  const logs = product.logs()
  // It is the log of these calls, and does say what was asked for.
  expect(logs).toContain('"route":"/api/public/invoices/:paymentReference/:zip"')
  expect(logs).toContain('"route":"none","status":404')
  expect(canariesIn(logs)).toEqual([])
})

test('log.canary: Neither does it when the database fails, or is too slow', async () => {
  await product.readRows(`create function canary() returns trigger language plpgsql as $$
    begin
      raise exception 'no % here', new.reason using detail = new.email, hint = new.reason;
    end $$`)
  await product.readRows(
    'create trigger canary before insert on dispute for each row execute function canary()',
  )
  const refused = await product.call('POST', `${other}/dispute`, { body: dispute })
  expect(refused.status).toBe(500)
  await product.readRows('drop trigger canary on dispute')
  // The row that is refused stands in the detail of such an error.
  await product.readRows("alter table dispute add constraint canary check (reason = '') not valid")
  expect((await product.call('POST', `${other}/dispute`, { body: dispute })).status).toBe(500)
  await product.readRows('alter table dispute drop constraint canary')

  const held = product.readRows(
    'begin; lock table dispute in access exclusive mode; select pg_sleep(8); commit',
  )
  await sleep(500)
  expect((await product.call('POST', `${other}/dispute`, { body: dispute })).status).toBe(503)
  await held

  const logs = product.logs()
  expect(logs).toContain('"code":"P0001"')
  expect(logs).toContain('"code":"23514"')
  expect(logs).toContain('"code":"57014"')
  expect(canariesIn(logs)).toEqual([])
})

const STAFF = { client: 'creditor@kvitt.example', admin: 'admin@kvitt.example' } as const
const PASSWORD = 'Kvitt-demo-2026'
/** They end the session with which the others are asked. */
const ENDS_SESSION = /\/(session|account\/(sessions|password))$/

/** Every call of a door as the written reference has it, with canaries in its path, its query and its body. */
async function askAll(door: 'client' | 'admin', { headers }: SignedIn): Promise<number> {
  const { paths } = (await product.call('GET', 'openapi.json')).body as OpenApi
  const calls = Object.entries(paths)
    .filter(([path]) => path.startsWith(`/${door}/`) && !ENDS_SESSION.test(path))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method })))
  for (const { path, method } of calls) {
    const names = { ...body, name, email, identificationNumber: personalNumber, zip, text: name, note: about }
    const filters = { query: `${name} ${reference}`, filters: { 'debtor.email': email } }
    const asked = method === 'get' ? {} : { body: path.endsWith('/search') ? filters : names }
    const [to, with_] = [path.replace(/\{\w+\}/g, encodeURIComponent(email)).slice(1), { headers, ...asked }]
    const { status } = await product.call(method.toUpperCase(), `${to}?zip=${zip}&text=${about}`, with_)
    expect(status, `${method} ${path}`).toBeGreaterThanOrEqual(200)
    expect(status, `${method} ${path}`).not.toBe(401)
  }
  return calls.length
}

type Listed = { readonly id?: unknown }

/** What a list answers first, by the part of the path that names it. */
function firstOf(body: unknown): string | undefined {
  const list = Array.isArray(body) ? body : ((body as { data?: unknown } | null)?.data ?? [])
  const id = (Array.isArray(list) ? (list as Listed[])[0] : undefined)?.id
  return typeof id === 'string' ? id : undefined
}

/** The body that the reference describes, with canaries where a person types. */
function typed(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => typed(one))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name_, inner]) => [name_, typed(inner, name_)]))
  if (value !== '1') return value
  if (/day|date|until/i.test(key)) return '2026-12-04'
  if (/amount/i.test(key)) return '1.00'
  if (/email/i.test(key)) return email
  if (/phone/i.test(key)) return `+${phone}`
  if (/zip/i.test(key)) return zip
  if (/query|text|note|reason|name|message|description|why|reference|search/i.test(key))
    return `${name} ${reference}`
  return value
}

/**
 * Every call of a door as somebody who means it asks: about what its own lists have named, with a body as the reference describes
 * it. Answers how many were accepted, of those that read and of the others.
 */
async function meanAll(door: 'client' | 'admin', { headers }: SignedIn) {
  const { paths } = (await product.call('GET', 'openapi.json')).body as OpenApi
  const calls = Object.entries(paths)
    .filter(([path]) => path.startsWith(`/${door}/`) && !ENDS_SESSION.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )
  const isRead = ({ path, method }: (typeof calls)[number]) => method === 'get' || path.endsWith('/search')
  const rank = (call: (typeof calls)[number]) => (isRead(call) ? 0 : 2) + (call.path.includes('{') ? 1 : 0)
  const ids = new Map<string, string>()
  const counted = { reads: 0, readsAccepted: 0, others: 0, othersAccepted: 0 }
  const refused: string[] = []
  for (const call of calls.toSorted((a, b) => rank(a) - rank(b))) {
    const { path, method, operation } = call
    const of = path.split('/')[2] ?? ''
    const to = path.replace(/\{\w+\}/g, ids.get(of) ?? crypto.randomUUID()).slice(1)
    const sample = path.endsWith('/search') ? { query: '', filters: {} } : typed(sampleBody(operation))
    const asked = method === 'get' || sample === undefined ? {} : { body: sample }
    const answer = await product.call(method.toUpperCase(), to, { headers, ...asked })
    expect(answer.status, `${method} ${path}`).toBeLessThan(500)
    const isAccepted = answer.status < 300
    if (isAccepted && isRead(call) && !path.includes('{') && !ids.has(of)) {
      const id = firstOf(answer.body)
      if (id) ids.set(of, id)
    }
    if (!isAccepted) refused.push(`${method} ${path} ${answer.status} ${answer.text.slice(0, 300)}`)
    if (isRead(call)) counted.reads += 1
    else counted.others += 1
    if (isAccepted && isRead(call)) counted.readsAccepted += 1
    if (isAccepted && !isRead(call)) counted.othersAccepted += 1
  }
  return { ...counted, refused }
}

/** What is done, not refused: an invoice to somebody new, a colleague, a search. */
async function workAsStaff({ headers }: SignedIn): Promise<void> {
  const debtor = { type: 'PERSON', name, identificationNumber: personalNumber, email, phone: `+${phone}` }
  const invoice = {
    debtor: { ...debtor, address: 'Provgatan 1', zip: '111 22', city: name, countryCode: 'SE' },
    invoiceDate: '2026-11-20',
    expireDate: '2099-12-20',
    currency: 'SEK',
    rows: [{ description: `${name} ${personalNumber}`, quantity: 1, unitPrice: '10', vatPercent: 25 }],
  }
  const key = { ...headers, 'idempotency-key': secret }
  const made = await product.call('POST', 'client/invoices', { headers: key, body: invoice })
  expect(made.status, made.text).toBe(201)
  const colleague = { email, name, role: 'clerk' }
  const invited = await product.call('POST', 'client/users', { headers, body: colleague })
  expect(invited.status, invited.text).toBe(201)
  const found = await product.call('POST', `client/invoices/search`, {
    headers,
    body: { query: ELIAS.reference, filters: {} },
  })
  expect(found.status, found.text).toBe(200)
}

test('log.canary: Nor when staff sign in, search and work, with every call that there is', async () => {
  const secrets: string[] = []
  for (const door of ['client', 'admin'] as const) {
    const who = { email: STAFF[door], password: PASSWORD, wrong: `${secret}-${door}` }
    const signedIn = await signInByCalls(product.address, door, who)
    secrets.push(STAFF[door], ...signedIn.secrets)
    expect(await askAll(door, signedIn)).toBeGreaterThan(60)
    if (door === 'client') await workAsStaff(signedIn)
    const meant = await meanAll(door, signedIn)
    const { reads, readsAccepted, othersAccepted, refused } = meant
    expect(readsAccepted / reads, refused.join('\n')).toBeGreaterThan(0.75)
    expect(othersAccepted, refused.join('\n')).toBeGreaterThanOrEqual(5)
    await product.call('GET', `${door}/session`, { headers: { authorization: `Bearer ${secret}` } })
    await product.call('DELETE', `${door}/session`, { headers: signedIn.headers })
  }
  expect(secrets.filter((value) => value.length < 8)).toEqual([])
  const logs = product.logs()
  expect(logs).toContain('"route":"/api/client/invoices/search"')
  expect(logs).toContain('"route":"/api/admin/suspense/search"')
  expect(canariesIn(logs, secrets)).toEqual([])
})
