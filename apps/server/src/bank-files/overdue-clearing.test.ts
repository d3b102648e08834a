/** A gateway told of money, and the statement of the account does not show it. */
import { beforeAll, expect, test } from 'vitest'
import { addBankDays } from '@kvitt/domain/collection/bank-days.ts'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { addAddress, chooseOwnAccount } from '../creditors/creditors.ts'
import { recordPaymentResult } from '../payments/payments.ts'
import { camt } from '../testing/files/bank-formats.ts'
import { one, rows, server, takeFiles, useBankFiles } from '../testing/files/bank-files.ts'
import { buildInvoice, TODAY } from '../testing/build.ts'
import { askAboutOverdueClearing } from './bank-files.ts'

useBankFiles()

const IBAN = 'SE4550000000058398257466'
let serial = 0

beforeAll(async () => {
  const context = { db: server.test.db, clock: server.clock }
  const giro = { form: 'bankgiro', number: '9990-0110', currency: 'SEK', receiver: 'Nordklar AB' } as const
  await chooseOwnAccount(context, server.instanceId, {
    ...giro,
    by: 'person:anna',
    bank: undefined,
    bic: undefined,
  })
  for (const [kind, number] of [
    ['IBAN', IBAN],
    ['SWISH', '1234679304'],
  ] as const) {
    const wanted = { kind, number, country: 'SE' }
    await addAddress(context, server.instanceId, { of: giro.number, wanted, by: 'person:anna' })
  }
})

async function pay(gateway: 'DIRECT_BANK' | 'SWISH' = 'DIRECT_BANK'): Promise<string> {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, { hasAccount: false })
  await server.call('POST', `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`, {
    body: {
      amount: '842.00',
      redirectUri: `${server.origin}/`,
      serviceProviderCode: gateway,
      ...(gateway === 'SWISH' ? { test: false } : { paymentDate: TODAY }),
    },
  })
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders?all=true')
  const order = orders.find(({ reference }) => reference === invoice.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`)
  await server.control('POST', '/control/settle', {})
  const { id } = await one<{ id: string }>('select id from payment where invoice_id = $1', invoice.id)
  await recordPaymentResult(server.product.context, { instance_id: server.instanceId, id }, 'sweep')
  return invoice.reference
}

/** The statement of a day, with what else came to the account: `sumMinor` is what Swish pays out once a day. */
const statement = (day: CalendarDate, references: readonly string[] = [], sumMinor?: number) =>
  camt({
    account: { iban: IBAN },
    serial: (serial += 1),
    entries: [
      ...references.map((reference) => ({
        amountMinor: 84_200,
        currency: 'SEK',
        day,
        bankId: `P${reference}`,
        reference,
      })),
      ...(sumMinor
        ? [{ amountMinor: sumMinor, currency: 'SEK', day, bankId: `S${serial}`, message: 'Swish' }]
        : []),
      { amountMinor: 100, currency: 'SEK', day, bankId: `O${serial}`, message: 'Other' },
    ],
  })
const take = async (text: string) => {
  await takeFiles(text)
  await server.test.db.transaction((tx) => askAboutOverdueClearing(tx, server.instanceId))
}
const tasks = () =>
  rows(
    `select split_part(about, ':', 2) as gateway, details -> 'days' as days from task where kind = 'clearing_late' and done_at is null`,
  )

test('after three bank days of statements without it there is a task, until the money comes; what was paid before the first is none', async () => {
  await pay()
  const before = addDays(TODAY, -5)
  await rows('update payment set execution_date = $1, arrived_on = null', before)
  const reference = await pay()
  const third = addBankDays('SE', TODAY, 3)
  const late = addBankDays('SE', TODAY, 4)
  await take(statement(TODAY))
  await take(statement(third))
  expect(await tasks()).toEqual([])
  await take(statement(late))
  expect(await tasks()).toEqual([
    { gateway: 'DIRECT_BANK', days: [{ currency: 'SEK', day: TODAY, payments: 1, minor: 84_200 }] },
  ])
  await take(statement(late, [reference]))
  expect(await tasks()).toEqual([])
})

const MINOR = 84_200
type Gateway = 'DIRECT_BANK' | 'SWISH'
const GATEWAYS: readonly Gateway[] = ['DIRECT_BANK', 'SWISH']
/** What a gateway told of on one day and the statement shows on another, both counted in bank days; `never` until a person asks. */
type Money = {
  readonly gateway: Gateway
  readonly told: number
  readonly shown: number | 'never'
  readonly isSum?: boolean
}

/** All of one amount: no sum says which of them it is. */
const MONEY: readonly Money[] = [
  { gateway: 'DIRECT_BANK', told: 0, shown: 0 },
  { gateway: 'DIRECT_BANK', told: 0, shown: 'never' },
  { gateway: 'DIRECT_BANK', told: 1, shown: 3 },
  { gateway: 'SWISH', told: 0, shown: 1, isSum: true },
  { gateway: 'SWISH', told: 0, shown: 1, isSum: true },
  { gateway: 'SWISH', told: 1, shown: 2 },
  { gateway: 'SWISH', told: 2, shown: 6 },
  { gateway: 'DIRECT_BANK', told: 5, shown: 6 },
]
const LAST = 8
const shownOn = ({ shown }: Money): number => (shown === 'never' ? LAST : shown)

/** From the postings alone: no table says here which line was which payment. */
async function standingOf(gateway: Gateway): Promise<number> {
  const { minor } = await one<{ minor: number }>(
    `select coalesce(sum(p.amount_minor), 0)::int as minor from posting p
     join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
     where a.kind = 'clearing' and a.gateway = $1`,
    gateway,
  )
  return minor
}

async function lateOf(gateway: Gateway): Promise<number> {
  const { minor } = await one<{ minor: number }>(
    `select coalesce(sum((d ->> 'minor')::int), 0)::int as minor from task t cross join jsonb_array_elements(t.details -> 'days') d
     where t.kind = 'clearing_late' and t.done_at is null and split_part(t.about, ':', 2) = $1`,
    gateway,
  )
  return minor
}

test('day by day the postings of each gateway are what it told of less what the statement has shown, what is late of that is the task, and in the end it is nothing', async () => {
  const first = addBankDays('SE', TODAY, 6)
  const dayOf = (n: number): CalendarDate => (n === 0 ? first : addBankDays('SE', first, n))
  const before = new Map(
    await Promise.all(GATEWAYS.map(async (one_) => [one_, await standingOf(one_)] as const)),
  )
  const references = new Map<Money, string>()
  const sumOf = (gateway: Gateway, isIt: (money: Money) => boolean): number =>
    MONEY.filter((money) => money.gateway === gateway && isIt(money)).length * MINOR
  for (let n = 0; n <= LAST; n++) {
    for (const money of MONEY.filter(({ told }) => told === n)) {
      const reference = await pay(money.gateway)
      references.set(money, reference)
      await rows(
        `update payment p set execution_date = $1, arrived_on = null from invoice i
         where i.id = p.invoice_id and i.payment_reference = $2`,
        dayOf(n),
        reference,
      )
    }
    const shown = MONEY.filter((money) => shownOn(money) === n)
    const single = shown.flatMap((money) => (money.isSum ? [] : [references.get(money) ?? '']))
    await take(statement(dayOf(n), single, shown.filter(({ isSum }) => isSum).length * MINOR))
    const isOpen = (money: Money): boolean => money.told <= n && shownOn(money) > n
    for (const gateway of GATEWAYS) {
      expect((await standingOf(gateway)) - (before.get(gateway) ?? 0), `${gateway}, day ${n}`).toBe(
        sumOf(gateway, isOpen),
      )
      const isLate = (money: Money): boolean => isOpen(money) && money.told + 3 < n
      expect(await lateOf(gateway), `${gateway} late, day ${n}`).toBe(sumOf(gateway, isLate))
    }
  }
  expect(await Promise.all(GATEWAYS.map(standingOf))).toEqual(GATEWAYS.map((gateway) => before.get(gateway)))
  expect(await tasks()).toEqual([])
}, 30_000)
