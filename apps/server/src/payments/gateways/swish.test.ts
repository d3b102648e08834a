/** The Swish gateway against the sandbox, over mutual TLS: what it sends, and how every refusal is read. */
import { dayOf } from '@kvitt/domain/calendar.ts'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { date } from '@kvitt/domain/calendar.ts'
import type { SwishNumber } from '../../../config/config-swish.ts'
import { startSandbox, type RunningSandbox } from '../../../../sandbox/src/sandbox.ts'
import { newEcho, newId } from '../../platform/identity.ts'
import type { PaymentOrder } from './gateway.ts'
import { NO_CREDENTIALS, type Credentials } from '../../credentials/credentials.ts'
import { openSwish } from './swish.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'kvitt-swish-'))
let sandbox: RunningSandbox
let swish: ReturnType<typeof openSwish>

beforeAll(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', port: 0, dataDir, productPort: 1 })
  swish = open()
})
afterAll(async () => {
  await sandbox.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const PAYEE = '1234679304'

const open = ({ numbers = [], ...changes }: { baseUrl?: string; numbers?: SwishNumber[] } = {}) =>
  openSwish({
    baseUrl: `https://localhost:${sandbox.apiPort}/swish-cpcapi`,
    caFile: join(sandbox.certificates, 'ca.pem'),
    numbers: [...numbers, { payeeAlias: PAYEE, providers: 'all', ...certificate('client') }],
    ...changes,
  })

const certificate = (name: 'client' | 'server') => ({
  certificateFile: join(sandbox.certificates, `${name}.pem`),
  keyFile: join(sandbox.certificates, `${name}-key.pem`),
})

const ANOTHERS = '0192f000-0000-7000-8000-00000000000b'
const HERS = '0192f000-0000-7000-8000-00000000000a'
const as = (made: { gatewayPaymentId: string }, payeeAccount = PAYEE, instanceId = HERS) => ({
  ...made,
  payeeAccount,
  instanceId,
})

const order = (changes: Partial<PaymentOrder> = {}): PaymentOrder => ({
  instanceId: HERS,
  paymentId: newId(Date.now()),
  amountMinor: 84_205,
  currency: 'SEK',
  executionDate: date('2026-11-20'),
  isFutureDated: false,
  payee: { name: 'Fjällström Demo Energi AB', scheme: 'SWISH', account: PAYEE },
  paymentReference: '26010131492',
  redirectUri: 'https://kvitt.example/#/sv/confirmation',
  callbackUrl: 'https://kvitt.example/api/callbacks/swish/secret',
  callbackIdentifier: newEcho(),
  payerAddress: '127.0.0.1',
  payerPhone: undefined,
  ...changes,
})

async function control(path: string, body: object = {}): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${sandbox.port}/control/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
}

test('created, read, paid', async () => {
  const asked = order()
  const made = await swish.createPayment(asked)
  expect(made.gatewayPaymentId).toBe(swish.idOf?.(asked.paymentId))
  expect(made.externalLink).toMatch(
    /^swish:\/\/paymentrequest\?token=[0-9a-f]{32}&callbackurl=https%3A%2F%2Fkvitt\.example%2F%23%2Fsv%2Fconfirmation$/,
  )
  expect(await swish.readPayment(as(made))).toEqual({
    status: 'IN_PROGRESS',
    amountMinor: 84_205,
    currency: 'SEK',
    payeeAccount: '1234679304',
    paymentId: asked.paymentId,
    reported: 'CREATED',
    isOutcomeUnknown: false,
  })
  await control(`orders/${made.gatewayPaymentId}/approve`)
  expect(await swish.readPayment(as(made))).toMatchObject({
    status: 'COMPLETED',
    reported: 'PAID',
    executedOn: dayOf(Date.now(), 'Europe/Stockholm'),
  })
  expect(await swish.cancelPayment(as(made))).toBe('too-late')
})

test('cancelled once; unknown ids are said to be unknown', async () => {
  const made = await swish.createPayment(order())
  expect(await swish.cancelPayment(as(made))).toBe('cancelled')
  expect(await swish.cancelPayment(as(made))).toBe('too-late')
  expect(await swish.readPayment(as(made))).toMatchObject({ status: 'FAILED', reported: 'CANCELLED' })
  const unknown = { gatewayPaymentId: 'A'.repeat(32) }
  expect(await swish.readPayment(as(unknown))).toBeUndefined()
  expect(await swish.cancelPayment(as(unknown))).toBe('too-late')
})

test('a phone that is asked by its number has no link', async () => {
  const made = await swish.createPayment(order({ payerPhone: '070-123 45 67' }))
  expect(made.externalLink).toBeNull()
  await expect(swish.createPayment(order({ payerPhone: '+46701234567' }))).rejects.toMatchObject({
    name: 'GatewayRefused',
    code: 'payer_has_open_request',
  })
  await expect(swish.createPayment(order({ payerPhone: 'a friend' }))).rejects.toMatchObject({
    name: 'GatewayRefused',
    code: 'payer_phone_invalid',
  })
})

// The sandbox, like Swish's own simulator, refuses with the code that the message names.
test.each([
  ['FF08', undefined],
  ['BE18', 'payer_phone_invalid'],
  ['RP03', undefined],
  ['PA02', undefined],
  ['AM06', undefined],
  ['AM02', undefined],
  ['AM03', undefined],
  ['RP01', undefined],
  ['RP06', 'payer_has_open_request'],
  ['ACMT03', 'payer_not_enrolled'],
  ['ACMT01', undefined],
  ['ACMT07', undefined],
])('refused with %s: nothing was made, and the payer hears %s', async (message, code) => {
  const refused = await swish.createPayment(order({ paymentReference: message })).catch((e: unknown) => e)
  expect(refused).toMatchObject({ name: 'GatewayRefused', code })
  expect((refused as Error).message).toContain(message)
})

test('the same payment twice is not made twice', async () => {
  const asked = order()
  await swish.createPayment(asked)
  await expect(swish.createPayment(asked)).rejects.toMatchObject({ name: 'GatewayUnavailable' })
})

test('no client certificate of theirs, no answer; nobody there, no answer', async () => {
  const stranger = { payeeAlias: '1231181189', providers: ['fjellklar'], ...certificate('server') }
  const two = open({ numbers: [stranger] })
  const reference = { gatewayPaymentId: 'A'.repeat(32) }
  await expect(two.readPayment(as(reference, '1231181189'))).rejects.toMatchObject({
    name: 'GatewayUnavailable',
  })
  // The other number has its own certificate; one that is not set here any more has none.
  expect(await two.readPayment(as(reference))).toBeUndefined()
  await expect(two.readPayment(as(reference, '1239876543'))).rejects.toThrow(
    'no settings of the Swish number',
  )
  const nobody = open({ baseUrl: 'https://localhost:1/swish-cpcapi' })
  await expect(nobody.createPayment(order())).rejects.toMatchObject({ name: 'GatewayUnavailable' })
})

test('money goes back once for an id', async () => {
  const made = await swish.createPayment(order({ amountMinor: 10_000 }))
  const refund = {
    instanceId: HERS,
    refundId: newId(Date.now()),
    gatewayPaymentId: made.gatewayPaymentId,
    payeeAccount: PAYEE,
    amountMinor: 6_000,
    currency: 'SEK',
    callbackUrl: 'https://kvitt.example/api/callbacks/refund/secret',
    paymentReference: '260101314920',
  } as const
  await expect(swish.refunds.create(refund)).rejects.toThrow('no such payment that was paid')
  await control(`orders/${made.gatewayPaymentId}/approve`)
  expect(await swish.refunds.read(refund)).toBeUndefined()
  await swish.refunds.create(refund)
  await swish.refunds.create(refund)
  await expect(swish.refunds.create({ ...refund, refundId: newId(Date.now()) })).rejects.toThrow(/RF08/)
  await expect
    .poll(() => swish.refunds.read(refund), { timeout: 5_000 })
    .toEqual({ status: 'PAID', amountMinor: 6_000, currency: 'SEK', reported: 'PAID' })
})

test('a provider is paid to the number that is its own, else to the one for all', () => {
  const own: SwishNumber = { payeeAlias: '1231181189', providers: ['fjellklar'], ...certificate('client') }
  const provider = (alias: string, isDefault: boolean) => ({
    row: { url_alias: alias },
    isDefault,
    mode: 'live' as const,
  })
  const two = open({ numbers: [own] })
  expect(two.payeeOf(provider('Fjellklar', false))).toEqual({ scheme: 'SWISH', account: '1231181189' })
  expect(two.payeeOf(provider('nordklar', true))).toEqual({ scheme: 'SWISH', account: PAYEE })
  const alone = openSwish({ baseUrl: 'https://localhost:1', caFile: '', numbers: [own] })
  expect(alone.payeeOf(provider('nordklar', true))).toBeUndefined()
})

test('a number that a provider has entered comes before the settings, and a former one stays for its payments', async () => {
  const pem = {
    certificate: readFileSync(certificate('client').certificateFile, 'utf8'),
    key: readFileSync(certificate('client').keyFile, 'utf8'),
  }
  const kept = (number: string, isCurrent: boolean) => ({
    instanceId: HERS,
    alias: 'fjellklar',
    isCurrent,
    version: number,
    credential: { kind: 'SWISH' as const, number, ...pem },
  })
  const all = [kept('1231181189', true), kept(PAYEE, false)]
  const credentials: Credentials = {
    ...NO_CREDENTIALS,
    all: (kind) => (kind === 'SWISH' ? all : []) as never,
    of: (kind, alias) => (kind === 'SWISH' && alias === 'Fjellklar' ? all[0] : undefined) as never,
  }
  const config = {
    baseUrl: `https://localhost:${sandbox.apiPort}/swish-cpcapi`,
    caFile: join(sandbox.certificates, 'ca.pem'),
    numbers: [],
  }
  const own = openSwish(config, credentials)
  const provider = (alias: string) => ({ row: { url_alias: alias }, isDefault: false, mode: 'live' as const })
  expect(own.payeeOf(provider('Fjellklar'))).toEqual({ scheme: 'SWISH', account: '1231181189' })
  expect(own.payeeOf(provider('nordklar'))).toBeUndefined()
  // The sandbox's only number is the former one here: its payment is made and read with its own certificate.
  const made = await own.createPayment(order())
  expect(await own.readPayment(as(made))).toMatchObject({ payeeAccount: PAYEE })
  // Another provider's payments to that number are not this one's business, whoever has entered it.
  await expect(own.readPayment(as(made, PAYEE, ANOTHERS))).rejects.toThrow(/no settings of the Swish number/)
  const none = openSwish(config)
  await expect(none.readPayment(as(made))).rejects.toThrow(/no settings of the Swish number/)
})

test('who enters the number of the settings shows its certificate for its own payments alone', async () => {
  const wrong = {
    certificate: readFileSync(certificate('server').certificateFile, 'utf8'),
    key: readFileSync(certificate('server').keyFile, 'utf8'),
  }
  const entered = {
    instanceId: ANOTHERS,
    alias: 'fjellklar',
    isCurrent: true,
    version: '1',
    credential: { kind: 'SWISH' as const, number: PAYEE, ...wrong },
  }
  const both = openSwish(
    {
      baseUrl: `https://localhost:${sandbox.apiPort}/swish-cpcapi`,
      caFile: join(sandbox.certificates, 'ca.pem'),
      numbers: [{ payeeAlias: PAYEE, providers: 'default', ...certificate('client') }],
    },
    { ...NO_CREDENTIALS, all: () => [entered] as never, of: () => entered as never },
  )
  const made = await both.createPayment(order())
  expect(await both.readPayment(as(made))).toMatchObject({ payeeAccount: PAYEE })
  await expect(both.createPayment(order({ instanceId: ANOTHERS }))).rejects.toMatchObject({
    name: 'GatewayUnavailable',
  })
})
