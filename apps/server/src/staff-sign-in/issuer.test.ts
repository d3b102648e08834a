/** Sign-in at a provider's own issuer, over HTTP as browser, portal and issuer do it, and what must not be believed of what comes back. */
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildInstance } from '../testing/build.ts'
import { openCookieBrowser, type CookieBrowser } from '../testing/cookie-browser.ts'
import {
  agreeOn,
  beginAt,
  comeBack,
  goThere,
  linkTo,
  openIssuerOffice,
  pickAccount,
  sessionFrom,
  takeUp,
} from '../testing/issuer/at-issuer.ts'
import { signInStaff, type AskOffice, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { toInstance } from '../instances/instances.ts'
import { readInstances } from '../instances/instances.queries.ts'
import { newId } from '../platform/identity.ts'
import { dropFactorOfIssuer } from '../second-factor/second-factor.ts'
import { hashPassword } from '../staff/passwords.ts'
import { insertMembershipRow } from '../staff/staff.queries.ts'

const PASSWORD = 'Ett långt lösenord 7'
let server: TestServer
let office: AskOffice
let browser: CookieBrowser
let people = 0
let email: string

beforeAll(async () => {
  server = await startTestServer()
  office = await openIssuerOffice(server)
  // A manager who comes in by a password, outside of the issuer's domains.
  await server.test.owner.query(`update person set password_hash = 'x' where email = 'manager@example.com'`)
})
beforeEach(async () => {
  people += 1
  email = `p${people}@nordklar.example`
  browser = openCookieBrowser(server.origin)
  await server.control('DELETE', '/control/faults')
  await server.control('POST', '/control/delays', { target: 'issuer', seconds: 0 })
  const { rows } = await server.test.owner.query(
    'select from sign_in_issuer where is_on and not is_required and not counts_as_both',
  )
  if (rows.length === 0) {
    await server.test.owner.query('update sign_in_issuer set is_on = false')
    await agreeOn(server, office)
  }
})

const fault = (name: string) =>
  server.control('POST', '/control/faults', { target: 'issuer', fault: name, times: 1 })
const rowsOf = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.test.owner.query<Row>(sql, values)).rows
const personId = async (): Promise<string> =>
  (await rowsOf<{ id: string }>('select id from person where email = $1', [email]))[0]?.id ?? ''

/** Invited, and linked at the issuer. */
async function invited(role = 'support'): Promise<string> {
  const answer = await office('manager', 'POST /users', { email, name: 'Anna Prov', role })
  expect(answer.status, answer.text).toBe(201)
  return linkTo(server, email)
}
async function linked(): Promise<void> {
  const { at, text } = await takeUp(browser, await invited(), email)
  expect(at, text).toBe(`/admin/?user_email=${encodeURIComponent(email)}`)
}

/** Goes to the issuer and back; where it ends. */
async function signIn(as = email, by = browser): Promise<string> {
  const uid = await beginAt(server, by)
  const { goTo = '', code } = await goThere(by, uid, as)
  if (code !== undefined) return code
  return comeBack(by, await pickAccount(goTo, as))
}
const refusedIn = (address: string) => new URL(address, server.origin).searchParams.get('refused')
/** What the program knows of an instance is five seconds old at most. */
async function requireFactor(isRequired: boolean): Promise<void> {
  await rowsOf('update instance set requires_second_factor = $1', [isRequired])
  const session = await signInStaff(server.product.context, {
    instanceId: server.instanceId,
    creditorId: null,
    role: 'auditor',
  })
  await vi.waitFor(
    async () => {
      const { json } = await server.call('GET', '/api/admin/account/second-factor', {
        headers: { ...session },
      })
      expect(json).toMatchObject({ isRequired })
    },
    { timeout: 10_000, interval: 500 },
  )
}
const me = async (session: SignedIn) =>
  (await server.call('GET', '/api/admin/session', { headers: { ...session } })).status

describe('whoever is invited', () => {
  test('links once, signs in by issuer and subject, and works here', async () => {
    await linked()
    const leadsTo = await signIn()
    const session = await sessionFrom(server, browser, { leadsTo })
    expect(await me(session)).toBe(200)
    const kinds = await rowsOf<{ kind: string }>(
      `select kind from audit_event where about = $1 order by seq`,
      [`person:${await personId()}`],
    )
    expect(kinds.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['staff_issuer_linked', 'staff_signed_in']),
    )
    const [row] = await rowsOf(
      'select by_issuer is not null as there from staff_session where logged_out_at is null and membership_id in (select id from membership where person_id = $1)',
      [await personId()],
    )
    expect(row).toEqual({ there: true })
  })

  test('iss.link: an account that nobody has linked is nobody, though it has the address of somebody here', async () => {
    await invited()
    expect(refusedIn(await signIn())).toBe('issuer_not_linked')
    expect(await rowsOf('select from sign_in_link where person_id = $1', [await personId()])).toEqual([])
  })

  test('iss.link: an invitation is not taken up by another account, nor by an account that is linked already', async () => {
    const path = await invited()
    expect((await takeUp(browser, path, 'stranger@nordklar.example')).at).toContain('issuer_other_person')
    expect((await takeUp(browser, path, email)).at).toContain('/admin/')
    // Used: the same link again is over.
    expect((await takeUp(browser, path, email)).at).toBe('400')
    // The address at the issuer has become another person's here.
    await rowsOf(`update person set email = 'was-' || email where email = $1`, [email])
    const anew = await invited()
    expect(anew).not.toBe(path)
    const { at } = await takeUp(browser, anew, email)
    expect(await (await browser('GET', at)).text()).toContain('redan kopplat')
  })

  test('iss.page: a refusal is said on the page of the invitation, whose form chooses a password', async () => {
    const path = await invited()
    const { at } = await takeUp(browser, path, 'stranger@nordklar.example')
    expect(at).toBe(`${path}?refused=issuer_other_person`)
    const page = await browser('GET', at)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(email)])
    expect(await (await browser('GET', at)).text()).toContain(`<form method="post" action="${path}">`)
    expect((await browser('GET', `${path}?refused=made_up`)).status).toBe(200)
    const chosen = await browser('POST', path, { form: { password: 'Gran havre lykta 42' } })
    expect(chosen.headers.get('location')).toBe('/admin/')
  })

  test('iss.told: another account takes the place of the first: the person is told, and what that began ends', async () => {
    await linked()
    const session = await sessionFrom(server, browser, { leadsTo: await signIn() })
    await rowsOf(`update sign_in_link set subject = 'was-' || subject where person_id = $1`, [
      await personId(),
    ])
    const users = (await office('manager', 'POST /users/search', { query: email, queryTarget: 'email' }))
      .json as { id: string }[]
    const links: string[] = []
    for (let sent = 0; sent < 2; sent += 1) {
      expect((await office('manager', `POST /users/${users[0]?.id}/reset`)).status).toBe(200)
      links.push(await linkTo(server, email))
    }
    expect(await me(session)).toBe(200)
    expect((await takeUp(browser, links[0] ?? '', email)).at).toContain('/admin/?user_email')
    expect(await me(session)).toBe(401)
    expect((await browser('GET', links[1] ?? '')).status, 'the other link').toBe(400)
    await server.product.sendMail()
    const mail: { to: string; subject: string }[] = await server.control('GET', '/control/mail')
    expect(mail.find(({ to }) => to.includes(email))?.subject).toContain('kopplat')
  })

  test('iss.link: two at once take an invitation up once', async () => {
    const path = await invited()
    const both = await Promise.all(
      [browser, openCookieBrowser(server.origin)].map((by) => takeUp(by, path, email)),
    )
    expect(both.map(({ at }) => at).toSorted()).toEqual([
      `/admin/?user_email=${encodeURIComponent(email)}`,
      '400',
    ])
  })

  test('who has a password already is sent an invitation to link, which chooses no password', async () => {
    await office('manager', 'POST /users', { email, name: 'Anna Prov', role: 'support' })
    await rowsOf('update person set password_hash = $2 where email = $1', [
      email,
      await hashPassword(PASSWORD),
    ])
    const users = (await office('manager', 'POST /users/search', { query: email, queryTarget: 'email' }))
      .json as { id: string }[]
    expect((await office('manager', `POST /users/${users[0]?.id}/reset`)).status).toBe(200)
    const path = await linkTo(server, email)
    const chosen = await browser('POST', path, { form: { password: 'Gran havre lykta 42' } })
    expect(chosen.status).toBe(400)
    expect((await takeUp(browser, path, email)).at).toContain('/admin/')
  })
})

describe('what comes back', () => {
  test.each([
    'wrong-nonce',
    'wrong-audience',
    'other-issuer',
    'expire',
    'unsigned',
    'wrong-key',
    'other-sender',
  ])('iss.token: %s signs nobody in', async (name) => {
    await linked()
    await fault(name)
    expect(refusedIn(await signIn())).toBe('issuer_answer_wrong')
    const [seen] = await rowsOf<{ n: number }>(
      `select count(*)::int as n from audit_event where kind = 'staff_refused' and about = 'issuer' and after ->> 'why' = 'answer'`,
    )
    expect(seen?.n).toBeGreaterThan(0)
  })

  test('iss.fresh: a sign-in of an hour ago there is none here, and a session is as old as what the issuer says', async () => {
    await linked()
    await fault('old-sign-in')
    expect(refusedIn(await signIn())).toBe('issuer_sign_in_old')
    const uid = await beginAt(server, browser)
    const { goTo = '' } = await goThere(browser, uid, email)
    const asked = new URL(goTo).searchParams
    expect([asked.get('prompt'), asked.get('max_age'), asked.get('code_challenge_method')]).toEqual([
      'login',
      '600',
      'S256',
    ])
  })

  test('iss.replay: a code and its state come once, in the browser that began, to the sign-in that began', async () => {
    await linked()
    const uid = await beginAt(server, browser)
    const { goTo = '' } = await goThere(browser, uid, email)
    const back = await pickAccount(goTo, email)
    const stranger = openCookieBrowser(server.origin)
    expect(await comeBack(stranger, back), 'another browser').toBe('400')
    const other = await beginAt(server, stranger)
    const [, query] = back.split('?')
    const forced = await stranger('GET', `/oidc/interaction/${other}/issuer?${query}`)
    expect(refusedIn(forced.headers.get('location') ?? ''), 'another sign-in').toBe('sign_in_expired')
    const both = await Promise.all([comeBack(browser, back), comeBack(browser, back)])
    expect(
      both.filter((one) => one.startsWith('http') || one.startsWith('/oidc/auth')),
      String(both),
    ).toHaveLength(1)
    expect(await comeBack(browser, back), 'again').toBe('400')
  })

  test('iss.redirect: the callback leads to what was begun, whatever the address says', async () => {
    for (const query of ['', '?state=x&code=y', '?state=x&go_on=https://evil.example', '?state=a&state=b'])
      expect((await browser('GET', `/oidc/issuer/callback${query}`)).status, query).toBe(400)
    await linked()
    const uid = await beginAt(server, browser)
    const { goTo = '' } = await goThere(browser, uid, email)
    expect(new URL(goTo).searchParams.get('redirect_uri')).toBe(`${server.origin}/oidc/issuer/callback`)
    const state = new URL(goTo).searchParams.get('state') ?? ''
    const led = await browser('GET', `/oidc/issuer/callback?state=${state}&code=x&go_on=https://evil.example`)
    expect(led.headers.get('location')).toBe(`/oidc/interaction/${uid}/issuer?code=x&state=${state}`)
  })

  test('whoever declines there can go on here', async () => {
    await linked()
    const uid = await beginAt(server, browser)
    const { goTo = '' } = await goThere(browser, uid, email)
    expect(refusedIn(await comeBack(browser, await pickAccount(goTo, '')))).toBe('issuer_declined')
    const { goTo: again = '' } = await goThere(browser, uid, email)
    expect(await comeBack(browser, await pickAccount(again, email))).toContain('/oidc/auth/')
  })
})

describe('what an address is offered', () => {
  const offer = async (address: string) => {
    const uid = await beginAt(server, browser)
    const answer = await browser('POST', `/oidc/interaction/${uid}/issuer-of`, { json: { email: address } })
    return answer.text()
  }

  test('iss.enumerate: it is of the domain alone, with the same bytes whoever has it', async () => {
    await linked()
    expect(await offer(email)).toBe(await offer('nobody-at-all@nordklar.example'))
    expect(await offer('a@x.nordklar.example')).toBe('{"isOffered":false,"isRequired":false}')
    await agreeOn(server, office, { isRequired: true })
    const refusals = await Promise.all(
      [email, 'nobody-at-all@nordklar.example'].map(async (address) => {
        const by = openCookieBrowser(server.origin)
        const uid = await beginAt(server, by)
        const answer = await by('POST', `/oidc/interaction/${uid}`, {
          json: { email: address, password: 'x' },
        })
        return [answer.status, ((await answer.json()) as { code: string }).code]
      }),
    )
    expect(refusals).toEqual([
      [400, 'issuer_required'],
      [400, 'issuer_required'],
    ])
    const forgotten = await browser('POST', '/oidc/forgotten', { json: { email } })
    expect(((await forgotten.json()) as { code: string }).code).toBe('issuer_required')
  })

  test('nobody is sent there with an address that is not listed', async () => {
    expect(await signIn('a@elsewhere.example')).toBe('issuer_off')
  })
})

describe('a session that began there', () => {
  const account = (session: SignedIn, method: string, path: string, body?: object) =>
    server.call(method, `/api/admin/account/${path}`, { headers: { ...session }, ...(body ? { body } : {}) })

  test('iss.elsewhere: it opens this provider alone, and changes nothing that proves the person elsewhere', async () => {
    await linked()
    const other = await buildInstance(server.test, { alias: 'annan', isDefault: false })
    await server.product.context.db.transaction(async (tx) => {
      const at = { instanceId: other.id, id: newId(Date.now()), personId: await personId(), creditorId: null }
      await insertMembershipRow(tx, { ...at, role: 'manager' })
    })
    const session = await sessionFrom(server, browser, { leadsTo: await signIn() })
    const shown = (await server.call('GET', '/api/admin/session', { headers: { ...session } })).json as {
      memberships: { role: string }[]
    }
    expect(shown.memberships.map(({ role }) => role)).toEqual(['support'])
    for (const [method, path, body] of [
      ['POST', 'second-factor', undefined],
      ['DELETE', 'second-factor', undefined],
      ['PUT', 'password', { current: 'x', password: 'Gran havre lykta 42' }],
    ] as const) {
      const { status, json } = await account(session, method, path, body)
      expect([path, status, (json as { code?: string }).code]).toEqual([path, 403, 'issuer_session'])
    }
    // A factor that has to be set up is the person's everywhere.
    await requireFactor(true)
    try {
      expect(refusedIn(await signIn())).toBe('issuer_factor_elsewhere')
    } finally {
      await requireFactor(false)
    }
  })

  test('iss.factor: the issuer is one factor, unless two people have agreed that it is both', async () => {
    await linked()
    await requireFactor(true)
    try {
      const asked = new URL(await signIn(), server.origin).searchParams
      expect(asked.get('next')).toBe('set_up')
      const uid = asked.get('interaction') ?? ''
      const passkey = await browser('POST', `/oidc/interaction/${uid}/second-factor/passkey-options`, {
        json: {},
      })
      expect(((await passkey.json()) as { code: string }).code).toBe('issuer_session')
      await browser('POST', `/oidc/interaction/${uid}/second-factor`, { json: {} })
      expect(
        await rowsOf('select by_issuer from second_factor where person_id = $1', [await personId()]),
      ).toEqual([{ by_issuer: true }])
      await agreeOn(server, office, { countsAsBoth: true })
      const session = await sessionFrom(server, browser, { leadsTo: await signIn() })
      expect(await me(session)).toBe(200)
    } finally {
      await requireFactor(false)
    }
  })

  test('iss.word: a factor that was set up on its word goes with the first password, and with work elsewhere', async () => {
    await linked()
    await rowsOf(`update person set password_hash = null where email = $1`, [email])
    const setUp = async () => {
      const id = newId(Date.now())
      await rowsOf(
        `with kept as (insert into kept_secret (instance_id, id, key_id, sealed)
           select instance_id, $1, key_id, sealed from kept_secret where instance_id = $3 limit 1 returning id, instance_id)
         insert into second_factor (id, person_id, instance_id, secret_id, made_at, confirmed_at, by_issuer)
         select $1, $2, instance_id, id, now(), now(), true from kept`,
        [id, await personId(), server.instanceId],
      )
    }
    await setUp()
    const factors = async () => rowsOf('select from second_factor where person_id = $1', [await personId()])
    expect(await factors()).toHaveLength(1)
    await browser('POST', '/oidc/forgotten', { json: { email } })
    const path = await linkTo(server, email)
    const chosen = await browser('POST', path, { form: { password: 'Gran havre lykta 42' } })
    expect([chosen.headers.get('location'), await factors()]).toEqual(['/admin/', []])
    const kinds = await rowsOf<{ kind: string }>(
      `select kind from audit_event where about = $1 and kind = 'staff_factor_off'`,
      [`person:${await personId()}`],
    )
    expect(kinds).toHaveLength(1)
    await setUp()
    const { context } = server.product
    const other = await buildInstance(server.test, { alias: 'ord', isDefault: false })
    const instances = (await readInstances(context.db)).map(toInstance)
    const person = { id: await personId(), email, name: 'Anna Prov' }
    const dropAt = (id: string) =>
      context.db.transaction(async (tx) => {
        const instance = instances.find((one) => one.id === id)
        if (!instance) throw new Error('no such instance')
        await dropFactorOfIssuer(context, tx, { instance, person, within: 'elsewhere' })
      })
    await dropAt(server.instanceId)
    expect(await factors(), 'here').toHaveLength(1)
    await dropAt(other.id)
    expect(await factors(), 'elsewhere').toEqual([])
  })

  test('iss.ended: it ends when the issuer is switched off, with every sign-in that is not done', async () => {
    await linked()
    const session = await sessionFrom(server, browser, { leadsTo: await signIn() })
    const second = openCookieBrowser(server.origin)
    const half = await signIn(email, second)
    const third = openCookieBrowser(server.origin)
    const uid = await beginAt(server, third)
    const { goTo = '' } = await goThere(third, uid, email)
    const back = await pickAccount(goTo, email)
    await agreeOn(server, office, { isOn: false })
    expect(await me(session)).toBe(401)
    expect(await me(await sessionFrom(server, second, { leadsTo: half }))).toBe(401)
    expect(refusedIn(await comeBack(third, back))).toBe('issuer_off')
  })

  test('iss.listed: it, and the link, count only while the person has an address of a listed domain', async () => {
    await linked()
    const session = await sessionFrom(server, browser, { leadsTo: await signIn() })
    const second = openCookieBrowser(server.origin)
    const half = await signIn(email, second)
    await rowsOf(`update sign_in_issuer set domains = '{other.example}'`)
    try {
      expect(await me(session)).toBe(401)
      expect(await me(await sessionFrom(server, second, { leadsTo: half }))).toBe(401)
      // Whoever types another address there, or is known there already, is the same person.
      const third = openCookieBrowser(server.origin)
      const uid = await beginAt(server, third)
      const { goTo = '' } = await goThere(third, uid, 'any@other.example')
      expect(refusedIn(await comeBack(third, await pickAccount(goTo, email)))).toBe('issuer_not_linked')
    } finally {
      await rowsOf(`update sign_in_issuer set domains = '{nordklar.example}'`)
    }
  })

  test('iss.known: it marks no browser as known for guesses of the password', async () => {
    await linked()
    const uid = await beginAt(server, browser)
    const { goTo = '' } = await goThere(browser, uid, email)
    const called = await browser('GET', await pickAccount(goTo, email))
    const ended = await browser('GET', called.headers.get('location') ?? '')
    expect(ended.headers.get('location')).toContain('/oidc/auth/')
    expect(ended.headers.getSetCookie().filter((one) => !one.startsWith('kvitt_oidc'))).toEqual([])
  })

  test('iss.off: it is none while its issuer is off, whatever has begun it', async () => {
    await linked()
    const session = await sessionFrom(server, browser, { leadsTo: await signIn() })
    await rowsOf('update sign_in_issuer set is_on = false')
    try {
      expect(await me(session)).toBe(401)
    } finally {
      await rowsOf('update sign_in_issuer set is_on = true')
    }
    expect(await me(session)).toBe(200)
  })

  test('iss.tighter: what a sign-in would be refused for under the new agreement has ended with it', async () => {
    await linked()
    await agreeOn(server, office, { countsAsBoth: true })
    const signedIn = async () => {
      const by = openCookieBrowser(server.origin)
      return sessionFrom(server, by, { leadsTo: await signIn(email, by) })
    }
    const single = await signedIn()
    const half = await signIn()
    await agreeOn(server, office, { countsAsBoth: false })
    expect(await me(single), 'one factor').toBe(401)
    expect((await browser('GET', half)).headers.get('location') ?? '', 'half a sign-in').not.toContain(
      'code=',
    )
    const before = await signedIn()
    await agreeOn(server, office, { domains: 'nordklar.example, other.example', secret: undefined })
    expect(await me(before), 'one more domain').toBe(200)
    await agreeOn(server, office, { domains: 'nordklar.example, other.example' })
    expect(await me(before), 'another secret').toBe(401)
    const listed = await signedIn()
    await agreeOn(server, office, { domains: 'other.example', secret: undefined })
    await agreeOn(server, office, { secret: undefined })
    expect(await me(listed), 'a domain that was taken off the list').toBe(401)
  })

  test('iss.required: a session by password ends where the issuer becomes the only way, and so does half a sign-in', async () => {
    await linked()
    await rowsOf('update person set password_hash = $2 where email = $1', [
      email,
      await hashPassword(PASSWORD),
    ])
    const byPassword = async () => {
      const by = openCookieBrowser(server.origin)
      const uid = await beginAt(server, by)
      const answer = await by('POST', `/oidc/interaction/${uid}`, { json: { email, password: PASSWORD } })
      return { by, leadsTo: ((await answer.json()) as { redirectTo: string }).redirectTo }
    }
    const { by, leadsTo } = await byPassword()
    const session = await sessionFrom(server, by, { leadsTo })
    expect(await me(session)).toBe(200)
    const half = await byPassword()
    await agreeOn(server, office, { isRequired: true, secret: undefined })
    expect(await me(session)).toBe(401)
    expect(await me(await sessionFrom(server, half.by, half))).toBe(401)
    await agreeOn(server, office, { secret: undefined })
    expect(await me(session), 'an end is for good').toBe(401)
  })

  test('iss.unlinked: the link ends with the last membership, and the next invitation links anew', async () => {
    await linked()
    const remove = async () => {
      const found = await office('manager', 'POST /users/search', { query: email, queryTarget: 'email' })
      expect(
        (await office('manager', `DELETE /users/${(found.json as { id: string }[])[0]?.id}`)).status,
      ).toBe(204)
    }
    const session = await sessionFrom(server, browser, { leadsTo: await signIn() })
    expect(await me(session)).toBe(200)
    await remove()
    expect(await rowsOf('select from sign_in_link where person_id = $1', [await personId()])).toEqual([])
    expect(
      await rowsOf(`select kind from audit_event where kind = 'staff_issuer_unlinked' and about = $1`, [
        `person:${await personId()}`,
      ]),
    ).toHaveLength(1)
    const path = await invited()
    expect(refusedIn(await signIn())).toBe('issuer_not_linked')
    expect((await takeUp(browser, path, email)).at).toContain('/admin/')
    await remove()
    // The address has become another: the account there is linked with the person of the new one.
    await rowsOf(`update person set email = 'was-' || email where email = $1`, [email])
    await linked()
  })

  test('it ends with the membership, and the account there opens nothing any more', async () => {
    await linked()
    const session = await sessionFrom(server, browser, { leadsTo: await signIn() })
    const users = (await office('manager', 'POST /users/search', { query: email, queryTarget: 'email' }))
      .json as { id: string }[]
    expect((await office('manager', `DELETE /users/${users[0]?.id}`)).status).toBe(204)
    expect(await me(session)).toBe(401)
    expect(refusedIn(await signIn())).toBe('issuer_not_linked')
  })
})

describe('an issuer that is down', () => {
  test('says so before the browser leaves, and the password goes on', async () => {
    await linked()
    await rowsOf('update person set password_hash = $2 where email = $1', [
      email,
      await hashPassword(PASSWORD),
    ])
    await server.test.owner.query(`update sign_in_issuer set client_id = client_id`)
    const uid = await beginAt(server, browser)
    const { goTo = '' } = await goThere(browser, uid, email)
    const back = await pickAccount(goTo, email)
    await fault('error500')
    expect(refusedIn(await comeBack(browser, back))).toBe('issuer_unreachable')
    const told = await browser('POST', `/oidc/interaction/${uid}`, { json: { email, password: PASSWORD } })
    expect(((await told.json()) as { redirectTo?: string }).redirectTo).toBeDefined()
  })
})
