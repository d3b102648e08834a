/**
 * Each gateway, format and country, in each order: the money of one payment is in the books once, the gateway's clearing account
 * is at zero, and the bank's has what the statement says.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addAddress, chooseOwnAccount } from '../creditors/creditors.ts'
import { castBgMax } from '../demo/cast-bgmax.ts'
import { recordPaymentResult } from '../payments/payments.ts'
import { camt, ocrGiro, type CamtReport } from '../testing/files/bank-formats.ts'
import { context, one, rows, server, takeFiles, useBankFiles } from '../testing/files/bank-files.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'

useBankFiles()

const MINOR = 84_200
const BANKGIRO = '9990-0110'
const SE_IBAN = 'SE4550000000058398257466'
let serial = 0

beforeAll(async () => {
  const ctx = { db: server.test.db, clock: server.clock }
  const { instanceId } = server
  const receiver = { by: 'person:anna', receiver: 'Nordklar AB', bank: undefined, bic: undefined }
  const enter = (form: 'iban' | 'bankgiro', number: string, currency: string) =>
    chooseOwnAccount(ctx, instanceId, { form, number, currency, ...receiver })
  await enter('bankgiro', BANKGIRO, 'SEK')
  await enter('iban', 'NO9799990000111', 'NOK')
  await enter('iban', 'DK4499990000000110', 'DKK')
  await enter('iban', 'FI0599990000000111', 'EUR')
  for (const [kind, number] of [
    ['IBAN', SE_IBAN],
    ['SWISH', '1234679304'],
  ] as const)
    await addAddress(ctx, instanceId, {
      of: BANKGIRO,
      wanted: { kind, number, country: 'SE' },
      by: 'person:anna',
    })
})
beforeEach(() => server.control('DELETE', '/control/faults'))

type Currency = 'SEK' | 'NOK' | 'DKK' | 'EUR'
type Format = (references: readonly string[], amounts: readonly number[], file: number) => string
const paymentsOf = (references: readonly string[], amounts: readonly number[]) =>
  references.map((reference, index) => ({ reference, amountMinor: amounts[index] ?? 0 }))

const asCamt =
  (currency: Currency, account: CamtReport['account'], message: '053' | '054' = '053'): Format =>
  (references, amounts, file) =>
    camt({
      account,
      message,
      serial: file,
      entries: paymentsOf(references, amounts).map((paid) => ({
        ...paid,
        currency,
        day: TODAY,
        bankId: `B${paid.reference}`,
      })),
    })
const asBgMax: Format = (references, amounts, file) =>
  castBgMax({
    bankgiro: BANKGIRO,
    day: TODAY,
    serial: Number(references[0]?.slice(-5)),
    payments: paymentsOf(references, amounts),
  }).replace('120000000000', digitsOf(file, 12))
const asOcrGiro: Format = (references, amounts, file) =>
  ocrGiro({
    account: '99990000111',
    day: TODAY,
    serial: Number(references[0]?.slice(-6)),
    payments: paymentsOf(references, amounts),
  }).replace('NY00001000008080', `NY000010${digitsOf(file, 8)}`)
const digitsOf = (value: number, width: number) => String(value).padStart(width, '0')

type Case = { name: string; gateway: 'DIRECT_BANK' | 'SWISH'; currency: Currency; format: Format }
const of = (gateway: Case['gateway'], currency: Currency, name: string, format: Format): Case => ({
  name: `${gateway} ${currency} ${name}`,
  gateway,
  currency,
  format,
})
const CASES: Case[] = [
  ...(['DIRECT_BANK', 'SWISH'] as const).flatMap((gateway) => [
    of(gateway, 'SEK', 'BgMax', asBgMax),
    of(gateway, 'SEK', 'camt.053 by IBAN', asCamt('SEK', { iban: SE_IBAN })),
    of(gateway, 'SEK', 'camt.054 by bankgiro', asCamt('SEK', { other: '99900110' }, '054')),
  ]),
  of('DIRECT_BANK', 'NOK', 'OCR giro', asOcrGiro),
  of('DIRECT_BANK', 'NOK', 'camt.053 by IBAN', asCamt('NOK', { iban: 'NO9799990000111' })),
  of('DIRECT_BANK', 'NOK', 'camt.053 by 11 digits', asCamt('NOK', { other: '9999.00.00111' })),
  of('DIRECT_BANK', 'DKK', 'camt.053 by IBAN', asCamt('DKK', { iban: 'DK4499990000000110' })),
  of('DIRECT_BANK', 'DKK', 'camt.054 by Othr/Id', asCamt('DKK', { other: '99990000000110' }, '054')),
  of('DIRECT_BANK', 'EUR', 'camt.053 by IBAN', asCamt('EUR', { iban: 'FI0599990000000111' })),
]

type Paying = { readonly invoice: BuiltInvoice; readonly paymentId: string }

/** A payment that the payer has approved at its gateway, which has told nobody yet. */
async function pay(
  { gateway, currency }: Pick<Case, 'gateway' | 'currency'>,
  totalMinor = MINOR,
): Promise<Paying> {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, {
    currency,
    totalMinor,
    hasAccount: false,
  })
  const target = gateway === 'SWISH' ? 'mobile' : 'bank'
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`
  const { status } = await server.call('POST', path, {
    body: {
      amount: (totalMinor / 100).toFixed(2),
      redirectUri: `${server.origin}/`,
      serviceProviderCode: gateway,
      ...(gateway === 'SWISH' ? { test: false } : { paymentDate: TODAY }),
    },
  })
  expect(status).toBe(201)
  await server.control('POST', '/control/faults', { target, fault: 'drop-callback', times: 50 })
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders?all=true')
  const order = orders.find(({ reference }) => reference === invoice.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`)
  if (gateway === 'DIRECT_BANK') await server.control('POST', '/control/settle', {})
  const { id } = await one<{ id: string }>('select id from payment where invoice_id = $1', invoice.id)
  return { invoice, paymentId: id }
}

const tell = ({ paymentId }: Paying) =>
  recordPaymentResult(server.product.context, { instance_id: server.instanceId, id: paymentId }, 'sweep')
const take = async (text: string) => (await takeFiles(text)).map(({ outcome, reason }) => reason ?? outcome)

/** What stands on the accounts of a currency that must come out even, in minor units. */
async function standing(currency: Currency) {
  return one<{ gateways: number; bank: number; suspense: number; credit: number }>(
    `select coalesce(sum(balance_minor) filter (where kind = 'clearing' and gateway in ('DIRECT_BANK', 'SWISH')), 0)::int as gateways,
       coalesce(sum(balance_minor) filter (where kind = 'clearing' and gateway = 'BANK_FILE'), 0)::int as bank,
       coalesce(sum(balance_minor) filter (where kind = 'suspense'), 0)::int as suspense,
       coalesce(sum(balance_minor) filter (where kind = 'credit'), 0)::int as credit
     from ledger_account where currency = $1`,
    currency,
  )
}
const closed = async ({ invoice }: Paying) =>
  (await one<{ status: string }>('select status from invoice where id = $1', invoice.id)).status

const ORDERS: Record<string, (paying: Paying, file: () => string) => Promise<unknown>> = {
  'gateway first': async (paying, file) => [await tell(paying), await take(file())],
  'file first': async (paying, file) => [await take(file()), await tell(paying)],
  'both at once': (paying, file) => Promise.all([tell(paying), take(file())]),
  'file twice': async (paying, file) => [await take(file()), await tell(paying), await take(file())],
}

describe.each(CASES)('$name', (wanted) => {
  test.each(Object.keys(ORDERS))('%s: booked once', async (order) => {
    const before = await standing(wanted.currency)
    const paying = await pay(wanted)
    await ORDERS[order]?.(paying, () => wanted.format([paying.invoice.reference], [MINOR], (serial += 1)))
    expect(await closed(paying)).toBe('CLOSED')
    expect(await standing(wanted.currency)).toEqual({ ...before, bank: before.bank + MINOR })
  })
})

/** The bank's own sum of a deposit, in the statement of the account. */
const asSum = (currency: Currency, iban: string, amountMinor: number) =>
  camt({
    account: { iban },
    serial: (serial += 1),
    entries: [{ amountMinor, currency, day: TODAY, bankId: `SUM${serial}` }],
  })

describe.each([
  ['BgMax', 'SEK', SE_IBAN, asBgMax],
  ['OCR giro', 'NOK', 'NO9799990000111', asOcrGiro],
] as const)('%s beside the camt.053 of the same account', (_, currency, iban, format) => {
  const two = async () => {
    const paid = await pay({ gateway: 'DIRECT_BANK', currency })
    const transferred = await buildInvoice(server.test, server.instanceId, server.clock, {
      currency,
      totalMinor: 50_000,
      hasAccount: false,
    })
    const references = [paid.invoice.reference, transferred.reference]
    const lines = (of: Format) => of(references, [MINOR, 50_000], (serial += 1))
    return { paid, transferred, lines }
  }
  test.each(['lines first', 'statement first'])('told line by line in both, %s', async (order) => {
    const before = await standing(currency)
    const { paid, transferred, lines } = await two()
    const texts = [lines(format), lines(asCamt(currency, { iban }))]
    if (order === 'statement first') texts.reverse()
    for (const text of texts) await take(text)
    await tell(paid)
    expect([await closed(paid), await closed({ invoice: transferred, paymentId: '' })]).toEqual([
      'CLOSED',
      'CLOSED',
    ])
    expect(await standing(currency)).toEqual({ ...before, bank: before.bank + MINOR + 50_000 })
  })
  test.each(['lines first', 'statement first', 'at once'])(
    'told as one sum in the statement, %s',
    async (order) => {
      const before = await standing(currency)
      const { paid, transferred, lines } = await two()
      await tell(paid)
      const [first, second] = [lines(format), asSum(currency, iban, MINOR + 50_000)]
      if (order === 'lines first')
        expect([await take(first), await take(second)].flat()).toEqual(['known', 'booked', 'repeated'])
      if (order === 'statement first')
        expect([await take(second), await take(first)].flat()).toEqual(['no_reference', 'known', 'booked'])
      if (order === 'at once') await Promise.all([take(first), take(second)])
      expect(await closed({ invoice: transferred, paymentId: '' })).toBe('CLOSED')
      expect(await standing(currency)).toEqual({ ...before, bank: before.bank + MINOR + 50_000 })
      expect(await rows(`select from task where kind = 'bank_line' and done_at is null`)).toEqual([])
    },
  )
  test('a sum that a person had placed is not booked again by its lines: they wait for a person', async () => {
    const { placeSuspense } = await import('./bank-files.ts')
    const { paid, transferred, lines } = await two()
    await tell(paid)
    await take(asSum(currency, iban, MINOR + 50_000))
    const { id } = await one<{ id: string }>(
      `select id from bank_line where status = 'SUSPENSE' order by id desc limit 1`,
    )
    await placeSuspense(context(), {
      instanceId: server.instanceId,
      by: 'person:anna',
      lineId: id,
      to: { kind: 'invoice', name: transferred.number },
    })
    expect(await take(lines(format))).toEqual(['told_otherwise', 'told_otherwise'])
    await server.test.owner.query(`update task set done_at = now() where kind = 'bank_line'`)
  })
})

describe('Swish money as one sum a day', () => {
  const sum = (amountMinor: number, wishes: object = {}) =>
    camt({
      account: { iban: SE_IBAN },
      serial: (serial += 1),
      entries: [
        { amountMinor, currency: 'SEK', day: TODAY, bankId: `SWISH${serial}`, message: 'Swish', ...wishes },
      ],
    })
  const day = async () => {
    await rows(`update payment set execution_date = execution_date - 30 where gateway = 'SWISH'`)
    return [
      await pay({ gateway: 'SWISH', currency: 'SEK' }),
      await pay({ gateway: 'SWISH', currency: 'SEK' }, 31_500),
    ]
  }
  const TOTAL = MINOR + 31_500
  test.each(['gateway first', 'file first', 'in between', 'at once', 'file twice'])(
    '%s: booked once',
    async (order) => {
      const paying = await day()
      const before = await standing('SEK')
      const [first, second] = paying as [Paying, Paying]
      const text = sum(TOTAL)
      if (order === 'gateway first') {
        await tell(first)
        await tell(second)
        expect(await take(text)).toEqual(['known'])
      }
      if (order === 'file first') {
        expect(await take(text)).toEqual(['no_reference'])
        await tell(first)
        await tell(second)
      }
      if (order === 'in between') {
        await tell(first)
        expect(await take(text)).toEqual(['no_reference'])
        await tell(second)
      }
      if (order === 'at once') {
        expect(await take(text)).toEqual(['no_reference'])
        await Promise.all(paying.map(tell))
      }
      if (order === 'file twice') {
        await take(text)
        await tell(first)
        await tell(second)
        await take(text.replace('<MsgId>', '<MsgId>A'))
      }
      expect(await Promise.all(paying.map(closed))).toEqual(['CLOSED', 'CLOSED'])
      expect(await standing('SEK')).toEqual({ ...before, bank: before.bank + TOTAL })
    },
  )
  test('a payer’s transfer of the same sum is no sum of Swish', async () => {
    const [first, second] = (await day()) as [Paying, Paying]
    await tell(first)
    await tell(second)
    expect(await take(sum(TOTAL, { message: 'Hyra', payer: 'Alva Provlund' }))).toEqual(['no_reference'])
    expect(await take(sum(TOTAL))).toEqual(['known'])
  })
})
