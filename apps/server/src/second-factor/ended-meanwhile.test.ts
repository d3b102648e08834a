/** What proves who a person is changes for nobody whose session, or whose password, has ended while the call was on its way. */
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { openAuthenticator, type Authenticator } from '../testing/passkeys/authenticator.ts'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { openCookieBrowser } from '../testing/cookie-browser.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { hashPassword } from '../staff/passwords.ts'

const PASSWORD = 'Ett långt lösenord 7'
let server: TestServer
let own: BuiltInvoice
let origin: string
let passwordHash: string
let people = 0
let email: string
let session: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  origin = server.origin.replace('127.0.0.1', 'localhost')
  own = await buildInvoice(server.test, server.instanceId, server.clock)
  passwordHash = await hashPassword(PASSWORD)
})
beforeEach(async () => {
  people += 1
  email = `e${people}@example.com`
  session = await signInStaff(server.product.context, { ...own, role: 'clerk', email })
  await sql('update person set password_hash = $2 where email = $1', [passwordHash])
})

const sql = async (text: string, more: unknown[] = []) =>
  (await server.test.owner.query(text, [email, ...more])).rows
const OF_PERSON = '(select id from person where email = $1)'

async function call(method: string, path: string, body?: object): Promise<{ status: number; json: unknown }> {
  const answer = await fetch(`${origin}/api/client/${path}`, {
    method,
    headers: { ...session, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) }
}

/** Makes `act` wait for the person's row, does `meanwhile` to it, and lets go. */
async function whileItWaits<T>(act: () => Promise<T>, meanwhile: string): Promise<T> {
  const holder = await server.test.owner.connect()
  try {
    await holder.query('begin')
    await holder.query('select from person where email = $1 for update', [email])
    const done = act()
    await expect
      .poll(
        async () =>
          (
            await holder.query(
              `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            )
          ).rowCount,
        { timeout: 10_000 },
      )
      .toBeGreaterThan(0)
    await holder.query(meanwhile, [email])
    await holder.query('commit')
    return await done
  } finally {
    await holder.query('rollback')
    holder.release()
  }
}

/** Everything that proves who the person is. */
const proofs = () =>
  sql(
    `select password_hash, (select count(*)::int from passkey where person_id = p.id) as passkeys,
       (select json_agg(f order by id) from (select id, confirmed_at from second_factor where person_id = p.id) f) as factors,
       (select count(*)::int from staff_session s join membership m on m.id = s.membership_id
        where m.person_id = p.id and s.logged_out_at is null) as sessions,
       (select json_agg(code_hash order by code_hash) from recovery_code where person_id = p.id) as codes
     from person p where email = $1`,
  )

const make = async (device: Authenticator = openAuthenticator(origin)) => {
  const options = (await call('POST', 'passkeys/options')).json as Parameters<Authenticator['make']>[0]
  return { name: 'Telefon', registration: device.make(options) }
}
type Prepared = () => ReturnType<typeof call>
const withApp = async (): Promise<string> => {
  const { secret } = (await call('POST', 'account/second-factor')).json as { secret: string }
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate()
}
const ACTS: readonly [string, () => Promise<Prepared>][] = [
  [
    'adds no passkey',
    async () => {
      const body = await make()
      return () => call('POST', 'passkeys', body)
    },
  ],
  [
    'removes no passkey',
    async () => {
      expect((await call('POST', 'passkeys', await make())).status).toBe(201)
      const [row] = await sql(`select id from passkey where person_id = ${OF_PERSON}`)
      return () => call('DELETE', `passkeys/${row?.id}`)
    },
  ],
  [
    'makes no recovery codes',
    async () => {
      expect((await call('POST', 'passkeys', await make())).status).toBe(201)
      return () => call('POST', 'account/recovery-codes')
    },
  ],
  ['begins no app', async () => () => call('POST', 'account/second-factor')],
  [
    'confirms no app',
    async () => {
      const code = await withApp()
      return () => call('PUT', 'account/second-factor', { code })
    },
  ],
  [
    'switches no app off',
    async () => {
      expect((await call('PUT', 'account/second-factor', { code: await withApp() })).status).toBe(200)
      return () => call('DELETE', 'account/second-factor')
    },
  ],
  [
    'sets no password',
    async () => () =>
      call('PUT', 'account/password', { current: PASSWORD, password: 'Ett annat, längre lösenord 9' }),
  ],
  [
    'signs nobody out',
    async () => {
      await signInStaff(server.product.context, { ...own, role: 'clerk', email })
      return () => call('DELETE', 'account/sessions')
    },
  ],
]

test.each(ACTS)('proof.ended: a session that ends meanwhile %s', async (_, prepare) => {
  const act = await prepare()
  const { authorization } = session
  const hash = createHash('sha256').update(authorization.replace('Bearer ', '')).digest('hex')
  const before = await proofs()
  const told = await whileItWaits(
    act,
    `update staff_session set logged_out_at = now() where token_hash = '\\x${hash}' and $1::text <> ''`,
  )
  expect([told.status, (told.json as { code: string }).code]).toEqual([401, 'not_signed_in'])
  const [was] = before as [{ sessions: number }]
  expect(await proofs()).toEqual([{ ...was, sessions: was.sessions - 1 }])
})

test('proof.ended: a password that becomes another meanwhile sets up no app', async () => {
  await sql('update instance set requires_second_factor = true where $1::text is not null')
  // What the program knows of an instance is five seconds old at most.
  await sleep(5_500)
  // The acts above have left one.
  for (const table of ['passkey', 'second_factor'])
    await sql(`delete from ${table} where person_id = ${OF_PERSON}`)
  const browser = openCookieBrowser(origin)
  const query = new URLSearchParams({
    client_id: 'client-portal',
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: `${origin}/client/`,
    state: 's',
    nonce: 'n',
    code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const asked = await browser('GET', `/oidc/auth?${query.toString()}`)
  const shown = await browser('GET', asked.headers.get('location') ?? '')
  const uid = new URL(shown.headers.get('location') ?? '', origin).searchParams.get('interaction') ?? ''
  const at = `/oidc/interaction/${uid}`
  expect((await browser('POST', at, { json: { email, password: PASSWORD } })).status).toBe(200)
  const begun = await browser('POST', `${at}/second-factor`, { json: {} })
  const { secret } = (await begun.json()) as { secret: string }
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const answer = await whileItWaits(
    () => browser('PUT', `${at}/second-factor`, { json: { code } }),
    `with ended as (delete from oidc_item where payload ->> 'accountId' = ${OF_PERSON}::text)
     update person set password_hash = 'another' where email = $1`,
  )
  expect(((await answer.json()) as { code: string }).code).toBe('sign_in_expired')
  expect(await sql(`select confirmed_at from second_factor where person_id = ${OF_PERSON}`)).toEqual([
    { confirmed_at: null },
  ])
  await sql('update instance set requires_second_factor = null where $1::text is not null')
})
