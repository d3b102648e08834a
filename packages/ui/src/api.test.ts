import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { CallAbout } from '@kvitt/domain/calls.ts'
import { ApiRefusal, ApiUnreachable, callTo, createApi, publicPath, withQuery, type CallTo } from './api.ts'
import { sayContract } from './feedback/other-release.ts'
import { fileNameOf } from './save-file.ts'

afterEach(() => vi.unstubAllGlobals())

function apiAnswering(answer: () => Promise<Response>, authorization = () => 'Bearer t0') {
  const seen = { signedOut: 0, failures: 0, requests: [] as [string, RequestInit][], tokens: [] as string[] }
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    seen.requests.push([url, init])
    return answer()
  })
  const api = createApi({
    language: () => 'nb',
    authorization,
    onToken: (token) => seen.tokens.push(token),
    onSignedOut: () => seen.signedOut++,
    onFailure: () => seen.failures++,
  })
  return { api, seen }
}

const refuse = (status: number) => async () =>
  Response.json({ code: 'amount_changed', message: 'Beløpet er endret', traceId: 't1' }, { status })

const PING = callTo('GET', '/ping/version')

test('the public path escapes what was typed', () => {
  expect(
    withQuery(publicPath('invoices', { reference: '2601', zip: '41105' }, '/events'), { limit: '-1' }),
  ).toBe('/public/invoices/2601/41105/events?limit=-1')
  expect(publicPath('invoices', { reference: '../admin', zip: 'a/b?c' }, '')).toBe(
    '/public/invoices/..%2Fadmin/a%2Fb%3Fc',
  )
  expect(withQuery('/x', { invoiceNumber: 'A&B', zip: undefined })).toBe('/x?invoiceNumber=A%26B')
})

test.each([
  [
    `attachment; filename="Inkassoarenden.csv"; filename*=UTF-8''Inkasso%C3%A4renden.csv`,
    'Inkassoärenden.csv',
  ],
  [`attachment; filename="a.csv"; filename*=UTF-8''%`, 'a.csv'],
  ['attachment; filename="a.csv"', 'a.csv'],
  ['attachment', undefined],
])('%s names a file', async (written, fileName) => {
  const headers = { 'content-disposition': written }
  const { api } = apiAnswering(async () => new Response('x', { headers }))
  expect(fileNameOf((await api.fetchFile({ method: 'GET', path: '/debtor/list' })).disposition)).toBe(
    fileName,
  )
})

test('a call carries the language of the screen', async () => {
  const { api, seen } = apiAnswering(async () => Response.json({ data: 1 }))
  expect(await api.ask(PING)).toEqual({ data: 1 })
  expect(seen.requests[0]?.[0]).toBe('/api/ping/version')
  expect(seen.requests[0]?.[1].headers).toMatchObject({ 'Accept-Language': 'nb' })
})

type DisputeFile = CallAbout<'invoices', 'PUT', '/dispute/files'>

test('a form goes as it is, by its own carrier', async () => {
  const { api, seen } = apiAnswering(async () => Response.json({}))
  const form = new FormData()
  form.append('file', new Blob(['x']), 'a.pdf')
  const carried: [string, RequestInit][] = []
  const carrier = async (url: string, init: RequestInit) => {
    carried.push([url, init])
    return Response.json({ id: 'f1' }, { status: 201, headers: { 'X-Session-Token': 't1' } })
  }
  const call: CallTo<DisputeFile> = { method: 'PUT', path: '/debtor/invoices/dispute/files' }
  expect(await api.ask(call, { body: form, carrier })).toEqual({ id: 'f1' })
  expect(seen.requests).toEqual([])
  expect(seen.tokens).toEqual(['t1'])
  expect(carried[0]?.[0]).toBe('/api/debtor/invoices/dispute/files')
  expect(carried[0]?.[1].body).toBe(form)
  expect(carried[0]?.[1].headers).not.toHaveProperty('Content-Type')
})

test('a late answer to whoever was here before neither ends nor renews the session of who is here now', async () => {
  let token = 'Bearer of Alva'
  const late = (status: number) => async () => {
    token = 'Bearer of Elias'
    return Response.json({ code: 'not_signed_in' }, { status, headers: { 'X-Session-Token': 't1' } })
  }
  for (const status of [200, 401]) {
    token = 'Bearer of Alva'
    const { api, seen } = apiAnswering(late(status), () => token)
    await api.ask({ method: 'GET', path: '/debtor/session' }).catch(() => undefined)
    expect(seen.requests[0]?.[1].headers).toMatchObject({ Authorization: 'Bearer of Alva' })
    expect([seen.signedOut, seen.tokens]).toEqual([0, []])
  }
})

test('400 goes to the caller with its code', async () => {
  const { api, seen } = apiAnswering(refuse(400))
  const failure = await api.ask(PING).catch((e: unknown) => e)
  expect(failure).toBeInstanceOf(ApiRefusal)
  expect(failure).toMatchObject({ code: 'amount_changed', message: 'Beløpet er endret', traceId: 't1' })
  expect(seen).toMatchObject({ signedOut: 0, failures: 0 })
})

test('401 ends the session and other statuses are the caller’s, unless it wants the error page', async () => {
  const first = apiAnswering(refuse(401))
  await expect(first.api.ask(PING)).rejects.toBeInstanceOf(ApiRefusal)
  expect(first.seen).toMatchObject({ signedOut: 1, failures: 0 })
  const second = apiAnswering(refuse(503))
  await expect(second.api.ask(PING)).rejects.toBeInstanceOf(ApiRefusal)
  await expect(second.api.ask(PING, { toErrorPage: true })).rejects.toBeInstanceOf(ApiRefusal)
  expect(second.seen).toMatchObject({ signedOut: 0, failures: 1 })
})

test('no answer is neither refusal nor failure page', async () => {
  const { api, seen } = apiAnswering(() => Promise.reject(new TypeError('offline')))
  await expect(api.ask(PING)).rejects.toBeInstanceOf(ApiUnreachable)
  expect(seen).toMatchObject({ signedOut: 0, failures: 0 })
})

test('an error body that is not JSON still has its status', async () => {
  const { api } = apiAnswering(async () => new Response('<html>', { status: 502 }))
  await expect(api.fetchFile(PING)).rejects.toMatchObject({ status: 502, code: '' })
})

test('only the debtor door gets the token, and a fresh one is handed on', async () => {
  const answer = async () =>
    Response.json([], { headers: { 'X-Session-Token': 't1', 'X-Total-Count': '37' } })
  const { api, seen } = apiAnswering(answer)
  const list: CallTo<CallAbout<'invoices', 'POST', '/ledger'>> = {
    method: 'POST',
    path: '/debtor/invoices/ledger',
  }
  await api.ask(PING)
  expect(seen.tokens).toEqual([])
  expect(await api.askList(list)).toEqual({ items: [], total: 37 })
  expect(seen.requests.map(([, init]) => (init.headers as Record<string, string>).Authorization)).toEqual([
    undefined,
    'Bearer t0',
  ])
  expect(seen.tokens).toEqual(['t1'])
})

// A page says it once, after its first screen.
beforeAll(() => sayContract('a1b2'))

const OTHER = () =>
  Response.json(
    { code: 'other_release', message: 'There is a new version' },
    { status: 400, headers: { 'X-Other-Contract': 'b' } },
  )

test('a process of another release is asked again until one of ours answers, with what was sent', async () => {
  const answers = [OTHER, OTHER, () => Response.json({ data: 1 })]
  const { api, seen } = apiAnswering(async () => answers.shift()?.() ?? Response.error())
  const asked = api.ask(PING, { headers: { 'Idempotency-Key': 'k' } })
  expect(await asked).toEqual({ data: 1 })
  expect(seen.requests).toHaveLength(3)
  expect(new Set(seen.requests.map(([, { headers }]) => JSON.stringify(headers))).size).toBe(1)
})

test('when no process of ours is left, the page that keeps what was typed says that there is a new version', async () => {
  const { api, seen } = apiAnswering(async () => OTHER())
  const asked = api.ask(PING, { toErrorPage: true }).catch((error: unknown) => error)
  expect(await asked).toMatchObject({ code: 'other_release', message: 'There is a new version' })
  expect([seen.requests.length, seen.failures, seen.signedOut]).toEqual([4, 0, 0])
})

test('a call says which contract its page was made for', async () => {
  const { api, seen } = apiAnswering(async () => Response.json({}))
  await api.ask(PING)
  expect(seen.requests[0]?.[1].headers).toMatchObject({ 'X-Contract': 'a1b2' })
})
