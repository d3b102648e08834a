/** Sign-in in two steps, over HTTP as a portal does it: codes, recovery codes, set-up where one has to have it, and resets. */
import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { openCookieBrowser, type CookieBrowser } from '../testing/cookie-browser.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'
import { hashPassword } from '../staff/passwords.ts'
import { insertMembershipRow, insertPerson } from '../staff/staff.queries.ts'
import { newId } from '../platform/identity.ts'

const PASSWORD = 'Ett långt lösenord 7'
let server: TestServer
let own: BuiltInvoice
let other: BuiltInvoice
let passwordHash: string
let manager: SignedIn
let people = 0
let email: string
let personId: string
let browser: CookieBrowser

beforeAll(async () => {
  server = await startTestServer()
  own = await buildInvoice(server.test, server.instanceId, server.clock)
  other = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41105' })
  passwordHash = await hashPassword(PASSWORD)
  manager = await signInStaff(server.product.context, { ...own, role: 'manager', email: 'chef@example.com' })
})
beforeEach(async () => {
  people += 1
  email = `p${people}@example.com`
  personId = await makePerson(email, [own.creditorId])
  browser = openCookieBrowser(server.origin)
})

function makePerson(address: string, creditors: readonly string[], isDemo = false): Promise<string> {
  return server.product.context.db.transaction(async (tx) => {
    const person = { id: newId(Date.now()), email: address, name: 'Anna Prov', passwordHash, isDemo }
    const id = await insertPerson(tx, person)
    for (const creditorId of creditors) {
      const at = { instanceId: server.instanceId, id: newId(Date.now()), personId: id, creditorId }
      await insertMembershipRow(tx, { ...at, role: 'clerk' })
    }
    return id
  })
}

const verifier = randomBytes(32).toString('base64url')

async function begin(by = browser): Promise<string> {
  const query = new URLSearchParams({
    client_id: 'client-portal',
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: `${server.origin}/client/`,
    state: 's',
    nonce: 'n',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const asked = await by('GET', `/oidc/auth?${query.toString()}`)
  const shown = await by('GET', asked.headers.get('location') ?? '')
  return new URL(shown.headers.get('location') ?? '', server.origin).searchParams.get('interaction') ?? ''
}

type Told = {
  status: number
  redirectTo?: string
  next?: string
  code?: string
  secret?: string
  recoveryCodes?: string[]
  recoveryCodesLeft?: number
}
async function send(method: string, path: string, json: object, by = browser): Promise<Told> {
  const answer = await by(method, `/oidc/interaction/${path}`, { json })
  return { status: answer.status, ...((await answer.json()) as object) }
}
/** E-mail and password, in a new try. */
async function password(by = browser): Promise<{ uid: string; told: Told }> {
  const uid = await begin(by)
  return { uid, told: await send('POST', uid, { email, password: PASSWORD }, by) }
}
const sendCode = (uid: string, code: string, by = browser) => send('POST', `${uid}/code`, { code }, by)

async function sessionOf({ redirectTo }: Told, by = browser): Promise<SignedIn> {
  const back = await by('GET', redirectTo ?? '')
  const code = new URL(back.headers.get('location') ?? '', server.origin).searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, client_id: 'client-portal', code_verifier: verifier }
  const answer = await by('POST', '/oidc/token', {
    form: { ...form, redirect_uri: `${server.origin}/client/` },
  })
  const { access_token: token } = (await answer.json()) as { access_token?: string }
  return { authorization: `Bearer ${token}` }
}

const account = (method: string, path: string, headers: SignedIn, body?: object): Promise<Answer> =>
  server.call(method, `/api/client/account/${path}`, { headers: { ...headers }, ...(body ? { body } : {}) })
const codeAt = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
const refused = (answer: Answer) => [answer.status, (answer.json as { code?: string }).code]
const byText = (a: unknown, b: unknown) => String(a).localeCompare(String(b))
/** As if the codes so far were of a minute ago. */
const wait = () =>
  server.test.owner.query('update second_factor set last_step = last_step - 2 where person_id = $1', [
    personId,
  ])

/** Sets one up as "Your account" does it. */
async function setUp(): Promise<{ secret: string; codes: string[]; session: SignedIn }> {
  const { told } = await password()
  const session = await sessionOf(told)
  const begun = (await account('POST', 'second-factor', session)).json as { secret: string }
  const answer = await account('PUT', 'second-factor', session, { code: codeAt(begun.secret) })
  expect(answer.status, answer.text).toBe(200)
  await wait()
  return { secret: begun.secret, codes: (answer.json as { recoveryCodes: string[] }).recoveryCodes, session }
}

const mailsTo = async (to: string): Promise<string[]> => {
  await server.product.sendMail()
  const all: { to: string; subject: string }[] = await server.control('GET', '/control/mail')
  return all.filter((mail) => mail.to.includes(to)).map(({ subject }) => subject)
}

describe('a code after the password', () => {
  test('is asked for once it is set up; the secret is not readable in the database, and codes are hashes', async () => {
    const { secret, codes, session } = await setUp()
    expect(codes).toHaveLength(10)
    const { rows } = await server.test.owner.query(
      `select 1 from kept_secret k where k::text ilike '%' || $1 || '%' or position($2::bytea in k.sealed) > 0
       union all select 1 from recovery_code r where r::text ilike '%' || $3 || '%'`,
      [secret, Buffer.from(secret), codes[0]?.replaceAll('-', '')],
    )
    expect(rows).toEqual([])
    expect((await account('GET', 'second-factor', session)).json).toMatchObject({
      isOn: true,
      recoveryCodesLeft: 10,
      isRequired: false,
    })
    const { uid, told } = await password()
    expect([told.status, told.next, told.redirectTo]).toEqual([200, 'code', undefined])
    const proven = await sendCode(uid, codeAt(secret))
    expect(proven.status, JSON.stringify(proven)).toBe(200)
    expect((await account('GET', 'sessions', await sessionOf(proven))).status).toBe(200)
    expect(await mailsTo(email)).toEqual([expect.stringContaining('Tvåstegsinloggning är påslagen')])
  })

  test('factor.replay: signs in once; the same, and one before it, are refused, also by two at once', async () => {
    const { secret } = await setUp()
    const [one, two] = [openCookieBrowser(server.origin), openCookieBrowser(server.origin)]
    const tries = await Promise.all([password(one), password(two)])
    const code = codeAt(secret)
    const both = await Promise.all([sendCode(tries[0].uid, code, one), sendCode(tries[1].uid, code, two)])
    expect(both.map(({ status, code: why }) => why ?? status).toSorted(byText)).toEqual([200, 'code_used'])
    const { uid } = await password()
    expect((await sendCode(uid, codeAt(secret, -1))).code).toBe('code_used')
    expect((await sendCode(uid, codeAt(secret, -5))).code).toBe('code_wrong')
    expect((await sendCode(uid, codeAt(secret, 1))).status).toBe(200)
  })

  test('proves nothing in another browser, without the password, or after another password', async () => {
    const { secret, session } = await setUp()
    const { uid } = await password()
    const stranger = openCookieBrowser(server.origin)
    expect((await sendCode(uid, codeAt(secret), stranger)).code).toBe('sign_in_expired')
    expect((await sendCode(await begin(stranger), codeAt(secret), stranger)).code).toBe('sign_in_expired')
    const { uid: waiting } = await password()
    const body = { current: PASSWORD, password: 'Myr skata bänk 58' }
    expect((await account('PUT', 'password', session, body)).status).toBe(204)
    expect((await sendCode(waiting, codeAt(secret))).code).toBe('sign_in_expired')
  })

  test('of a sign-in that is done opens nothing a second time', async () => {
    const { secret } = await setUp()
    const { uid } = await password()
    expect((await sendCode(uid, codeAt(secret))).status).toBe(200)
    await wait()
    expect((await sendCode(uid, codeAt(secret))).code).toBe('sign_in_expired')
  })

  test('factor.guess: is slowed down after ten tries in a quarter of an hour, and a known browser is not', async () => {
    const { secret } = await setUp()
    const stranger = openCookieBrowser(server.origin)
    const { uid } = await password(stranger)
    const tries: unknown[] = []
    for (let n = 0; n < 11; n++) tries.push((await sendCode(uid, codeAt(secret, 10 + n), stranger)).code)
    expect(new Set(tries.slice(0, 10))).toEqual(new Set(['code_wrong']))
    expect(tries[10]).toBe('sign_in_throttled')
    expect((await sendCode(uid, codeAt(secret), stranger)).code).toBe('sign_in_throttled')
    const { uid: back } = await password()
    expect((await sendCode(back, codeAt(secret))).status).toBe(200)
  })

  test.each([{}, { code: 1 }, { code: 'x'.repeat(41) }, { code: [] }])('%j is no request', async (json) => {
    await setUp()
    const { uid } = await password()
    expect(await send('POST', `${uid}/code`, json)).toMatchObject({ status: 400, code: 'invalid_request' })
  })
})

describe('a recovery code', () => {
  test('signs in once, also of two at once, says how many are left, and is told', async () => {
    const { codes } = await setUp()
    const [one, two] = [openCookieBrowser(server.origin), openCookieBrowser(server.origin)]
    const tries = await Promise.all([password(one), password(two)])
    const typed = ` ${codes[3]?.toUpperCase().replaceAll('-', '')} `
    const both = await Promise.all([sendCode(tries[0].uid, typed, one), sendCode(tries[1].uid, typed, two)])
    expect(both.map(({ status, code }) => code ?? status).toSorted(byText)).toEqual([200, 'code_used'])
    expect(both.find(({ status }) => status === 200)?.recoveryCodesLeft).toBe(9)
    expect((await mailsTo(email)).filter((subject) => subject.includes('återställningskod'))).toHaveLength(1)
  })

  test('of before is worth nothing once new ones are made', async () => {
    const { codes, session } = await setUp()
    const renewed = await account('POST', 'recovery-codes', session)
    const fresh = (renewed.json as { recoveryCodes: string[] }).recoveryCodes
    const { uid } = await password()
    expect((await sendCode(uid, codes[0] ?? '')).code).toBe('code_wrong')
    expect((await sendCode(uid, fresh[0] ?? '')).recoveryCodesLeft).toBe(9)
  })
})

describe('where everybody has to have one', () => {
  const require = (isRequired: boolean | null) =>
    server.test.owner.query('update instance set requires_second_factor = $1', [isRequired])
  /** What the program knows of an instance is five seconds old at most. */
  const until = (isRequired: boolean) =>
    vi.waitFor(
      async () => expect((await account('GET', 'second-factor', manager)).json).toMatchObject({ isRequired }),
      { timeout: 10_000, interval: 500 },
    )
  async function under(work: () => Promise<void>): Promise<void> {
    await require(true)
    try {
      await until(true)
      await work()
    } finally {
      await require(null)
      await until(false)
    }
  }

  test('it is set up right after the password, by one of two at once, and nobody of the demo', async () => {
    const demo = `demo${people}@example.com`
    await makePerson(demo, [own.creditorId], true)
    await under(async () => {
      const [one, two] = [openCookieBrowser(server.origin), openCookieBrowser(server.origin)]
      const tries = await Promise.all([password(one), password(two)])
      expect(tries.map(({ told }) => [told.next, told.redirectTo])).toEqual([
        ['set_up', undefined],
        ['set_up', undefined],
      ])
      const early = await sendCode(tries[0].uid, '123456', one)
      expect(early.code, 'there is none yet').toBe('sign_in_expired')
      const { secret = '' } = await send('POST', `${tries[0].uid}/second-factor`, {}, one)
      const wrong = await send('PUT', `${tries[0].uid}/second-factor`, { code: codeAt(secret, 9) }, one)
      expect(wrong.code).toBe('code_wrong')
      const code = codeAt(secret)
      const both = await Promise.all(
        tries.map(({ uid }, n) => send('PUT', `${uid}/second-factor`, { code }, [one, two][n])),
      )
      const done = both.filter(({ status }) => status === 200)
      expect(done).toHaveLength(1)
      expect(done[0]?.recoveryCodes).toHaveLength(10)
      const winner = both[0] === done[0] ? one : two
      const session = await sessionOf(done[0] as Told, winner)
      expect((await account('DELETE', 'second-factor', session)).json).toMatchObject({
        code: 'second_factor_required',
      })
      // Whoever knows the password alone replaces nothing.
      const { uid, told } = await password(openCookieBrowser(server.origin))
      expect([told.next, uid.length > 0]).toEqual(['code', true])
      const third = openCookieBrowser(server.origin)
      const late = await password(third)
      expect((await send('POST', `${late.uid}/second-factor`, {}, third)).code).toBe('sign_in_expired')
      const uidOfDemo = await begin()
      const asDemo = await send('POST', uidOfDemo, { email: demo, password: PASSWORD })
      expect(asDemo.redirectTo).toBeDefined()
    })
  })
})

describe('a lost one', () => {
  const userId = async (): Promise<string> => {
    const found = await server.call('POST', '/api/client/users/search', {
      headers: { ...manager },
      body: { query: email, queryTarget: 'email' },
    })
    return (found.json as { id: string }[])[0]?.id ?? ''
  }
  const reset = (id: string, headers: SignedIn = manager) =>
    server.call('POST', `/api/client/users/${id}/reset-second-factor`, { headers: { ...headers } })

  test('is reset by a manager: every session and half a sign-in ends, and the person is told', async () => {
    const { secret, session } = await setUp()
    const { uid } = await password()
    const id = await userId()
    const both = await Promise.all([reset(id), reset(id)])
    expect(both.map(refused).toSorted(byText)).toEqual([
      [200, undefined],
      [400, 'no_second_factor'],
    ])
    expect(both.find(({ status }) => status === 200)?.json).toMatchObject({ hasSecondFactor: false })
    expect((await account('GET', 'sessions', session)).status).toBe(401)
    expect((await sendCode(uid, codeAt(secret))).code).toBe('sign_in_expired')
    expect((await password()).told.redirectTo).toBeDefined()
    expect((await mailsTo(email)).filter((subject) => subject.includes('återställd'))).toHaveLength(1)
    const { rows } = await server.test.owner.query(
      `select actor from audit_event where kind = 'user_factor_reset' and about = $1`,
      [`membership:${id}`],
    )
    expect(rows).toHaveLength(1)
  })

  test('factor.reset: not by a clerk, by oneself, after ten minutes, or of somebody who works for others too', async () => {
    await setUp()
    const id = await userId()
    const clerk = await signInStaff(server.product.context, { ...own, role: 'clerk' })
    expect(refused(await reset(id, clerk))).toEqual([403, 'not_allowed'])
    const foreign = await signInStaff(server.product.context, { ...other, role: 'manager' })
    expect(refused(await reset(id, foreign))).toEqual([404, 'not_found'])
    await server.test.owner.query(
      `update staff_session set signed_in_at = signed_in_at - interval '11 minutes'`,
    )
    expect(refused(await reset(id))).toEqual([403, 'sign_in_again'])
    await server.test.owner.query(
      `update staff_session set signed_in_at = signed_in_at + interval '11 minutes'`,
    )
    email = 'chef@example.com'
    expect(refused(await reset(await userId()))).toEqual([400, 'another_person_needed'])
    await server.product.context.db.transaction(async (tx) => {
      const at = {
        instanceId: server.instanceId,
        id: newId(Date.now()),
        personId,
        creditorId: other.creditorId,
      }
      await insertMembershipRow(tx, { ...at, role: 'viewer' })
    })
    expect(refused(await reset(id))).toEqual([400, 'second_factor_of_others'])
    const { rows } = await server.test.owner.query('select 1 from second_factor where person_id = $1', [
      personId,
    ])
    expect(rows).toHaveLength(1)
  })
})

describe('one’s own', () => {
  test('is changed and switched off only within ten minutes of a sign-in', async () => {
    const { session } = await setUp()
    await server.test.owner.query(
      `update staff_session set signed_in_at = signed_in_at - interval '11 minutes'`,
    )
    for (const [method, path] of [
      ['POST', 'second-factor'],
      ['DELETE', 'second-factor'],
      ['POST', 'recovery-codes'],
    ] as const)
      expect(refused(await account(method, path, session))).toEqual([403, 'sign_in_again'])
    const confirm = await account('PUT', 'second-factor', session, { code: '123456' })
    expect(refused(confirm)).toEqual([403, 'sign_in_again'])
    await server.test.owner.query(
      `update staff_session set signed_in_at = signed_in_at + interval '11 minutes'`,
    )
  })

  test('factor.replace: another one takes its place only once it is confirmed; off, the password is enough', async () => {
    const { secret, codes, session } = await setUp()
    const begun = (await account('POST', 'second-factor', session)).json as { secret: string }
    const wrong = await account('PUT', 'second-factor', session, { code: codeAt(begun.secret, 7) })
    expect(refused(wrong)).toEqual([400, 'code_wrong'])
    const { uid } = await password()
    expect((await sendCode(uid, codeAt(secret))).status, 'the old one still holds').toBe(200)
    const confirmed = await account('PUT', 'second-factor', session, { code: codeAt(begun.secret) })
    expect(confirmed.status, confirmed.text).toBe(200)
    await wait()
    const { uid: next } = await password()
    expect((await sendCode(next, codeAt(secret))).code).toBe('code_wrong')
    expect((await sendCode(next, codes[0] ?? '')).code).toBe('code_wrong')
    expect((await sendCode(next, codeAt(begun.secret))).status).toBe(200)
    expect((await account('DELETE', 'second-factor', session)).status).toBe(204)
    expect((await password()).told.redirectTo).toBeDefined()
    const { rows } = await server.test.owner.query(
      `select 1 from recovery_code where person_id = $1 union all select 1 from second_factor where person_id = $1`,
      [personId],
    )
    expect(rows).toEqual([])
    const none = await account('POST', 'recovery-codes', session)
    expect(refused(none)).toEqual([400, 'no_second_factor'])
  })
})
