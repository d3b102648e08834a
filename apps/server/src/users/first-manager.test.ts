/** The first of the operator's people, without whom nobody could come to the portal of an installation that is no demo. */
import { beforeEach, expect, test } from 'vitest'
import { buildInstance } from '../testing/build.ts'
import { runHere, urlOf } from '../testing/run-program.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let count = 0
let at: { readonly id: string; readonly alias: string }
beforeEach(async () => {
  server ??= await startTestServer()
  count += 1
  const alias = `first${count}`
  at = { id: (await buildInstance(server.test, { alias, isDefault: false })).id, alias }
})

const run = (email: string, name = 'Anna Först') =>
  runHere('first-manager-cli', ['--provider', at.alias, '--email', email, '--name', name, '--by', 'bertil'], {
    DATABASE_URL: urlOf(server.test),
  })
const linkIn = (stdout: string): string =>
  new URL(/https?:\/\/\S+/.exec(stdout)?.[0] ?? 'http://none/').pathname
const choose = async (path: string): Promise<number> => {
  const form = new URLSearchParams({ password: 'Gran havre lykta 42' })
  const { host } = (
    await server.test.owner.query<{ host: string }>(
      `select url_alias || '.' || url_domain as host from instance where id = $1`,
      [at.id],
    )
  ).rows[0] ?? { host: '' }
  const answer = await server.product.app.inject({
    method: 'POST',
    url: path,
    headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
    payload: form.toString(),
  })
  return answer.statusCode
}
const people = async () =>
  (
    await server.test.owner.query(
      `select p.email, m.role, m.ended_at is not null as ended, p.password_hash is not null as has_password
       from membership m join person p on p.id = m.person_id where m.instance_id = $1 and m.creditor_id is null order by m.created_at, p.email`,
      [at.id],
    )
  ).rows

test('is invited, chooses a password, and is the manager: nobody is invited so any more', async () => {
  const ended = await run('Anna@Example.com')
  expect([ended.status, ended.stderr]).toEqual([0, ''])
  const mails = await server.test.owner.query(
    `select recipient, kind from mail_outbox where instance_id = $1`,
    [at.id],
  )
  expect(mails.rows).toEqual([{ recipient: 'anna@example.com', kind: 'staff_invited' }])
  await expect.poll(() => choose(linkIn(ended.stdout)), { timeout: 8_000, interval: 500 }).toBe(303)
  expect(await people()).toEqual([
    { email: 'anna@example.com', role: 'manager', ended: false, has_password: true },
  ])
  const again = await run('other@example.com')
  expect([again.status, again.stdout]).toEqual([2, ''])
  expect(again.stderr).toContain('has a manager already')
  expect(await people()).toHaveLength(1)
  const deeds = await server.test.owner.query(
    `select kind, actor from audit_event where instance_id = $1 and kind like 'user_%'`,
    [at.id],
  )
  expect(deeds.rows).toEqual([{ kind: 'user_invited', actor: expect.stringContaining('bertil') }])
})

test('who never came is replaced, and the link that they had is worth nothing', async () => {
  const wrong = await run('mistyped@example.com')
  const right = await run('anna.two@example.com')
  expect([wrong.status, right.status]).toEqual([0, 0])
  expect(await people()).toMatchObject([
    { email: 'mistyped@example.com', ended: true },
    { email: 'anna.two@example.com', ended: false },
  ])
  await expect.poll(() => choose(linkIn(right.stdout)), { timeout: 8_000, interval: 500 }).toBe(303)
  expect(await choose(linkIn(wrong.stdout))).toBeGreaterThanOrEqual(400)
})

test('the same address twice is one manager, and the last link holds', async () => {
  await run('anna.three@example.com')
  const last = await run('anna.three@example.com')
  await expect.poll(() => choose(linkIn(last.stdout)), { timeout: 8_000, interval: 500 }).toBe(303)
  expect((await people()).filter(({ ended }) => !ended)).toHaveLength(1)
})

test.each([
  [['--email', 'anna@example.com'], 'Say who with --email and --name.'],
  [['--email', 'anna', '--name', 'Anna'], '"anna" is no e-mail address.'],
  [['--email', 'a@b.example', '--name', 'x'.repeat(101)], 'The name is longer than 100 characters.'],
])('%j is refused in words, and nothing is done', async (args, sentence) => {
  const ended = await runHere('first-manager-cli', ['--provider', at.alias, ...args], {
    DATABASE_URL: urlOf(server.test),
  })
  expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining(sentence)])
  expect(await people()).toEqual([])
})
