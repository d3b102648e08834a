/** A person's own account: a forgotten password, another one, and where they are signed in. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { holdKey, signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'
import { hashPassword, isPassword } from '../staff/passwords.ts'

const OLD = 'Gran havre lykta 42'
const NEW = 'Myr skata bänk 58'
let server: TestServer
let own: BuiltInvoice
let other: BuiltInvoice
let email: string
let here: SignedIn
let elsewhere: SignedIn
let people = 0

beforeAll(async () => {
  server = await startTestServer()
  own = await buildInvoice(server.test, server.instanceId, server.clock)
  other = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41105' })
})
beforeEach(async () => {
  people += 1
  email = `anna${people}@example.com`
  here = await signInStaff(server.product.context, { ...own, role: 'clerk', email })
  elsewhere = await signInStaff(server.product.context, { ...other, role: 'viewer', email })
  await server.test.owner.query('update person set password_hash = $2 where email = $1', [
    email,
    await hashPassword(OLD),
  ])
})

const code = (answer: Answer) => [answer.status, (answer.json as { code?: string }).code]
const sessions = (headers: SignedIn) =>
  server.call('GET', '/api/client/account/sessions', { headers: { ...headers } })
const change = (current: string, password: string, headers: SignedIn = here) =>
  server.call('PUT', '/api/client/account/password', { headers: { ...headers }, body: { current, password } })
const isNow = async (password: string) => {
  const { rows } = await server.test.owner.query('select password_hash from person where email = $1', [email])
  return isPassword(rows[0].password_hash, password)
}

type Mail = { to: string; subject: string; text: string }
const mailsTo = async (to: string): Promise<Mail[]> => {
  await server.product.sendMail()
  const all: Mail[] = await server.control('GET', '/control/mail')
  return all.filter((mail) => mail.to.includes(to))
}
const forget = (address: string) =>
  server.call('POST', '/oidc/forgotten', { body: { email: address }, headers: {} })
const linkIn = (mail: Mail | undefined) =>
  new URL(/https?:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? '').pathname
const choose = async (path: string, password: string) =>
  (
    await fetch(`${server.origin}${path}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ password }),
    })
  ).status

test('every session of the person is listed, and nobody else’s; all others end at once', async () => {
  await signInStaff(server.product.context, { ...own, role: 'clerk' })
  const listed = (await sessions(here)).json as { isThis: boolean; creditor: string }[]
  expect(listed.filter(({ isThis }) => isThis)).toHaveLength(1)
  expect(listed).toHaveLength(2)
  const { rows } = await server.test.owner.query('select name from creditor where id = any($1)', [
    [own.creditorId, other.creditorId],
  ])
  expect(new Set(listed.map(({ creditor }) => creditor))).toEqual(new Set(rows.map(({ name }) => name)))
  const ended = await server.call('DELETE', '/api/client/account/sessions', { headers: { ...here } })
  expect(ended.status).toBe(204)
  expect((await sessions(elsewhere)).status).toBe(401)
  expect((await sessions(here)).json).toHaveLength(1)
})

test('another password ends every other session and is told; a wrong or weak one changes nothing', async () => {
  expect(code(await change('Fel lösenord 12', NEW))).toEqual([400, 'password_wrong'])
  for (const weak of ['Sommar2026', 'Password1234', OLD]) {
    expect(code(await change(OLD, weak)), weak).toEqual([400, 'password_too_weak'])
  }
  expect([await isNow(OLD), (await sessions(elsewhere)).status]).toEqual([true, 200])
  expect((await change(OLD, NEW)).status).toBe(204)
  expect([await isNow(NEW), (await sessions(here)).status, (await sessions(elsewhere)).status]).toEqual([
    true,
    200,
    401,
  ])
  expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([expect.stringContaining('ändrat')])
})

test('a session that lies open is no way to guess the password', async () => {
  for (let n = 0; n < 10; n++) await change(`Fel lösenord ${n}`, NEW)
  expect(code(await change(OLD, NEW))).toEqual([400, 'sign_in_throttled'])
  expect(await isNow(OLD)).toBe(true)
})

test('a program has no account', async () => {
  const key = await holdKey(server.product.context, { ...own, scopes: ['read'] })
  expect(code(await sessions(key))).toEqual([403, 'not_allowed'])
  expect(code(await change(OLD, NEW, key))).toEqual([403, 'not_allowed'])
})

test('a forgotten password is chosen anew by e-mail, once, and ends every session', async () => {
  const answers = [await forget(` ${email.toUpperCase()} `), await forget('nobody@example.com')]
  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [202, '{}'],
    [202, '{}'],
  ])
  expect(await mailsTo('nobody@example.com')).toEqual([])
  await forget(email)
  const [first, second] = (await mailsTo(email)).map(linkIn)
  expect(await choose(first ?? '', 'Sommar2026')).toBe(400)
  const both = await Promise.all([choose(first ?? '', NEW), choose(second ?? '', `${NEW} B`)])
  expect(both.filter((status) => status === 303).length, both.join()).toBeGreaterThan(0)
  expect([await choose(first ?? '', OLD), await choose(second ?? '', OLD)]).toEqual([400, 400])
  expect(await isNow(OLD)).toBe(false)
  expect([(await sessions(here)).status, (await sessions(elsewhere)).status]).toEqual([401, 401])
  const kept = await server.test.owner.query(
    `select 1 from mail_outbox o where kind = 'staff_forgotten' and o::text like '%' || $1 || '%'`,
    [first?.split('/').at(-1)],
  )
  expect(kept.rows).toEqual([])
})

test('its link is over after half an hour, and for whoever works here no more; an account gets three in an hour', async () => {
  for (let n = 0; n < 4; n++) expect((await forget(email)).status).toBe(202)
  const links = (await mailsTo(email)).map(linkIn)
  expect(links).toHaveLength(3)
  await server.test.owner.query(
    `update invitation set expires_at = expires_at - interval '30 minutes' where person_id = (select id from person where email = $1)`,
    [email],
  )
  for (const link of links) expect(await choose(link, NEW)).toBe(400)
  await server.test.owner.query(
    `update invitation set expires_at = expires_at + interval '1 hour' where person_id = (select id from person where email = $1)`,
    [email],
  )
  await server.test.owner.query(
    'update membership set ended_at = now() where person_id = (select id from person where email = $1)',
    [email],
  )
  for (const link of links) expect(await choose(link, NEW)).toBe(400)
  expect(await isNow(OLD)).toBe(true)
})

test.each([{}, { email: 1 }, { email: 'x'.repeat(300) }, []])('%j asks for nothing', async (body) => {
  const answer = await server.call('POST', '/oidc/forgotten', { body, headers: {} })
  expect(code(answer)).toEqual([400, 'invalid_request'])
})
