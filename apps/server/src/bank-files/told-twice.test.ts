/** The same money, told by a bank's file and by the gateway that it was ordered through: in the books once. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { endToEndId } from '@kvitt/domain/payments/end-to-end.ts'
import { openInstances, type Instance } from '../instances/instances.ts'
import { openLog } from '../platform/log.ts'
import { buildInvoice, buildPlanSettings, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { importBankFiles } from './bank-files.ts'

let server: TestServer
let instance: Instance
let serial = 0

beforeAll(async () => {
  server = await startTestServer({ isDemo: true })
  await buildPlanSettings(server.test, server.instanceId)
  const found = await openInstances(server.test.db, server.clock).ofHost('localhost')
  if (!found) throw new Error('there is no instance')
  instance = found
})
beforeEach(() => server.control('DELETE', '/control/faults'))

async function rows<Row>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return (await server.test.owner.query(sql, values)).rows as Row[]
}
const fault = (name: string, times = 1) =>
  server.control('POST', '/control/faults', { target: 'bank', fault: name, times })
const path = (invoice: BuiltInvoice, rest: string): string =>
  `/api/public/invoices/${invoice.reference}/${invoice.zip}${rest}`

type Order = { id: string; reference: string }
type Paying = { readonly invoice: BuiltInvoice; readonly paymentId: string; readonly orderId: string }

/** A payment with an order at the bank, which calls nobody. */
async function begin({ isGivenUp }: { isGivenUp: boolean }, built?: BuiltInvoice): Promise<Paying> {
  const invoice = built ?? (await buildInvoice(server.test, server.instanceId, server.clock))
  if (isGivenUp) await fault('error-after-success')
  const known: Order[] = await server.control('GET', '/control/orders?all=true')
  const { status } = await server.call('POST', path(invoice, '/payment-requests'), {
    body: {
      paymentDate: TODAY,
      amount: '842.00',
      redirectUri: `${server.origin}/`,
      serviceProviderCode: 'DIRECT_BANK',
    },
  })
  expect(status).toBe(isGivenUp ? 400 : 201)
  await fault('drop-callback', 50)
  const orders: Order[] = await server.control('GET', '/control/orders?all=true')
  const order = orders.find(
    ({ id, reference }) => reference === invoice.reference && !known.some((o) => o.id === id),
  )
  const [payment] = await rows<{ id: string }>(
    'select id from payment where invoice_id = $1 order by created_at desc limit 1',
    invoice.id,
  )
  return { invoice, paymentId: payment?.id ?? '', orderId: order?.id ?? '' }
}

async function execute({ orderId }: Paying): Promise<void> {
  await server.control('POST', `/control/orders/${orderId}/approve`)
  await server.control('POST', '/control/settle', {})
}

/** The gateway's word: its notification, and the sweep after it. */
async function tell({ paymentId, orderId }: Paying): Promise<void> {
  serial += 1
  const [row] = await rows<{ secret: string }>(
    'select callback_secret as secret from payment where id = $1',
    paymentId,
  )
  const answer = await server.call('POST', `/api/callbacks/direct-bank/${row?.secret}`, {
    body: { eventId: `told-${serial}`, paymentId: orderId, transactionStatus: 'ACSC' },
  })
  expect(answer.status).toBe(200)
  await server.product.sweepAll()
}

type Entry = { reference?: string; endToEnd?: string; amount?: string; isReversal?: boolean }

function entryOf({ reference, endToEnd, amount = '842.00', isReversal = false }: Entry): string {
  serial += 1
  const refs = endToEnd === undefined ? '' : `<Refs><EndToEndId>${endToEnd}</EndToEndId></Refs>`
  const strd = reference
    ? `<RmtInf><Strd><CdtrRefInf><Ref>${reference}</Ref></CdtrRefInf></Strd></RmtInf>`
    : ''
  return `<Ntry><Amt Ccy="SEK">${amount}</Amt><CdtDbtInd>${isReversal ? 'DBIT' : 'CRDT'}</CdtDbtInd>
    <RvslInd>${isReversal}</RvslInd><Sts>BOOK</Sts><BookgDt><Dt>${TODAY}</Dt></BookgDt><AcctSvcrRef>T${serial}</AcctSvcrRef>
    <NtryDtls><TxDtls>${refs}${strd}</TxDtls></NtryDtls></Ntry>`
}

async function take(...entries: Entry[]): Promise<string[]> {
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>M${serial}</MsgId></GrpHdr>
<Stmt><Id>1</Id><Acct><Id><Othr><Id>99900227</Id></Othr></Id></Acct>${entries.map(entryOf).join('')}</Stmt></BkToCstmrStmt></Document>`
  const file = {
    name: 'camt',
    async *open() {
      yield Buffer.from(text)
    },
  }
  const { db } = server.test
  const context = { db, clock: server.clock, config: server.product.context.config, log: openLog('silent') }
  const outcomes: string[] = []
  for await (const { outcome, reason } of importBankFiles(context, instance, [file]))
    outcomes.push(reason === null ? outcome : `${outcome} ${reason}`)
  return outcomes
}

/** Where the money of one debtor is, and what is still asked of a person about it. */
async function endOf({ invoice, paymentId }: Paying) {
  const [end] = await rows(
    `select i.status, p.status || case when p.arrived_on is null then '' else ' arrived' end as payment,
       (select l.status from bank_line l where l.payment_id = p.id) as line,
       (select count(*)::int from ledger_transaction t where t.invoice_id = i.id and t.kind = 'PAYMENT') as booked,
       (select coalesce(-sum(a.balance_minor), 0)::int from ledger_account a where a.kind = 'credit'
         and a.debtor_id = i.debtor_id) as credit,
       (select count(*)::int from task t where t.kind = 'bank_line' and t.done_at is null) as to_place
     from invoice i join payment p on p.invoice_id = i.id and p.id = $2 where i.id = $1`,
    invoice.id,
    paymentId,
  )
  return end
}

/** What the gateway has told of and no file has shown, and what lies in suspense, in minor units. */
async function floating() {
  const [row] = await rows(
    `select coalesce(sum(balance_minor) filter (where kind = 'clearing' and gateway = 'DIRECT_BANK'), 0)::int as gateway,
       coalesce(sum(balance_minor) filter (where kind = 'suspense'), 0)::int as suspense from ledger_account`,
  )
  return row
}
const NOTHING = { gateway: 0, suspense: 0 }

/** What the files have shown on the accounts, in minor units. */
async function atBank(): Promise<number> {
  const [row] = await rows<{ minor: number }>(
    `select coalesce(sum(balance_minor), 0)::int as minor from ledger_account where kind = 'clearing' and gateway = 'BANK_FILE'`,
  )
  return row?.minor ?? 0
}

const startPlan = async ({ invoice }: Paying) =>
  expect(
    (await server.call('PUT', path(invoice, '/part-payment/start'), { body: { type: 'PLAN_3' } })).status,
  ).toBe(200)

describe('in suspense, because a plan had taken the debt over', () => {
  async function planned(): Promise<Paying> {
    const paying = await begin({ isGivenUp: true })
    await startPlan(paying)
    await execute(paying)
    return paying
  }
  const OWED_BACK = {
    status: 'ACTIVATED',
    payment: 'FAILED arrived',
    line: 'KNOWN',
    booked: 1,
    credit: 84_200,
    to_place: 0,
  }

  test('the file first: it leaves suspense when the gateway tells, and nobody has to place it', async () => {
    const paying = await planned()
    expect(await take({ reference: paying.invoice.reference })).toEqual(['suspense in_a_plan'])
    expect(await floating()).toEqual({ gateway: 0, suspense: -84_200 })
    await tell(paying)
    await tell(paying)
    expect(await endOf(paying)).toEqual(OWED_BACK)
    expect(await floating()).toEqual(NOTHING)
    expect(await server.control('GET', '/control/ledger')).toMatchObject({ isRight: true })
  })

  test('the gateway first', async () => {
    const paying = await planned()
    await tell(paying)
    expect(await take({ reference: paying.invoice.reference })).toEqual(['known'])
    expect(await endOf(paying)).toEqual(OWED_BACK)
    expect(await floating()).toEqual(NOTHING)
  })

  test('both at once', async () => {
    for (let round = 0; round < 8; round++) {
      const paying = await planned()
      await Promise.all([tell(paying), take({ reference: paying.invoice.reference }), tell(paying)])
      // A callback is looked into after it was acknowledged.
      await expect.poll(() => endOf(paying)).toEqual(OWED_BACK)
      await expect.poll(floating).toEqual(NOTHING)
    }
  })
})

describe('a line without a reference that says what it was ordered as', () => {
  const PAID = { status: 'CLOSED', payment: 'COMPLETED', line: 'KNOWN', booked: 1, credit: 0, to_place: 0 }
  const name = ({ paymentId }: Paying): Entry => ({ endToEnd: endToEndId(paymentId) })

  test('after the gateway: it is known', async () => {
    const paying = await begin({ isGivenUp: false })
    await execute(paying)
    await tell(paying)
    expect(await take(name(paying))).toEqual(['known'])
    expect(await endOf(paying)).toEqual(PAID)
  })

  test.each([{}, { reference: '1234567897' }])(
    'before the gateway, with %j: it pays the invoice',
    async (wrong) => {
      const paying = await begin({ isGivenUp: false })
      await execute(paying)
      expect(await take({ ...name(paying), ...wrong })).toEqual(['booked'])
      await tell(paying)
      expect(await endOf(paying)).toEqual({ ...PAID, line: 'BOOKED' })
      expect(await floating()).toEqual(NOTHING)
    },
  )

  test('of a payment whose answer and notices were lost: its money has arrived, whoever tells of it later', async () => {
    const paying = await begin({ isGivenUp: true })
    await execute(paying)
    expect(await take(name(paying))).toEqual(['booked'])
    const arrived = { ...PAID, payment: 'FAILED arrived', line: 'BOOKED' }
    expect(await endOf(paying)).toEqual(arrived)
    expect(
      await rows(`select from payment_move where payment_id = $1 and door = 'file'`, paying.paymentId),
    ).toHaveLength(1)
    await tell(paying)
    expect(await endOf(paying)).toEqual(arrived)
    expect(await server.control('GET', '/control/ledger')).toMatchObject({ isRight: true })
  })

  test('of two payments of the same sum and reference, it is the one that it names', async () => {
    const first = await begin({ isGivenUp: true })
    const second = await begin({ isGivenUp: false }, first.invoice)
    await execute(second)
    await tell(second)
    await execute(first)
    await tell(first)
    expect(await take({ ...name(second), reference: first.invoice.reference })).toEqual(['known'])
    expect(await endOf(second)).toMatchObject({ payment: 'COMPLETED', line: 'KNOWN' })
    expect(await endOf(first)).toMatchObject({ payment: 'FAILED arrived', line: null })
    expect(await take({ ...name(first), reference: first.invoice.reference })).toEqual(['known'])
    expect(await floating()).toEqual(NOTHING)
  })

  test('taken back by the bank with nothing but that name', async () => {
    const paying = await begin({ isGivenUp: true })
    await execute(paying)
    expect(await take(name(paying))).toEqual(['booked'])
    expect(await take({ ...name(paying), isReversal: true })).toEqual(['reversed'])
    expect(await endOf(paying)).toMatchObject({
      status: 'ACTIVATED',
      payment: 'FAILED arrived',
      line: 'REVERSED',
    })
  })

  test('what was known is taken back too: the invoice is owed again, and no gateway owes anything', async () => {
    const paying = await begin({ isGivenUp: false })
    await execute(paying)
    await tell(paying)
    const bank = await atBank()
    expect(await take(name(paying))).toEqual(['known'])
    expect(await take({ ...name(paying), isReversal: true })).toEqual(['reversed'])
    expect(await endOf(paying)).toMatchObject({ status: 'ACTIVATED', payment: 'COMPLETED', line: 'REVERSED' })
    expect([await floating(), await atBank()]).toEqual([NOTHING, bank])
    const { json } = await server.call('GET', path(paying.invoice, '/payment-requests'))
    expect(json).toMatchObject([{ status: 'COMPLETED', receivedAmount: 0 }])
    expect(await take({ ...name(paying), isReversal: true })).toEqual(['suspense nothing_to_take_back'])
  })

  test('an id that is nobody’s says nothing', async () => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    const endToEnd = 'abcdef00'.repeat(4)
    expect(await take({ endToEnd })).toEqual(['suspense no_reference'])
    expect(await take({ endToEnd, reference: invoice.reference })).toEqual(['booked'])
  })
})
