import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestSandbox } from '../testing/start-test-sandbox.ts'
import type { Json, TestSandbox } from '../testing/start-test-sandbox.ts'

let sandbox: TestSandbox
let token: string
beforeEach(async () => {
  sandbox = await startTestSandbox()
  token = (await logIn()).body.access_token
})
afterEach(() => sandbox.stop())

const TENANT = '/v2/tenant/5a17d0b0c0de'
const NILS = '197909189230'
const PDF = Buffer.from('%PDF-1.7 a letter').toString('base64')
const LETTER = {
  ssn: NILS,
  subject: 'Inkassokrav',
  type: 'letter',
  parts: [{ name: 'a.pdf', content_type: 'application/pdf', data: PDF }],
}

const logIn = (headers: object = { authorization: 'Basic YTpi' }, body = 'grant_type=client_credentials') =>
  sandbox.callBank('POST', '/v1/auth', { headers, body })
const post = (path: string, body: unknown, at = sandbox, with_ = token) =>
  at.callBank('POST', `${TENANT}${path}`, { headers: { authorization: `Bearer ${with_}` }, body })
const mails = async (at = sandbox): Promise<Json[]> => (await at.control('GET', 'mail')).body
const arm = (fault: string) => sandbox.control('POST', 'faults', { target: 'mail', fault })

test('who has a mailbox is told by number, and a letter lies in it with its PDF', async () => {
  expect((await post('/usermatch/ssn', { list: [NILS, '199007292387'] })).body).toEqual({ list: [NILS] })
  const vat = { list: ['SE559999004001', 'SE559999001601'] }
  expect((await post('/companymatch/vatnr', vat)).body).toEqual({ list: ['SE559999004001'] })
  const made = await post('/content', LETTER)
  expect([made.status, made.headers['kivra-objkey']]).toEqual([201, expect.stringMatching(/^[0-9a-f]{40}$/)])
  expect(await mails()).toMatchObject([
    {
      channel: 'digital_mailbox',
      to: NILS,
      subject: 'Inkassokrav',
      attachments: [{ name: 'a.pdf', type: 'application/pdf', bytes: 17 }],
    },
  ])
})

test('the same bytes are delivered once, whenever they say that they were made', async () => {
  for (const generated_at of ['2026-11-20', '2026-11-21']) {
    expect((await post('/content', { ...LETTER, generated_at })).status).toBe(201)
  }
  expect(await mails()).toHaveLength(1)
  await post('/content', { ...LETTER, subject: 'Another' })
  expect(await mails()).toHaveLength(2)
})

test('after a kill the letters are there, and a repeat is still one', async () => {
  await post('/content', LETTER)
  await sandbox.control('POST', 'recipients', { way: 'digital_mailbox', address: '199007292387' })
  const after = await sandbox.startAgainAfterKill()
  const again = (
    await after.callBank('POST', '/v1/auth', {
      headers: { authorization: 'Basic YTpi' },
      body: 'grant_type=client_credentials',
    })
  ).body.access_token
  expect((await post('/content', LETTER, after, again)).status).toBe(201)
  expect((await post('/usermatch/ssn', { list: ['199007292387'] }, after, again)).body.list).toHaveLength(1)
  expect(await mails(after)).toHaveLength(1)
  await after.stop()
})

test('nobody is let in without a client, a token and a certificate of ours', async () => {
  expect((await logIn({})).status).toBe(401)
  expect((await logIn(undefined, 'grant_type=password')).status).toBe(401)
  expect((await post('/content', LETTER, sandbox, 'made-up')).status).toBe(401)
  expect((await sandbox.callBank('GET', `${TENANT}/content`)).status).toBe(405)
  await expect(fetch(`https://localhost:${sandbox.apiPort}/v1/auth`, { method: 'POST' })).rejects.toThrow(
    'fetch failed',
  )
})

test.each([
  [{ ssn: undefined }, 400],
  [{ ssn: '199007292387' }, 400],
  [{ subject: '' }, 400],
  [{ type: undefined }, 400],
  [{ parts: [] }, 400],
  [{ parts: [{ name: 'a.exe', content_type: 'application/octet-stream', data: PDF }] }, 400],
  [{ parts: [{ name: 'a.pdf', content_type: 'application/pdf', data: 'A'.repeat(1_100_000) }] }, 413],
])('%j is refused', async (change, status) => {
  expect((await post('/content', { ...LETTER, ...change })).status).toBe(status)
  expect(await mails()).toEqual([])
})

test('error500 takes nothing, error-after-success takes it and says no', async () => {
  await arm('error500')
  expect((await post('/content', LETTER)).status).toBe(500)
  expect(await mails()).toEqual([])
  await arm('error-after-success')
  expect((await post('/content', LETTER)).status).toBe(500)
  expect(await mails()).toHaveLength(1)
})

test.each([
  [{ way: 'email', address: '199007292387' }],
  [{ way: 'digital_mailbox', address: 'x' }],
  [{ way: 'digital_mailbox' }],
  [{ way: 'digital_mailbox', address: '199007292387', connected: 'yes' }],
])('%j connects nobody', async (body) => {
  const before = (await sandbox.control('GET', 'recipients')).body
  expect((await sandbox.control('POST', 'recipients', body)).status).toBe(400)
  expect((await sandbox.control('GET', 'recipients')).body).toEqual(before)
})
