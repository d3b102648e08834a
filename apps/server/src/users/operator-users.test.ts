/** The operator's people: invited, given another role, reset, removed; a manager only when another person agrees. */
import { beforeAll, expect, test } from 'vitest'
import { buildInstance, buildInvoice } from '../testing/build.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let manager: SignedIn
let approver: SignedIn
const operator = () => ({ instanceId: server.instanceId, creditorId: null })
beforeAll(async () => {
  server = await startTestServer()
  const { context } = server.product
  manager = await signInStaff(context, { ...operator(), role: 'manager', email: 'first@example.com' })
  approver = await signInStaff(context, { ...operator(), role: 'approver', email: 'agrees@example.com' })
})

type User = { id: string; version: number; role: string; proposedRole: string | null; isInvited: boolean }
const call = (method: string, path: string, body?: object, headers = manager): Promise<Answer> =>
  server.call(method, `/api/admin${path}`, { headers: { ...headers }, ...(body ? { body } : {}) })
const told = ({ status, json }: Answer) => {
  const { code, errors } = json as { code?: string; errors?: { field: string }[] }
  return [status, code, ...(errors?.map(({ field }) => field) ?? [])]
}
const invite = (email: string, role = 'handler') => call('POST', '/users', { email, name: 'Nils Prov', role })
const userOf = async (email: string): Promise<User> => {
  const { json } = await call('POST', '/users/search', { query: email, queryTarget: 'email' })
  return (json as User[])[0] as User
}
async function linkTo(email: string): Promise<string> {
  await server.product.sendMail()
  const mail: { to: string; text: string }[] = await server.control('GET', '/control/mail')
  const text = mail.find(({ to }) => to.includes(email))?.text ?? ''
  return new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? 'http://none/').pathname
}
const choose = (path: string, password: string) =>
  fetch(`${server.origin}${path}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ password }),
  })
const proposals = async () =>
  (await call('POST', '/proposals/search', { filters: { status: 'OPEN' } })).json as {
    id: string
    about: string
  }[]

test('a colleague is invited, chooses a password, and comes to the operator’s portal', async () => {
  const answer = await invite('Nils@Example.com')
  expect(answer.json, answer.text).toMatchObject({
    email: 'nils@example.com',
    role: 'handler',
    isInvited: true,
  })
  const chosen = await choose(await linkTo('nils@example.com'), 'Gran havre lykta 42')
  expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/admin/'])
  expect(told(await invite('nils@example.com'))).toEqual([400, 'already_a_user', 'email'])
  // A creditor's role is none here, nor an operator's there.
  expect(told(await invite('clerk@example.com', 'clerk'))).toEqual([400, 'invalid_request', 'role'])
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const theirs = await signInStaff(server.product.context, {
    ...invoice,
    role: 'manager',
    email: 'theirs@example.com',
  })
  const refused = await server.call('POST', '/api/client/users', {
    headers: { ...theirs },
    body: { email: 'x@example.com', name: 'X', role: 'handler' },
  })
  expect(told(refused)).toEqual([400, 'invalid_request', 'role'])
  const all = (await call('POST', '/users/search', {})).json as { email: string }[]
  expect(all.map(({ email }) => email)).not.toContain('theirs@example.com')
})

test('a role is given by managers alone, with a fresh sign-in, and the last manager stays', async () => {
  const nils = await userOf('nils@example.com')
  const given = await call('PUT', `/users/${nils.id}`, { role: 'finance', version: nils.version })
  expect(given.json, given.text).toMatchObject({ role: 'finance', proposedRole: null })
  expect(told(await call('PUT', `/users/${nils.id}`, { role: 'support', version: nils.version }))).toEqual([
    409,
    'changed_meanwhile',
    'version',
  ])
  const me = await userOf('first@example.com')
  expect(told(await call('PUT', `/users/${me.id}`, { role: 'support', version: me.version }))).toEqual([
    400,
    'last_manager',
  ])
  expect(told(await call('DELETE', `/users/${me.id}`))).toEqual([400, 'last_manager'])
  const finance = await signInStaff(server.product.context, { ...operator(), role: 'finance' })
  expect(told(await call('POST', '/users/search', {}, finance))).toEqual([403, 'not_allowed'])
  await server.test.owner.query(
    `update staff_session set signed_in_at = signed_in_at - interval '11 minutes' where membership_id = $1`,
    [me.id],
  )
  expect(told(await invite('late@example.com'))).toEqual([403, 'sign_in_again'])
  await server.test.owner.query(
    `update staff_session set signed_in_at = signed_in_at + interval '11 minutes' where membership_id = $1`,
    [me.id],
  )
})

test('somebody becomes a manager when another person agrees, and not themselves', async () => {
  const nils = await userOf('nils@example.com')
  const asked = await call('PUT', `/users/${nils.id}`, { role: 'manager', version: nils.version })
  expect(asked.json, asked.text).toMatchObject({ role: 'finance', proposedRole: 'manager' })
  expect(told(await call('PUT', `/users/${nils.id}`, { role: 'manager', version: nils.version }))).toEqual([
    400,
    'proposal_open',
  ])
  const [proposal] = (await proposals()).filter(({ about }) => about === `membership:${nils.id}`)
  const approve = (by: SignedIn) => call('POST', `/proposals/${proposal?.id}/approve`, undefined, by)
  expect(told(await approve(manager))).toEqual([400, 'another_person_needed'])
  expect((await userOf('nils@example.com')).role).toBe('finance')
  expect((await approve(approver)).status).toBe(200)
  expect(await userOf('nils@example.com')).toMatchObject({ role: 'manager', proposedRole: null })

  const mine = await userOf('agrees@example.com')
  await call('PUT', `/users/${mine.id}`, { role: 'manager', version: mine.version })
  const [own] = (await proposals()).filter(({ about }) => about === `membership:${mine.id}`)
  expect(told(await call('POST', `/proposals/${own?.id}/approve`, undefined, approver))).toEqual([
    400,
    'another_person_needed',
  ])
  expect((await userOf('agrees@example.com')).role).toBe('approver')
})

test('a new manager is invited as less; a refused proposal leaves them so', async () => {
  expect((await invite('new@example.com', 'manager')).json).toMatchObject({
    role: 'support',
    proposedRole: 'manager',
  })
  const { id } = await userOf('new@example.com')
  const [proposal] = (await proposals()).filter(({ about }) => about === `membership:${id}`)
  const refused = await call('POST', `/proposals/${proposal?.id}/refuse`, { reason: 'Räcker så.' }, approver)
  expect(refused.status, refused.text).toBe(200)
  expect(await userOf('new@example.com')).toMatchObject({ role: 'support', proposedRole: null })
})

test('a reset sends a link: another invitation to who never chose a password, else one to choose it anew', async () => {
  const fresh = await userOf('new@example.com')
  const first = await linkTo('new@example.com')
  expect((await call('POST', `/users/${fresh.id}/reset`)).status).toBe(200)
  const second = await linkTo('new@example.com')
  expect(second).not.toBe(first)
  expect((await choose(second, 'Gran havre lykta 43')).status).toBe(303)
  expect((await call('POST', `/users/${fresh.id}/reset`)).status).toBe(200)
  expect((await choose(await linkTo('new@example.com'), 'Gran havre lykta 44')).status).toBe(303)
  const { rows } = await server.test.owner.query(
    `select kind from audit_event where about = $1 and kind = 'user_reset'`,
    [`membership:${fresh.id}`],
  )
  expect(rows).toHaveLength(2)
})

test('whoever is removed works here no more, and another provider’s people do not exist', async () => {
  const { id } = await userOf('new@example.com')
  expect((await call('DELETE', `/users/${id}`)).status).toBe(204)
  expect(told(await call('DELETE', `/users/${id}`))).toEqual([404, 'not_found'])
  const other = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  await signInStaff(server.product.context, {
    instanceId: other.id,
    creditorId: null,
    role: 'support',
    email: 'foreign@example.com',
  })
  const { rows } = await server.test.owner.query(
    `select m.id from membership m join person p on p.id = m.person_id where p.email = 'foreign@example.com'`,
  )
  for (const [method, path] of [
    ['DELETE', ''],
    ['POST', '/reset'],
  ] as const)
    expect(told(await call(method, `/users/${rows[0].id}${path}`))).toEqual([404, 'not_found'])
})
