/** A creditor's manager invites somebody, who chooses a password; a second manager agrees to a new manager. */
import { beforeAll, describe, expect, test } from 'vitest'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { isPassword } from '../staff/passwords.ts'
import { isStrong } from './password-strength.ts'

let server: TestServer
let invoice: BuiltInvoice
let first: SignedIn
let second: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const { context } = server.product
  first = await signInStaff(context, { ...invoice, role: 'manager', email: 'first@example.com' })
  second = await signInStaff(context, { ...invoice, role: 'manager', email: 'second@example.com' })
})

type User = { id: string; version: number; role: string; proposedRole: string | null; isInvited: boolean }

const call = (method: string, path: string, body?: object, headers: SignedIn = first) =>
  server.call(method, `/api/client/users${path}`, { headers: { ...headers }, ...(body ? { body } : {}) })
const invite = (email: string, role = 'clerk') => call('POST', '', { email, name: 'Nils Prov', role })
const code = (answer: { status: number; json: never }) => [
  answer.status,
  (answer.json as { code: string }).code,
]
const userOf = async (email: string): Promise<User> => {
  const { json } = await call('POST', '/search', { query: email, queryTarget: 'email' })
  return (json as User[])[0] as User
}

type Mail = { to: string; subject: string; text: string }

/** The address in the newest message to somebody. */
async function linkTo(email: string): Promise<string> {
  await server.product.sendMail()
  const mail: Mail[] = await server.control('GET', '/control/mail')
  const text = mail.findLast(({ to }) => to.includes(email))?.text ?? ''
  return new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? 'http://none/').pathname
}

const choose = (path: string, password: string) =>
  fetch(`${server.origin}${path}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ password }),
  })

describe('an invitation', () => {
  test('goes by e-mail, lets choose a password once, and works here from then on', async () => {
    const answer = await invite('Nils@Example.com')
    expect(answer.status, answer.text).toBe(201)
    expect(answer.json).toMatchObject({ email: 'nils@example.com', role: 'clerk', isInvited: true })
    const path = await linkTo('nils@example.com')
    const page = await fetch(`${server.origin}${path}`, { headers: { 'accept-language': 'en' } })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Choose a password')])
    expect((await choose(path, 'Sommar2026')).status, 'too short').toBe(400)
    expect((await choose(path, 'Password1234')).status, 'a common one').toBe(400)
    const both = await Promise.all([choose(path, 'Gran havre lykta 42'), choose(path, 'Gran havre lykta 43')])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([303, 400]))
    expect((await choose(path, 'Gran havre lykta 44')).status).toBe(400)
    const { rows } = await server.test.owner.query<{ password_hash: string }>(
      `select password_hash from person where email = 'nils@example.com'`,
    )
    const tried = await Promise.all(
      ['42', '43', '44'].map((n) => isPassword(rows[0]?.password_hash ?? '', `Gran havre lykta ${n}`)),
    )
    expect(tried.filter(Boolean)).toHaveLength(1)
    expect(await userOf('nils@example.com'), 'has not come here yet').toMatchObject({ isInvited: true })
    expect(code(await invite('nils@example.com'))).toEqual([400, 'already_a_user'])
  })

  test('of somebody who works for others tells nothing of them, and its link is not kept once it is sent', async () => {
    const other = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41105' })
    const elsewhere = { ...other, role: 'clerk', email: 'known@example.com' } as const
    await signInStaff(server.product.context, elsewhere)
    const { rows: hashed } = await server.test.owner.query(
      `update person set password_hash = 'x' where email = 'known@example.com' returning name`,
    )
    expect(hashed).toEqual([{ name: 'Prov clerk' }])
    const answer = await invite('known@example.com')
    expect(answer.json).toMatchObject({ name: 'Nils Prov', isInvited: true, signedInAt: null })
    await invite('ny@example.com')
    const token = (await linkTo('ny@example.com')).split('/').at(-1)
    const { rows } = await server.test.owner.query(
      `select 1 from mail_outbox o where o.kind = 'staff_invited' and o.status = 'SENT' and o::text like '%' || $1 || '%'`,
      [token],
    )
    expect([token?.length, rows]).toEqual([43, []])
    // Once they have come, they are who they say.
    await signInStaff(server.product.context, { ...invoice, role: 'clerk', email: 'known@example.com' })
    expect(await userOf('known@example.com')).toMatchObject({ name: 'Prov clerk', isInvited: false })
  })

  test('is one of fifty that a creditor sends in a day', async () => {
    const busy = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41107' })
    const by = await signInStaff(server.product.context, { ...busy, role: 'manager' })
    const answers = []
    for (let n = 0; n < 51; n++) {
      const body = { email: `many${n}@example.com`, name: 'Nils Prov', role: 'viewer' }
      answers.push(await call('POST', '', body, by))
    }
    expect(new Set(answers.slice(0, 50).map(({ status }) => status))).toEqual(new Set([201]))
    expect(code(answers[50] as (typeof answers)[0])).toEqual([400, 'invitations_throttled'])
    expect(await userOf('many50@example.com')).toBeUndefined()
  })

  test('is over after 72 hours, and with the membership', async () => {
    await invite('sen@example.com')
    const late = await linkTo('sen@example.com')
    await server.test.owner.query(
      `update invitation set expires_at = now() - interval '1 second' where used_at is null`,
    )
    expect((await choose(late, 'Gran havre lykta 42')).status).toBe(400)
    await invite('bort@example.com')
    const removed = await linkTo('bort@example.com')
    const { id } = await userOf('bort@example.com')
    expect((await call('DELETE', `/${id}`)).status).toBe(204)
    expect((await choose(removed, 'Gran havre lykta 42')).status).toBe(400)
  })

  test.each([
    { email: 'nobody', name: 'x', role: 'clerk' },
    { email: 'x@example.com', name: ' ', role: 'clerk' },
    { email: 'x@example.com', name: 'x', role: 'owner' },
    { email: 'x@example.com\nBcc: y@example.com', name: 'x', role: 'clerk' },
  ])('%j is none', async (body) => {
    expect(code(await call('POST', '', body))).toEqual([400, 'invalid_request'])
  })
})

describe('a new manager', () => {
  test('takes two: who proposes it cannot agree to it, nor can the person', async () => {
    const made = (await invite('chef@example.com', 'manager')).json as User
    expect(made).toMatchObject({ role: 'clerk', proposedRole: 'manager' })
    expect(code(await call('POST', `/${made.id}/approve`))).toEqual([400, 'another_person_needed'])
    const agreed = await call('POST', `/${made.id}/approve`, undefined, second)
    expect(agreed.json, agreed.text).toMatchObject({ role: 'manager', proposedRole: null })
    expect(code(await call('POST', `/${made.id}/approve`, undefined, second))).toEqual([
      400,
      'nothing_proposed',
    ])
  })

  test('a version that is old changes nothing', async () => {
    const { id, version } = await userOf('nils@example.com')
    expect(code(await call('PUT', `/${id}`, { role: 'viewer', version: version + 1 }))).toEqual([
      409,
      'changed_meanwhile',
    ])
    expect((await call('PUT', `/${id}`, { role: 'viewer', version })).json).toMatchObject({ role: 'viewer' })
  })
})

test('the last manager stays one, also when two take each other’s place at once', async () => {
  const [one, two, three] = await Promise.all(
    ['first@example.com', 'second@example.com', 'chef@example.com'].map(userOf),
  )
  expect((await call('DELETE', `/${three?.id}`)).status).toBe(204)
  const both = await Promise.all([
    call('DELETE', `/${two?.id}`, undefined, first),
    call('DELETE', `/${one?.id}`, undefined, second),
  ])
  expect(both.filter(({ status }) => status === 204)).toHaveLength(1)
  const { rows } = await server.test.owner.query(
    `select count(*)::int as left from membership where creditor_id = $1 and role = 'manager' and ended_at is null`,
    [invoice.creditorId],
  )
  expect(rows).toEqual([{ left: 1 }])
})

test.each([
  ['Gran havre lykta 42', true],
  ['granhavrelykta42', false],
  ['Password1234', false],
  ['Qwertyuiop123', false],
  ['Aaaaaaaaaaaa1', false],
  ['Kort1', false],
] as const)('%s is strong: %s', async (password, strong) => {
  expect(await isStrong(password, ['nils@example.com', 'Nils'])).toBe(strong)
})
