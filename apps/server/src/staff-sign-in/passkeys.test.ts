/** Passkeys over HTTP, with an authenticator in software: made, used in the place of a password and after it, removed, and refused. */
import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openAuthenticator, type Authenticator, type Said } from '../testing/passkeys/authenticator.ts'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { openCookieBrowser, type CookieBrowser } from '../testing/cookie-browser.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { hashPassword } from '../staff/passwords.ts'

const PASSWORD = 'Ett långt lösenord 7'
let server: TestServer
let own: BuiltInvoice
/** Passkeys are made for names: the same server by its name. */
let origin: string
let passwordHash: string
let people = 0
let email: string
let session: SignedIn
let browser: CookieBrowser
let device: Authenticator

beforeAll(async () => {
  server = await startTestServer()
  origin = server.origin.replace('127.0.0.1', 'localhost')
  own = await buildInvoice(server.test, server.instanceId, server.clock)
  passwordHash = await hashPassword(PASSWORD)
})
beforeEach(async () => {
  people += 1
  email = `k${people}@example.com`
  session = await signInStaff(server.product.context, { ...own, role: 'clerk', email })
  await server.test.owner.query('update person set password_hash = $2 where email = $1', [
    email,
    passwordHash,
  ])
  browser = openCookieBrowser(origin)
  device = openAuthenticator(origin)
})

type Told = { status: number; code?: string; redirectTo?: string; next?: string } & Record<string, unknown>

async function account(
  method: string,
  path: string,
  { body, by = session, at = origin }: { body?: object; by?: SignedIn; at?: string } = {},
): Promise<Told> {
  const answer = await fetch(`${at}/api/client/account/${path}`, {
    method,
    headers: { ...by, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  return { status: answer.status, ...(text ? (JSON.parse(text) as object) : {}) }
}
const refused = ({ status, code }: Told) => [status, code]

type Options = Parameters<Authenticator['make']>[0]
const begin = async () => (await account('POST', '../passkeys/options')) as unknown as Options
const keep = (registration: object, name = 'Telefon') =>
  account('POST', '../passkeys', { body: { name, registration } })
/** Adds the device; answers the recovery codes that came with it. */
async function add(by = device, said: Said = {}): Promise<string[]> {
  const told = await keep(by.make(await begin(), said))
  expect(told.status, JSON.stringify(told)).toBe(201)
  return told['recoveryCodes'] as string[]
}
type Listed = { id: string; name: string; host: string; isOfHere: boolean; isBackedUp: boolean }
const list = async () => (await account('GET', '../passkeys'))['passkeys'] as Listed[]

const verifier = randomBytes(32).toString('base64url')
async function open(by = browser): Promise<string> {
  const query = new URLSearchParams({
    client_id: 'client-portal',
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: `${origin}/client/`,
    state: 's',
    nonce: 'n',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const asked = await by('GET', `/oidc/auth?${query.toString()}`)
  const shown = await by('GET', asked.headers.get('location') ?? '')
  return new URL(shown.headers.get('location') ?? '', origin).searchParams.get('interaction') ?? ''
}
async function step(uid: string, path: string, json: object, by = browser): Promise<Told> {
  const answer = await by(
    path.endsWith('/second-factor/passkey') ? 'PUT' : 'POST',
    `/oidc/interaction/${uid}${path}`,
    { json },
  )
  return { status: answer.status, ...((await answer.json()) as object) }
}
type Asked = { challenge: string; rpId: string; allowCredentials: { id: string }[] }
const ask = async (uid: string, by = browser) =>
  (await step(uid, '/passkey-options', {}, by)) as unknown as Asked
/** One whole sign-in with a device and no password. */
async function signIn(by = device, said: Said = {}): Promise<Told> {
  const uid = await open()
  return step(uid, '/passkey', by.sign(await ask(uid), said))
}
async function enter({ redirectTo = '' }: Told, by = browser): Promise<SignedIn> {
  const back = await by('GET', redirectTo)
  const code = new URL(back.headers.get('location') ?? '', origin).searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, client_id: 'client-portal', code_verifier: verifier }
  const answer = await by('POST', '/oidc/token', { form: { ...form, redirect_uri: `${origin}/client/` } })
  return { authorization: `Bearer ${((await answer.json()) as { access_token?: string }).access_token}` }
}
const password = async (uid: string, by = browser) => step(uid, '', { email, password: PASSWORD }, by)
const row = async () =>
  (
    await server.test.owner.query(
      `select counter, is_multi_device, is_backed_up, used_at, rp_id from passkey where credential_id = $1`,
      [device.id],
    )
  ).rows[0] as Record<string, unknown> | undefined
const mailsTo = async (to: string): Promise<string[]> => {
  await server.product.sendMail()
  const all: { to: string; subject: string }[] = await server.control('GET', '/control/mail')
  return all.filter((mail) => mail.to.includes(to)).map(({ subject }) => subject)
}
const byText = (a: unknown, b: unknown) => String(a).localeCompare(String(b))

describe('a passkey', () => {
  test('signs in without a password; its counter and whether it is copied are kept, and the person is told', async () => {
    expect(await add(device, { isBackedUp: false })).toHaveLength(10)
    expect(await list()).toEqual([
      expect.objectContaining({ name: 'Telefon', host: 'localhost', isOfHere: true, isBackedUp: false }),
    ])
    const told = await signIn(device, { isBackedUp: true })
    expect(told.status, JSON.stringify(told)).toBe(200)
    expect((await account('GET', 'sessions', { by: await enter(told) })).status).toBe(200)
    expect(await row()).toMatchObject({
      counter: '1',
      is_multi_device: true,
      is_backed_up: true,
      used_at: expect.any(Date),
    })
    expect(await mailsTo(email)).toEqual([expect.stringContaining('Du har en ny passnyckel hos')])
    const { rows } = await server.test.owner.query(
      `select kind from audit_event where about in (select 'person:' || id from person where email = $1) order by kind`,
      [email],
    )
    expect(rows.map(({ kind }) => kind)).toEqual(['staff_passkey_added', 'staff_signed_in'])
  })

  test('comes after the password where one is set up, and may be another’s no more than a code', async () => {
    await add()
    const uid = await open()
    expect(await password(uid)).toMatchObject({ status: 200, next: 'passkey', hasPasskey: true })
    const asked = await ask(uid)
    expect(asked.allowCredentials.map(({ id }) => id)).toEqual([device.id])
    const told = await step(uid, '/passkey', device.sign(asked))
    expect(told.redirectTo).toBeDefined()
    const mine = email
    // Somebody else's device after my password.
    email = `other${people}@example.com`
    session = await signInStaff(server.product.context, { ...own, role: 'clerk', email })
    const theirs = openAuthenticator(origin)
    await add(theirs)
    email = mine
    const next = await open()
    await password(next)
    expect((await step(next, '/passkey', theirs.sign(await ask(next)))).code).toBe('passkey_unknown')
  })

  test('passkey.replay: its answer signs in once, in one browser, for one sign-in, and not when it is old', async () => {
    await add()
    const uid = await open()
    const answer = device.sign(await ask(uid))
    const both = await Promise.all([step(uid, '/passkey', answer), step(uid, '/passkey', answer)])
    expect(both.map(({ status, code }) => code ?? status).toSorted(byText)).toEqual([200, 'passkey_expired'])
    expect((await step(uid, '/passkey', answer)).code).toMatch(/expired/)
    const next = await open()
    await ask(next)
    expect((await step(next, '/passkey', answer)).code, 'for another sign-in').toBe('passkey_failed')
    const stranger = openCookieBrowser(origin)
    const third = await open()
    const fresh = device.sign(await ask(third))
    expect((await step(third, '/passkey', fresh, stranger)).code).toBe('sign_in_expired')
    await server.test.owner.query(
      `update oidc_item set expires_at = now() - interval '1 second' where model = 'PasskeySignIn'`,
    )
    expect((await step(third, '/passkey', fresh)).code).toBe('passkey_expired')
  })

  test.each<[string, Said, string]>([
    ['of a device that has not checked who holds it', { isVerified: false }, 'passkey_unverified'],
    ['of another page', { origin: 'https://localhost.example' }, 'passkey_failed'],
    ['for another host', { rpId: 'nordklar.example' }, 'passkey_failed'],
    ['of another person’s handle', { userHandle: 'AAAA' }, 'passkey_failed'],
  ])(
    'passkey.forged: an answer %s is refused, when it is made and when it signs in',
    async (_, said, code) => {
      if (!said.userHandle) expect((await keep(device.make(await begin(), said))).code).toBe(code)
      await add()
      expect((await signIn(device, said)).code).toBe(code)
      expect(await row()).toMatchObject({ counter: '0' })
    },
  )

  test('passkey.copy: one whose counter stands still is a copy, and ends what has begun', async () => {
    await add()
    expect((await signIn(device, { counter: 7 })).status).toBe(200)
    for (const counter of [7, 3, 0]) expect((await signIn(device, { counter })).code).toBe('passkey_copied')
    expect(await row()).toMatchObject({ counter: '7' })
    const [{ id }] = (await list()) as [Listed]
    const { rows } = await server.test.owner.query(
      `select kind from audit_event where about = $1 and kind = 'staff_refused'`,
      [`passkey:${id}`],
    )
    // The log says it once an hour.
    expect(rows.length).toBeGreaterThan(0)
    const told = (await mailsTo(email)).filter((subject) => subject.includes('kan ha kopierats'))
    expect(told).toHaveLength(3)
    expect((await signIn(device, { counter: 8 })).status).toBe(200)
  })

  test('of nobody here, and one whose person works elsewhere, does not sign in', async () => {
    const stranger = openAuthenticator(origin)
    stranger.make(await begin())
    expect((await signIn(stranger)).code).toBe('passkey_unknown')
    await add()
    await server.test.owner.query(
      'update membership set ended_at = now() where person_id = (select id from person where email = $1)',
      [email],
    )
    expect((await signIn()).code).toBe('sign_in_no_membership')
  })

  test('answers to nothing keep nobody out, and a browser that knows the account has its own tries', async () => {
    await add()
    const uid = await open()
    const junk = device.sign({ challenge: 'AAAA', rpId: 'localhost' })
    for (let n = 0; n < 301; n += 1)
      expect((await step(uid, '/passkey', { ...junk, id: 'AAAA', rawId: 'AAAA' })).code).toBe(
        'passkey_expired',
      )
    expect((await signIn()).status).toBe(200)
    // Somebody in the network has used its tries up.
    const strange = openCookieBrowser(origin)
    const other = await open(strange)
    let code: string | undefined
    for (let n = 0; n < 301 && code !== 'sign_in_throttled'; n += 1) {
      await ask(other, strange)
      code = (await step(other, '/passkey', { ...junk, id: 'AAAA', rawId: 'AAAA' }, strange)).code
    }
    expect(code).toBe('sign_in_throttled')
    expect((await step(other, '/passkey', device.sign(await ask(other, strange)), strange)).code).toBe(
      'sign_in_throttled',
    )
    expect((await signIn()).status, 'in the browser that knows the account').toBe(200)
    await server.test.owner.query(`delete from guess_budget`)
  })

  test.each([{}, { id: 1 }, { id: 'x', rawId: 'x', type: 'public-key', response: {} }, []])(
    '%j is no answer',
    async (json) => {
      const uid = await open()
      await ask(uid)
      expect(refused(await step(uid, '/passkey', json))).toEqual([400, 'invalid_request'])
    },
  )
})

describe('adding one', () => {
  test('needs a fresh sign-in, a host with a name, and a challenge of this session that is used once', async () => {
    const registration = device.make(await begin())
    const other = await signInStaff(server.product.context, { ...own, role: 'clerk', email })
    const body = { name: 'Annan', registration }
    expect((await account('POST', '../passkeys', { body, by: other })).code).toBe('passkey_expired')
    const both = await Promise.all([keep(registration), keep(registration)])
    expect(both.map(({ status, code }) => code ?? status).toSorted(byText)).toEqual([201, 'passkey_expired'])
    const again = device.make(await begin())
    expect((await keep(again)).code).toBe('passkey_exists')
    const at = server.origin
    expect(refused(await account('POST', '../passkeys/options', { at }))).toEqual([400, 'passkey_not_here'])
    expect((await account('GET', '../passkeys', { at }))['canAdd']).toBe(false)
    await server.test.owner.query(
      `update staff_session set signed_in_at = signed_in_at - interval '11 minutes'`,
    )
    const [{ id }] = (await list()) as [Listed]
    expect((await account('POST', '../passkeys/options')).code).toBe('sign_in_again')
    expect((await keep(again)).code).toBe('sign_in_again')
    expect((await account('DELETE', `../passkeys/${id}`)).code).toBe('sign_in_again')
  })

  test('is over at twenty, also for two at once', async () => {
    await add()
    await server.test.owner.query(
      `insert into passkey select gen_random_uuid(), person_id, instance_id, rp_id, credential_id || n, public_key, 0, false, false,
         transports, name, made_at from passkey, generate_series(1, 18) n where credential_id = $1`,
      [device.id],
    )
    const other = await signInStaff(server.product.context, { ...own, role: 'clerk', email })
    const make = async (by: SignedIn) => {
      const options = (await account('POST', '../passkeys/options', { by })) as unknown as Options
      return { by, body: { name: 'Ny', registration: openAuthenticator(origin).make(options) } }
    }
    const tries = [await make(session), await make(other)]
    const both = await Promise.all(tries.map((one) => account('POST', '../passkeys', one)))
    expect(both.map(({ status, code }) => code ?? status).toSorted(byText)).toEqual([201, 'passkeys_full'])
    expect((await account('POST', '../passkeys/options')).code).toBe('passkeys_full')
  })

  test('ends what the password alone had proven', async () => {
    const uid = await open()
    const waiting = await password(uid)
    expect(waiting.redirectTo).toBeDefined()
    const elsewhere = await signInStaff(server.product.context, { ...own, role: 'clerk', email })
    await add()
    expect((await enter(waiting)).authorization).toBe('Bearer undefined')
    expect((await account('GET', 'sessions', { by: elsewhere })).status).toBe(401)
    expect((await list()).length).toBe(1)
  })
})

/** With what each sign-in of the person was made, as the log has it. */
async function means(): Promise<unknown[]> {
  const { rows } = await server.test.owner.query<{ after: unknown }>(
    `select after from audit_event where kind = 'staff_signed_in' and about in
       (select 'person:' || id from person where email = $1) order by chain, seq`,
    [email],
  )
  return rows.map(({ after }) => after)
}

describe('where everybody has to have a second factor', () => {
  const require = async (isRequired: boolean | null) => {
    await server.test.owner.query('update instance set requires_second_factor = $1', [isRequired])
    // What the program knows of an instance is five seconds old at most.
    await vi.waitFor(
      async () =>
        expect(await account('GET', 'second-factor')).toMatchObject({ isRequired: isRequired ?? false }),
      { timeout: 10_000, interval: 500 },
    )
  }

  test('passkey.first: it is set up right after the password, by one of two at once, and by nobody who has one', async () => {
    await require(true)
    try {
      const [one, two] = [openCookieBrowser(origin), openCookieBrowser(origin)]
      const [first, second] = [await open(one), await open(two)]
      const options = `/second-factor/passkey-options`
      expect((await step(first, options, {}, one)).code, 'no password yet').toBe('sign_in_expired')
      expect(await password(first, one)).toMatchObject({ next: 'set_up' })
      expect(await password(second, two)).toMatchObject({ next: 'set_up' })
      const other = openAuthenticator(origin)
      const made = device.make((await step(first, options, {}, one)) as unknown as Options)
      const late = other.make((await step(second, options, {}, two)) as unknown as Options)
      const send = (uid: string, registration: object, by: CookieBrowser) =>
        step(uid, '/second-factor/passkey', { name: 'Telefon', registration }, by)
      expect((await send(first, late, one)).code, 'of another sign-in').toBe('passkey_failed')
      expect((await send(first, made, one)).code, 'used up').toBe('passkey_expired')
      expect(refused(await step(first, '/second-factor/passkey', {}, one))).toEqual([400, 'invalid_request'])
      const again = device.make((await step(first, options, {}, one)) as unknown as Options)
      const both = await Promise.all([send(first, again, one), send(second, late, two)])
      const won = both.findIndex(({ status }) => status === 200)
      expect(both[1 - won], JSON.stringify(both)).toMatchObject({ code: 'sign_in_expired' })
      expect(both[won]?.['recoveryCodes']).toHaveLength(10)
      const winner = won === 0 ? one : two
      session = await enter(both[won] as Told, winner)
      expect(await list()).toHaveLength(1)
      // Whoever knows the password alone adds none to it.
      const next = await open()
      expect(await password(next)).toMatchObject({ next: 'passkey' })
      expect((await step(next, options, {})).code).toBe('sign_in_expired')
      const kept = won === 0 ? device : other
      expect((await step(next, '/passkey', kept.sign(await ask(next)))).redirectTo).toBeDefined()
      expect((await signIn(kept)).redirectTo).toBeDefined()
      expect(await means()).toEqual([{ with: 'password, passkey' }, { with: 'passkey' }])
    } finally {
      await require(null)
    }
  })
})

describe('removing one', () => {
  test('ends it, a sign-in that has begun with it, and every other session; the password is enough again', async () => {
    const codes = await add()
    const [{ id }] = (await list()) as [Listed]
    expect((await account('PUT', `../passkeys/${id}`, { body: { name: ' Jobbtelefon ' } })).status).toBe(204)
    expect((await list()).map(({ name }) => name)).toEqual(['Jobbtelefon'])
    const waiting = await signIn()
    const elsewhere = await enter(await signIn())
    expect((await account('DELETE', `../passkeys/${id}`)).status).toBe(204)
    expect((await account('DELETE', `../passkeys/${id}`)).status).toBe(404)
    expect((await account('GET', 'sessions', { by: elsewhere })).status).toBe(401)
    expect((await enter(waiting)).authorization).toBe('Bearer undefined')
    expect((await signIn()).code).toBe('passkey_unknown')
    expect((await password(await open())).redirectTo).toBeDefined()
    const uid = await open()
    await password(uid)
    expect((await step(uid, '/code', { code: codes[0] ?? '' })).status).toBe(400)
    expect(await mailsTo(email)).toHaveLength(2)
  })

  test('never takes the last way in, nor another’s', async () => {
    await add()
    const [{ id }] = (await list()) as [Listed]
    const mine = session
    session = await signInStaff(server.product.context, { ...own, role: 'clerk', email: `x${email}` })
    expect((await account('DELETE', `../passkeys/${id}`)).status).toBe(404)
    expect((await account('PUT', `../passkeys/${id}`, { body: { name: 'Min' } })).status).toBe(404)
    session = mine
    await server.test.owner.query('update person set password_hash = null where email = $1', [email])
    expect(refused(await account('DELETE', `../passkeys/${id}`))).toEqual([400, 'last_way_in'])
    await add(openAuthenticator(origin))
    expect((await account('DELETE', `../passkeys/${id}`)).status).toBe(204)
  })
})

describe('what is left', () => {
  const elsewhere = async (): Promise<void> => {
    const other = openAuthenticator(origin)
    await add(other)
    await server.test.owner.query(`update passkey set rp_id = 'old.example' where credential_id = $1`, [
      other.id,
    ])
  }
  const removeHere = async () => {
    const one = (await list()).find(({ isOfHere }) => isOfHere)
    return account('DELETE', `../passkeys/${one?.id}`)
  }
  const require = (isRequired: boolean | null) =>
    server.test.owner.query('update instance set requires_second_factor = $1', [isRequired])
  const useCodesUp = () =>
    server.test.owner.query(
      'update recovery_code set used_at = now() where person_id = (select id from person where email = $1)',
      [email],
    )

  test('works where somebody works: a passkey of another host is none there, a recovery code is', async () => {
    await require(true)
    try {
      await add()
      await elsewhere()
      await useCodesUp()
      expect(refused(await removeHere())).toEqual([400, 'second_factor_required'])
      await account('POST', 'recovery-codes')
      expect((await removeHere()).status).toBe(204)
      expect(await password(await open())).toMatchObject({ next: 'recovery' })
    } finally {
      await require(null)
    }
  })

  test('of an app and a passkey of another host, the app stays', async () => {
    await require(true)
    try {
      const begun = (await account('POST', 'second-factor')) as unknown as { secret: string }
      const code = new TOTP({ secret: Secret.fromBase32(begun.secret) }).generate()
      expect((await account('PUT', 'second-factor', { body: { code } })).status).toBe(200)
      await elsewhere()
      await useCodesUp()
      expect(refused(await account('DELETE', 'second-factor'))).toEqual([400, 'second_factor_required'])
    } finally {
      await require(null)
    }
  })

  test('of somebody without a password is a passkey of the host at which they work', async () => {
    await add()
    await elsewhere()
    await server.test.owner.query('update person set password_hash = null where email = $1', [email])
    expect(refused(await removeHere())).toEqual([400, 'last_way_in'])
  })
})

test.each(['\u200b\u202e', '  '])('%j is no name of a passkey; a break in one is a space', async (name) => {
  expect((await keep(device.make(await begin()), name)).status).toBe(400)
  expect((await keep(device.make(await begin()), 'Telefon\n\nDetta är ett test.')).status).toBe(201)
  expect((await list()).map((one) => one.name)).toEqual(['Telefon Detta är ett test.'])
})

describe('with the other second factors', () => {
  const appOf = async (): Promise<string> => {
    const begun = (await account('POST', 'second-factor')) as unknown as { secret: string }
    const code = new TOTP({ secret: Secret.fromBase32(begun.secret) }).generate()
    expect((await account('PUT', 'second-factor', { body: { code } })).status).toBe(200)
    return begun.secret
  }

  test('a code and a passkey are two ways; without the app the recovery codes stay', async () => {
    await appOf()
    expect(await add(), 'there are codes already').toEqual([])
    const uid = await open()
    expect(await password(uid)).toMatchObject({ next: 'code', hasPasskey: true })
    expect((await account('DELETE', 'second-factor')).status).toBe(204)
    expect(await account('GET', 'second-factor')).toMatchObject({
      isOn: false,
      hasPasskey: true,
      recoveryCodesLeft: 10,
    })
    const made = await account('POST', 'recovery-codes')
    const next = await open()
    expect(await password(next)).toMatchObject({ next: 'passkey' })
    const [code] = made['recoveryCodes'] as string[]
    expect(await step(next, '/code', { code: code ?? '' })).toMatchObject({
      status: 200,
      recoveryCodesLeft: 9,
    })
  })

  test('passkey.elsewhere: one of another host does not let the password alone in, nor an app be set up with it', async () => {
    await add()
    await server.test.owner.query(
      `update passkey set rp_id = 'client.annan.example' where credential_id = $1`,
      [device.id],
    )
    const uid = await open()
    expect(await password(uid)).toMatchObject({ next: 'recovery', hasPasskey: false })
    expect((await step(uid, '/second-factor', {})).code).toBe('sign_in_expired')
    expect((await step(uid, '/passkey', device.sign(await ask(uid)))).code).toBe('passkey_unknown')
    expect(await list()).toEqual([expect.objectContaining({ host: 'client.annan.example', isOfHere: false })])
  })

  test('a manager who resets takes the passkeys away too', async () => {
    await add()
    const manager = await signInStaff(server.product.context, {
      ...own,
      role: 'manager',
      email: 'chef@example.com',
    })
    const found = await server.call('POST', '/api/client/users/search', {
      headers: { ...manager },
      body: { query: email, queryTarget: 'email' },
    })
    const [user] = found.json as { id: string; hasSecondFactor: boolean }[]
    expect(user?.hasSecondFactor).toBe(true)
    const reset = await server.call('POST', `/api/client/users/${user?.id}/reset-second-factor`, {
      headers: { ...manager },
    })
    expect(reset.json).toMatchObject({ hasSecondFactor: false })
    expect((await signIn()).code).toBe('passkey_unknown')
    expect((await account('GET', '../passkeys')).status).toBe(401)
  })
})
