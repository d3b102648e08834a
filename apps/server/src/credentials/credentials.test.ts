/** What a provider shows its counterparties: entered, used, changed, lost, and told to nobody. */
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ensureCertificates } from '../../../sandbox/src/certificates.ts'
import { buildInstance, testClock } from '../testing/build.ts'
import { closeAfterwards } from '../testing/close-afterwards.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import { CredentialRefused, type Credential } from './credential.ts'
import {
  addSettingsKey,
  forgetKey,
  keepCredential,
  listCredentials,
  openCredentials,
  removeCredential,
  rotateKey,
} from './credentials.ts'
import { readKeyRing } from './key-ring.ts'

let test1: TestDatabase
let nordklar: string
let fjellklar: string
let keyFile: string
let pair: { certificate: string; key: string }
let otherPair: { certificate: string; key: string }
const clock = testClock()
const folder = mkdtempSync(join(tmpdir(), 'kvitt-credentials-'))
closeAfterwards(() => rmSync(folder, { recursive: true, force: true }))
const NUMBER = '1231181189'
const OTHER_NUMBER = '1234567890'
let files = 0
const errors: unknown[] = []
const log = { error: (found: unknown) => errors.push(found) }

beforeAll(async () => {
  test1 = await testDatabase()
  nordklar = (await buildInstance(test1)).id
  fjellklar = (await buildInstance(test1, { alias: 'Fjellklar', isDefault: false })).id
  const made = await ensureCertificates(join(folder, 'certificates'), clock.now())
  pair = { certificate: made['client.pem'], key: made['client-key.pem'] }
  otherPair = { certificate: made['server.pem'], key: made['server-key.pem'] }
})
beforeEach(async () => {
  files += 1
  keyFile = join(folder, `${files}`, 'settings.key')
  errors.length = 0
  await test1.owner.query('delete from credential')
})

const context = () => ({ db: test1.db, clock, keyFile })
const by = 'person:Eva Berg'
const keep = (instanceId: string, one: Credential) => keepCredential(context(), { instanceId, by }, one)
const swish = (number = NUMBER, files = pair): Credential => ({ kind: 'SWISH', number, ...files })
const open = () => openCredentials(test1.db, keyFile, log)

test('each provider has its own, and one that has none has nothing', async () => {
  await keep(fjellklar, swish())
  await keep(fjellklar, { kind: 'DIGITAL_MAILBOX', tenant: '5a17d0b0c0de' })
  const credentials = await open()
  expect(credentials.of('SWISH', 'fjellKLAR')?.credential).toEqual(swish())
  expect(credentials.of('DIGITAL_MAILBOX', 'fjellklar')?.credential.tenant).toBe('5a17d0b0c0de')
  expect(credentials.of('BANKID', 'fjellklar')).toBeUndefined()
  expect(credentials.of('SWISH', 'nordklar')).toBeUndefined()
})

test('the database holds nothing that can be read, and neither does the audit log or a list', async () => {
  await keep(nordklar, { kind: 'BANKID', ...pair })
  await keep(nordklar, swish())
  const secret = pair.key.split('\n')[1] ?? ''
  expect(secret.length).toBeGreaterThan(30)
  const { rows } = await test1.owner.query(
    `select c::text as text, encode(sealed, 'escape') as sealed from credential c
     union all select a::text, '' from audit_event a`,
  )
  expect(rows.length).toBeGreaterThan(3)
  for (const text of [
    JSON.stringify(rows),
    JSON.stringify(await listCredentials(test1.db, keyFile, nordklar)),
  ]) {
    expect(text).not.toContain(secret)
    expect(text).not.toContain('PRIVATE KEY')
  }
  expect(JSON.stringify(rows)).toContain('credentials_changed')
})

test('a change is used after the next look, and the number that was there before stays for its payments', async () => {
  await keep(nordklar, swish())
  const credentials = await open()
  await keep(nordklar, swish(OTHER_NUMBER, otherPair))
  expect(credentials.of('SWISH', 'nordklar')?.credential.number).toBe(NUMBER)
  await credentials.refresh()
  expect(credentials.of('SWISH', 'nordklar')?.credential).toEqual(swish(OTHER_NUMBER, otherPair))
  expect(credentials.all('SWISH').map(({ credential, isCurrent }) => [credential.number, isCurrent])).toEqual(
    [
      [OTHER_NUMBER, true],
      [NUMBER, false],
    ],
  )
  // And back again.
  await keep(nordklar, swish())
  await credentials.refresh()
  expect(credentials.of('SWISH', 'nordklar')?.credential.number).toBe(NUMBER)
  expect(credentials.all('SWISH')).toHaveLength(2)
})

test('the same again changes nothing; two at once leave one current', async () => {
  expect(await keep(nordklar, swish())).toBe(true)
  expect(await keep(nordklar, swish())).toBe(false)
  const both = await Promise.all([keep(nordklar, swish(OTHER_NUMBER)), keep(nordklar, swish(OTHER_NUMBER))])
  expect(both.toSorted((a, b) => Number(a) - Number(b))).toEqual([false, true])
  const listed = await listCredentials(test1.db, keyFile, nordklar)
  expect(listed.filter(({ isCurrent }) => isCurrent).map(({ account }) => account)).toEqual([OTHER_NUMBER])
})

test.each([
  ['a number that is none', () => swish('12 34'), /8 to 15 digits/],
  [
    'a key of another certificate',
    () => swish(NUMBER, { ...pair, key: otherPair.key }),
    /not the one of the certificate/,
  ],
  ['no certificate', () => swish(NUMBER, { ...pair, certificate: 'hello' }), /no PEM certificate/],
  ['no key', () => swish(NUMBER, { ...pair, key: pair.certificate }), /no PEM key/],
  [
    'a tenant key that is none',
    (): Credential => ({ kind: 'DIGITAL_MAILBOX', tenant: '../x' }),
    /letters and digits/,
  ],
  ['an address that is none', (): Credential => ({ kind: 'ELECTRONIC_INVOICE', address: 'x' }), /0007:/],
])('%s is refused, and nothing changes', async (_, make, sentence) => {
  await expect(keep(nordklar, make())).rejects.toThrow(CredentialRefused)
  await expect(keep(nordklar, make())).rejects.toThrow(sentence)
  expect(await listCredentials(test1.db, keyFile, nordklar)).toEqual([])
})

test('a certificate that is over is refused', async () => {
  const later = { now: () => clock.now() + 20 * 365 * 86_400_000 }
  const parts = { ...context(), clock: { ...clock, ...later } }
  await expect(keepCredential(parts, { instanceId: nordklar, by }, swish())).rejects.toThrow(/valid until/)
})

test('a restore without the key says so, and so does the next change; removing needs no key', async () => {
  await keep(nordklar, swish())
  const lost = `${keyFile}.lost`
  renameSync(keyFile, lost)
  await expect(open()).rejects.toThrow(
    /provider .* shows Swish is encrypted with the key [0-9a-f]{8}, which .* does not have/,
  )
  await expect(keep(nordklar, swish(OTHER_NUMBER))).rejects.toThrow(/does not have/)
  // No second key came into being beside the lost one.
  expect(readKeyRing(keyFile).ids).toEqual([])
  expect((await listCredentials(test1.db, keyFile, nordklar))[0]).toMatchObject({
    isReadable: false,
    account: NUMBER,
  })
  expect(await removeCredential(context(), { instanceId: nordklar, by, kind: 'SWISH' })).toBe(true)
  expect(await removeCredential(context(), { instanceId: nordklar, by, kind: 'SWISH' })).toBe(false)
  expect((await open()).of('SWISH', 'nordklar')).toBeUndefined()
})

test('a running program goes on with what it has read when the key goes away or the rows are changed', async () => {
  await keep(nordklar, swish())
  const credentials = await open()
  await test1.owner.query(
    `update credential set sealed = set_byte(sealed, 30, 255 - get_byte(sealed, 30)), version = gen_random_uuid()`,
  )
  await credentials.refresh()
  expect(credentials.of('SWISH', 'nordklar')?.credential).toEqual(swish())
  expect(errors).toHaveLength(1)
})

test('what is moved to another provider does not open', async () => {
  await keep(nordklar, swish())
  await test1.owner.query('update credential set instance_id = $1', [fjellklar])
  await expect(open()).rejects.toThrow(/unable to authenticate/)
})

test('a Swish number is one provider’s, also when it is a former one', async () => {
  await keep(nordklar, swish())
  await expect(keep(fjellklar, swish(NUMBER, otherPair))).rejects.toThrow(CredentialRefused)
  await keep(nordklar, swish(OTHER_NUMBER, otherPair))
  await expect(keep(fjellklar, swish(NUMBER, otherPair))).rejects.toThrow(/1231181189 is a former one of/)
  expect(await listCredentials(test1.db, keyFile, fjellklar)).toEqual([])
  await removeCredential(context(), { instanceId: nordklar, by, kind: 'SWISH', account: NUMBER })
  expect(await keep(fjellklar, swish(NUMBER, otherPair))).toBe(true)
})

test('a key is added after whoever changes credentials at that moment', async () => {
  const other = await test1.owner.connect()
  await other.query('begin')
  await other.query('lock table credential in share row exclusive mode')
  const adding = addSettingsKey(context())
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(readKeyRing(keyFile).ids).toEqual([])
  await other.query('rollback')
  other.release()
  const added = await adding
  expect(readKeyRing(keyFile).ids).toEqual([added])
})

test('rotating encrypts all of it anew, with the key that was added or a new one, and a host that has read it goes on', async () => {
  await keep(nordklar, swish())
  await keep(fjellklar, { kind: 'ELECTRONIC_INVOICE', address: '0007:5599990016' })
  const credentials = await open()
  const [first = ''] = readKeyRing(keyFile).ids
  const added = await addSettingsKey(context())
  expect(await rotateKey(context())).toEqual({ keyId: added, count: 2 })
  await credentials.refresh()
  expect(errors).toEqual([])
  expect((await open()).of('SWISH', 'nordklar')?.credential).toEqual(swish())
  await expect(forgetKey(context(), added)).rejects.toThrow(/2 credentials are encrypted/)
  await expect(forgetKey(context(), 'ffffffff')).rejects.toThrow(/has no key ffffffff/)
  await forgetKey(context(), first)
  expect(readKeyRing(keyFile).ids).toEqual([added])
  // Again: everything is encrypted with the last key, so there is a new one.
  const again = await rotateKey(context())
  expect(again.keyId).not.toBe(added)
  expect((await open()).of('ELECTRONIC_INVOICE', 'Fjellklar')?.credential.address).toBe('0007:5599990016')
  expect(readFileSync(keyFile, 'utf8').split('\n')).toHaveLength(3)
})

test('one that cannot be read keeps no other from being changed, and nothing takes its place', async () => {
  await keep(nordklar, swish())
  const credentials = await open()
  await keep(fjellklar, { kind: 'DIGITAL_MAILBOX', tenant: '5a17d0b0c0de' })
  await test1.owner.query(
    `update credential set sealed = set_byte(sealed, 30, 255 - get_byte(sealed, 30)) where instance_id = $1`,
    [fjellklar],
  )
  await keep(nordklar, swish(OTHER_NUMBER))
  await credentials.refresh()
  expect(credentials.of('SWISH', 'nordklar')?.credential.number).toBe(OTHER_NUMBER)
  expect(credentials.of('DIGITAL_MAILBOX', 'fjellklar')).toBeUndefined()
  expect(credentials.isUnreadable('DIGITAL_MAILBOX', 'Fjellklar')).toBe(true)
  expect(credentials.isUnreadable('SWISH', 'nordklar')).toBe(false)
  expect(errors).toHaveLength(1)
  await removeCredential(context(), { instanceId: fjellklar, by, kind: 'DIGITAL_MAILBOX' })
  await credentials.refresh()
  expect(credentials.isUnreadable('DIGITAL_MAILBOX', 'fjellklar')).toBe(false)
})
