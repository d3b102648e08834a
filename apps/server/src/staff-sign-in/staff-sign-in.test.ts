/** Staff sign in as a portal does it: the code flow with PKCE over HTTP, with the cookies of a browser. */
import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { openCookieBrowser, type CookieBrowser as Browser } from '../testing/cookie-browser.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { hashPassword } from '../staff/passwords.ts'
import { insertMembershipRow, insertPerson } from '../staff/staff.queries.ts'
import { newId } from '../platform/identity.ts'
import { signInStaff } from '../testing/staff.ts'

const PASSWORD = 'Ett långt lösenord 7'
let server: TestServer
let own: BuiltInvoice
let other: BuiltInvoice

beforeAll(async () => {
  server = await startTestServer()
  own = await buildInvoice(server.test, server.instanceId, server.clock)
  other = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41105' })
  await makePerson('anna@example.com', [own.creditorId, other.creditorId])
  await makePerson('operator@example.com', [null])
})

async function makePerson(email: string, creditors: readonly (string | null)[]): Promise<void> {
  const { db } = server.product.context
  const passwordHash = await hashPassword(PASSWORD)
  await db.transaction(async (tx) => {
    const person = { id: newId(Date.now()), email, name: 'Anna Prov', passwordHash, isDemo: false }
    const personId = await insertPerson(tx, person)
    for (const creditorId of creditors) {
      const id = newId(Date.now())
      const role = creditorId === null ? 'manager' : 'clerk'
      await insertMembershipRow(tx, { instanceId: server.instanceId, id, personId, creditorId, role })
    }
  })
}

const openBrowser = () => openCookieBrowser(server.origin)

const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')
const redirectUri = () => `${server.origin}/client/`

/** Begins a sign-in, and answers the name of the try that the login view is shown for. */
async function begin(browser: Browser, more: Record<string, string> = {}): Promise<string> {
  const query = new URLSearchParams({
    client_id: 'client-portal',
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: redirectUri(),
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'state-1',
    nonce: 'nonce-1',
    ...more,
  })
  const first = await browser('GET', `/oidc/auth?${query.toString()}`)
  expect(first.status, await first.clone().text()).toBe(303)
  const shown = await browser('GET', first.headers.get('location') ?? '')
  expect(shown.status).toBe(303)
  const to = new URL(shown.headers.get('location') ?? '', server.origin)
  expect(to.pathname).toBe(more.client_id === 'admin-portal' ? '/admin/' : '/client/')
  return to.searchParams.get('interaction') ?? ''
}

const press = (browser: Browser, uid: string, json: object) =>
  browser('POST', `/oidc/interaction/${uid}`, { json })

async function codeOf(browser: Browser, redirectTo: string): Promise<string> {
  const back = await browser('GET', redirectTo)
  const to = new URL(back.headers.get('location') ?? '', server.origin)
  expect([to.origin + to.pathname, to.searchParams.get('state')]).toEqual([redirectUri(), 'state-1'])
  return to.searchParams.get('code') ?? ''
}

const exchange = (browser: Browser, code: string, more: Record<string, string> = {}) =>
  browser('POST', '/oidc/token', {
    form: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri(),
      client_id: 'client-portal',
      code_verifier: verifier,
      ...more,
    },
  })

type Tokens = { access_token: string; id_token: string; token_type: string }

async function signIn(browser = openBrowser(), email = ' Anna@Example.com'): Promise<Tokens> {
  const uid = await begin(browser)
  const pressed = await press(browser, uid, { email, password: PASSWORD })
  expect(pressed.status, await pressed.clone().text()).toBe(200)
  const { redirectTo } = (await pressed.json()) as { redirectTo: string }
  const answer = await exchange(browser, await codeOf(browser, redirectTo))
  expect(answer.status, await answer.clone().text()).toBe(200)
  return (await answer.json()) as Tokens
}

const session = (token: string) =>
  server.call('GET', '/api/client/session', { headers: { authorization: `Bearer ${token}` } })

describe('a person signs in', () => {
  test('and works for a creditor until they log out', async () => {
    const tokens = await signIn()
    expect(tokens.token_type).toBe('Bearer')
    const claims = JSON.parse(
      Buffer.from(tokens.id_token.split('.')[1] ?? '', 'base64url').toString(),
    ) as object
    expect(claims).toMatchObject({ email: 'anna@example.com', nonce: 'nonce-1', aud: 'client-portal' })
    const told = await session(tokens.access_token)
    expect(told.json).toMatchObject({
      person: { name: 'Anna Prov', email: 'anna@example.com' },
      membership: { role: 'clerk', creditor: { id: own.creditorId } },
    })
    expect((told.json as { memberships: unknown[] }).memberships).toHaveLength(2)
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    expect((await server.call('GET', `/api/client/invoices/${own.id}`, { headers })).status).toBe(200)
    expect((await server.call('GET', `/api/client/invoices/${other.id}`, { headers })).status).toBe(404)
    expect((await server.call('DELETE', '/api/client/session', { headers })).status).toBe(204)
    expect((await session(tokens.access_token)).status).toBe(401)
  })

  test('and goes on for another creditor: the session for the first has ended', async () => {
    const { access_token } = await signIn()
    const { memberships } = (await session(access_token)).json as {
      memberships: { id: string; creditor: { id: string } }[]
    }
    const membershipId = memberships.find(({ creditor }) => creditor.id === other.creditorId)?.id
    const headers = { authorization: `Bearer ${access_token}` }
    const answer = await server.call('POST', '/api/client/session', { headers, body: { membershipId } })
    const changed = (answer.json as Tokens).access_token
    const after = { authorization: `Bearer ${changed}` }
    expect((await server.call('GET', `/api/client/invoices/${other.id}`, { headers: after })).status).toBe(
      200,
    )
    expect((await server.call('GET', `/api/client/invoices/${own.id}`, { headers: after })).status).toBe(404)
    expect((await session(access_token)).status).toBe(401)
  })

  type Known = { memberships: { id: string }[] }
  /** Without the pages of the sign-in, which count the tries. */
  const begun = (email: string) =>
    signInStaff(server.product.context, {
      instanceId: server.instanceId,
      creditorId: own.creditorId,
      role: 'clerk',
      email,
    })

  test('and goes on for another creditor twice at once: one session goes on, and never two', async () => {
    const headers = await begun('twice@example.com')
    const { memberships } = (await server.call('GET', '/api/client/session', { headers })).json as Known
    const change = () =>
      server.call('POST', '/api/client/session', { headers, body: { membershipId: memberships[0]?.id } })
    const answers = await Promise.all([change(), change(), change(), change()])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401])
    expect((await change()).status).toBe(401)
  })

  test('and signs out everywhere else while another session goes on for a creditor: that one ends too', async () => {
    const [mine, theirs] = [await begun('all@example.com'), await begun('all@example.com')]
    const { memberships } = (await server.call('GET', '/api/client/session', { headers: theirs }))
      .json as Known
    const [ended, changed] = await Promise.all([
      server.call('DELETE', '/api/client/account/sessions', { headers: mine }),
      server.call('POST', '/api/client/session', {
        headers: theirs,
        body: { membershipId: memberships[0]?.id },
      }),
    ])
    expect(ended.status).toBe(204)
    expect((await server.call('GET', '/api/client/session', { headers: mine })).status).toBe(200)
    expect((await server.call('GET', '/api/client/session', { headers: theirs })).status).toBe(401)
    // Whichever came first: nothing that began before is left.
    if (changed.status === 200)
      expect((await session((changed.json as Tokens).access_token)).status).toBe(401)
  })

  test('anew each time, also in a browser that has signed in before', async () => {
    const browser = openBrowser()
    await signIn(browser)
    expect(await begin(browser)).not.toBe('')
  })

  test('the token of a session is kept as a hash alone', async () => {
    const { access_token } = await signIn()
    const { rows } = await server.test.owner.query(
      `select 1 from staff_session s where s::text like '%' || $1 || '%'
       union all select 1 from oidc_item o where o::text like '%' || $1 || '%'`,
      [access_token],
    )
    expect(rows).toEqual([])
  })
})

describe('nobody signs in', () => {
  const otherCreditor = () => other.creditorId
  const failed = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code]

  test('with a wrong password or an address that nobody has: the answers are the same', async () => {
    const browser = openBrowser()
    const uid = await begin(browser)
    const wrong = await press(browser, uid, { email: 'anna@example.com', password: 'Fel lösenord 1' })
    const nobody = await press(browser, uid, { email: 'nobody@example.com', password: PASSWORD })
    expect(await failed(wrong)).toEqual([400, 'sign_in_failed'])
    expect(await failed(nobody)).toEqual([400, 'sign_in_failed'])
    const again = await press(browser, uid, { email: 'anna@example.com', password: PASSWORD })
    expect(again.status, 'a wrong try ends nothing').toBe(200)
  })

  test('who has no membership of this portal', async () => {
    const browser = openBrowser()
    const uid = await begin(browser)
    const answer = await press(browser, uid, { email: 'operator@example.com', password: PASSWORD })
    expect(await failed(answer)).toEqual([400, 'sign_in_no_membership'])
  })

  test('in the try of another browser', async () => {
    const uid = await begin(openBrowser())
    const answer = await press(openBrowser(), uid, { email: 'anna@example.com', password: PASSWORD })
    expect(await failed(answer)).toEqual([400, 'sign_in_expired'])
  })

  test.each([
    {},
    { email: 'anna@example.com' },
    { email: 1, password: [] },
    { email: 'x'.repeat(300), password: 'y' },
  ])('with %j', async (body) => {
    const browser = openBrowser()
    const answer = await press(browser, await begin(browser), body)
    expect(await failed(answer)).toEqual([400, 'invalid_request'])
  })

  test('with a code twice, or without the verifier that it was asked for with', async () => {
    const browser = openBrowser()
    const uid = await begin(browser)
    const pressed = await press(browser, uid, { email: 'anna@example.com', password: PASSWORD })
    const code = await codeOf(browser, ((await pressed.json()) as { redirectTo: string }).redirectTo)
    const other = randomBytes(32).toString('base64url')
    expect((await exchange(browser, code, { code_verifier: other })).status).toBe(400)
    const both = await Promise.all([exchange(browser, code), exchange(browser, code)])
    expect(both.map(({ status }) => status).filter((status) => status !== 400).length).toBeLessThan(2)
    expect(both.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
    expect((await exchange(browser, code)).status).toBe(400)
  })

  test('any more where the code has come a second time: somebody else has it too', async () => {
    const browser = openBrowser()
    const uid = await begin(browser)
    const pressed = await press(browser, uid, { email: 'anna@example.com', password: PASSWORD })
    const code = await codeOf(browser, ((await pressed.json()) as { redirectTo: string }).redirectTo)
    const { access_token } = (await (await exchange(browser, code)).json()) as Tokens
    const { memberships } = (await session(access_token)).json as { memberships: { id: string }[] }
    const changed = await server.call('POST', '/api/client/session', {
      headers: { authorization: `Bearer ${access_token}` },
      body: { membershipId: memberships[1]?.id },
    })
    const after = (changed.json as Tokens).access_token
    expect((await session(after)).status).toBe(200)
    expect((await exchange(browser, code)).status).toBe(400)
    expect((await session(after)).status).toBe(401)
  })

  test('with a password that was changed once it was proven, or once it had led to a code', async () => {
    const email = 'bella@example.com'
    await makePerson(email, [own.creditorId])
    const { access_token } = await signIn(openBrowser(), email)
    const prove = async (browser: Browser): Promise<string> => {
      const pressed = await press(browser, await begin(browser), { email, password: PASSWORD })
      return ((await pressed.json()) as { redirectTo: string }).redirectTo
    }
    const [first, second] = [openBrowser(), openBrowser()]
    const redirectTo = await prove(first)
    const code = await codeOf(second, await prove(second))
    const change = (current: string, password: string) =>
      server.call('PUT', '/api/client/account/password', {
        headers: { authorization: `Bearer ${access_token}` },
        body: { current, password },
      })
    expect((await change(PASSWORD, 'Myr skata bänk 58')).status).toBe(204)
    expect((await first('GET', redirectTo)).headers.get('location') ?? '').not.toContain('code=')
    expect((await exchange(second, code)).status).toBe(400)
  })

  test('led back to an address that is not the portal’s, or without PKCE', async () => {
    const ask = (more: Record<string, string>) =>
      openBrowser()(
        'GET',
        `/oidc/auth?${new URLSearchParams({ client_id: 'client-portal', response_type: 'code', scope: 'openid', state: 's', ...more }).toString()}`,
      )
    const elsewhere = await ask({
      redirect_uri: 'https://evil.example/',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
    expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([400, null])
    const plain = await ask({ redirect_uri: redirectUri() })
    expect(new URL(plain.headers.get('location') ?? '', server.origin).searchParams.get('error')).toBe(
      'invalid_request',
    )
  })

  test('is kept out by strangers who try the account from many networks, in a browser of their own', async () => {
    const [own, stranger] = [openBrowser(), openBrowser()]
    await makePerson('busy@example.com', [otherCreditor()])
    const fields = { email: 'busy@example.com', password: PASSWORD }
    expect((await press(own, await begin(own), fields)).status).toBe(200)
    const uid = await begin(stranger)
    for (let n = 0; n < 11; n++) await press(stranger, uid, { ...fields, password: 'Fel lösenord 1' })
    expect(await failed(await press(stranger, uid, fields))).toEqual([400, 'sign_in_throttled'])
    const back = await begin(own)
    expect((await press(own, back, fields)).status).toBe(200)
    // It has a budget too.
    for (let n = 0; n < 11; n++) await press(own, back, { ...fields, password: 'Fel lösenord 1' })
    expect(await failed(await press(own, await begin(own), fields))).toEqual([400, 'sign_in_throttled'])
  })

  test('after ten tries in a quarter of an hour, also with the right password', async () => {
    const browser = openBrowser()
    const uid = await begin(browser)
    await makePerson('tried@example.com', [own.creditorId])
    const tries: string[] = []
    for (let n = 0; n < 11; n++) {
      const answer = await press(browser, uid, { email: 'tried@example.com', password: 'Fel lösenord 1' })
      tries.push(((await answer.json()) as { code: string }).code)
    }
    expect(new Set(tries.slice(0, 10))).toEqual(new Set(['sign_in_failed']))
    expect(tries[10]).toBe('sign_in_throttled')
    const right = await press(browser, uid, { email: 'tried@example.com', password: PASSWORD })
    expect(await failed(right)).toEqual([400, 'sign_in_throttled'])
  })
})
