import { beforeAll, describe, expect, test } from 'vitest'
import { buildInstance, buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { buildClaim, buildInstanceAccount, type BuiltClaim } from '../testing/build-claim.ts'
import { signIn } from '../testing/sign-in.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let claim: BuiltClaim

beforeAll(async () => {
  server = await startTestServer()
  await buildInstanceAccount(server.test, server.instanceId)
  await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  claim = await build()
})

const build = (daysAgo = 5) =>
  buildClaim(server.test, server.instanceId, server.clock, {
    daysAgo,
    invoices: [{ totalMinor: 100_000 }, { totalMinor: 50_000 }],
  })

const call = (of: { reference: string; zip: string }, part = '', method = 'GET', body?: unknown) =>
  server.call(method, `/api/public/collection-batches/${of.reference}/${of.zip}${part}`, { body })

const invoiceCall = (of: BuiltInvoice, part = '', method = 'GET', body?: unknown) =>
  server.call(method, `/api/public/invoices/${of.reference}/${of.zip}${part}`, { body })

/** What another instance's host answers. */
async function elsewhere(url: string): Promise<number> {
  return (await server.product.app.inject({ url, headers: { host: 'fjellklar.portal.test' } })).statusCode
}

describe('what a debtor sees', () => {
  test('the claim with its buckets, its last day and its demand', async () => {
    const { status, json } = await call(claim)
    expect(status).toBe(200)
    expect(json).toMatchObject({
      id: claim.id,
      collectionBatchNumber: claim.number,
      paymentReference: claim.reference,
      zip: claim.zip,
      clientName: 'Fjällström Demo Energi AB',
      status: 'OPEN',
      currency: 'SEK',
      expireDate: '2026-11-25',
      today: TODAY,
      balances: { principal: 1500, costs: 300 },
      invoiceTotalToPay: 1500,
      isCredited: false,
      isPartPayment: false,
      debtor: { name: 'Alva', email: null },
    })
  })

  test('its invoices with what was bought, its creditor and its instance', async () => {
    const invoices = (await call(claim, '/invoices')).json as unknown as {
      invoiceNumber: string
      rows: unknown[]
    }[]
    expect(invoices.map((i) => i.invoiceNumber).sort()).toEqual(claim.invoices.map((i) => i.number).sort())
    expect(invoices[0]?.rows).toEqual([
      { accountNumber: null, description: 'El', amount: expect.any(Number) },
    ])
    expect((await call(claim, '/client')).json).toMatchObject({ name: 'Fjällström Demo Energi AB' })
    expect((await call(claim, '/instance-provider')).json).toMatchObject({ name: 'nordklar AB' })
  })

  test('its story: what moved in, and the demand with its fee', async () => {
    const events = (await call(claim, '/events')).json as unknown as { type: string; amount: number }[]
    expect(events.map((e) => e.type)).toEqual(['TRANSFER_TO_CLAIM', 'TRANSFER_TO_CLAIM', 'COLLECTION_CLAIM'])
    expect(events[2]?.amount).toBe(180)
    expect((await call(claim, '/events/ledger')).json).toEqual([
      expect.objectContaining({ type: 'COLLECTION_CLAIM', status: 'PERFORMED' }),
    ])
    const money = (await call(claim, '/events/financial')).json as unknown as {
      balances: { total: number }
    }[]
    const { balanceTotal } = (await call(claim)).json as { balanceTotal: number }
    expect(money.at(-1)?.balances.total).toBe(balanceTotal)
  })

  test('the demand as a PDF, under a name that only this session is told', async () => {
    const { document } = (await call(claim, '/documents')).json as {
      document: { collection: { fileName: string; fileNameRaw: string } }
    }
    expect(document.collection.fileNameRaw).toBe(`Inkassokrav ${claim.number}.pdf`)
    const file = await server.call('GET', `/api/storage/${document.collection.fileName}`)
    expect(file.status).toBe(200)
    expect(file.headers.get('cache-control')).toContain('no-store')
    expect(file.text.startsWith('%PDF')).toBe(true)
    expect(await elsewhere(`/api/storage/${document.collection.fileName}`)).toBe(404)
  })

  test('its open claims as a list and a sum, also when let in with an invoice', async () => {
    for (const of of [claim, { ...claim, ...claim.invoices[0] }]) {
      const { balanceTotal } = (await call(claim)).json as { balanceTotal: number }
      expect((await call(of, '/stats')).json).toEqual([{ currency: 'SEK', balance: balanceTotal, count: 1 }])
      const list = await call(of, '/ledger?status=OPEN[OR]RESUME')
      expect(list.headers.get('x-total-count')).toBe('1')
      expect(list.json).toEqual([expect.objectContaining({ id: claim.id })])
    }
    expect((await call(claim, '/ledger?status=CLOSED')).json).toEqual([])
    expect((await call(claim, '/ledger', 'POST', { status: 'NOPE' })).json).toMatchObject({
      code: 'invalid_filter',
    })
  })
})

test('the list comes newest first, by the day it is due when that is asked for, and its links keep the filter', async () => {
  const list = await call(claim, '/ledger?status=OPEN%5BOR%5DRESUME&limit=1')
  expect(list.headers.get('link')).toContain('status=OPEN%5BOR%5DRESUME&limit=1&page=1>; rel="last"')
  const order = async (query: string) =>
    ((await call(claim, `/ledger${query}`)).json as { id: string }[]).map(({ id }) => id)
  const newest = await order('')
  expect(await order('?orderBy=id&order=desc')).toEqual(newest)
  expect(await order('?orderBy=id&order=asc')).toEqual(newest.toReversed())
})

test('a signed-in debtor: the sums and the list of a claim of somebody else are not there', async () => {
  const other = await build()
  const headers = await signIn(server.product.context, server.instanceId, [claim.invoices[0]?.debtorId ?? ''])
  for (const path of ['', '/stats', '/ledger']) {
    const at = (number: string, rest = '') =>
      server.call('GET', `/api/debtor/collection-batches${path}?collectionBatchNumber=${number}${rest}`, {
        headers,
      })
    expect((await at(claim.number)).status, path).toBe(200)
    const answer = await at(other.number)
    expect([answer.status, answer.json], path).toEqual([404, expect.objectContaining({ code: 'not_found' })])
    const pair = `&paymentReference=${claim.reference}&zip=`
    expect((await at(claim.number, `${pair}${claim.zip}`)).status, path).toBe(200)
    expect((await at(claim.number, `${pair}99999`)).status, path).toBe(404)
  }
})

test('a search finds it by its number, reference or creditor, and refuses what it does not know', async () => {
  const search = (body: unknown) => call(claim, '/search', 'POST', body)
  for (const [queryTarget, query] of [
    ['collectionBatchNumber', claim.number],
    ['paymentReference', claim.reference.slice(0, 6)],
    ['clientName', 'fjällström'],
  ]) {
    const found = await search({ query, queryTarget })
    expect(found.json).toEqual([expect.objectContaining({ id: claim.id })])
    expect(found.headers.get('x-total-count')).toBe('1')
  }
  expect((await search({ filters: { status: 'CLOSED' } })).json).toEqual([])
  expect((await search({ query: 'x', queryTarget: 'secret' })).json).toMatchObject({ code: 'invalid_filter' })
})

describe('an invoice in a claim', () => {
  const inside = () => claim.invoices[0] as BuiltInvoice

  test('names the claim, owes nothing and cannot be paid or disputed', async () => {
    const one = await invoiceCall(inside())
    expect(one.json).toMatchObject({
      statuses: { main: 'ACTIVATED' },
      balances: { total: 0 },
      collectionBatchNumber: claim.number,
      collection_batch_number: claim.number,
      collection_batch_payment_reference: claim.reference,
      collection_batch_zip: claim.zip,
    })
    expect((await invoiceCall(inside(), '/payment-methods')).json).toEqual([])
    const objection = { debtorEmail: 'a@example.com', reason: 'Fel' }
    expect((await invoiceCall(inside(), '/dispute', 'POST', objection)).json).toMatchObject({
      code: 'dispute_not_allowed',
      detail: `The invoice is part of claim ${claim.number}. Go to the claim to dispute it.`,
      params: { claimNumber: claim.number },
    })
    expect(
      (await invoiceCall(inside(), '/part-payment/start', 'PUT', { type: 'PLAN_3' })).json,
    ).toMatchObject({
      code: 'plan_not_available',
      detail: `The invoice is part of claim ${claim.number}. Go to the claim to pay in parts.`,
    })
    expect((await invoiceCall(inside(), '/payment-receipt', 'PUT')).json).toMatchObject({
      code: 'receipt_not_available',
    })
    const order = { paymentDate: TODAY, amount: '0.00', redirectUri: `${server.origin}/` }
    expect((await invoiceCall(inside(), '/payment-requests', 'POST', order)).json).toMatchObject({
      code: 'nothing_to_pay',
      detail: `The invoice is part of claim ${claim.number}. Go to the claim to pay.`,
      params: { claimNumber: claim.number },
    })
  })

  test('is in neither the open list nor the sums', async () => {
    expect((await invoiceCall(inside(), '/stats')).json).toEqual([])
    const filter = { statuses: { main: 'ACTIVATED[OR]PAUSED[OR]DISPUTED' } }
    expect((await invoiceCall(inside(), '/ledger', 'POST', filter)).json).toEqual([])
  })
})

describe('logging in with the reference of a demand', () => {
  test('opens all invoices of its debtor, as an invoice of theirs does, and nobody else’s', async () => {
    const beside = await buildInvoice(server.test, server.instanceId, server.clock, {
      beside: claim.invoices[0] as BuiltInvoice,
      totalMinor: 12_300,
    })
    await buildInvoice(server.test, server.instanceId, server.clock, {})
    const at = `/api/public/invoices/${claim.reference}/${claim.zip}`
    const body = { statuses: { main: 'ACTIVATED[OR]PAUSED[OR]DISPUTED' } }
    const list = await server.call('POST', `${at}/ledger`, { body })
    expect(list.json).toEqual([expect.objectContaining({ invoiceNumber: beside.number })])
    expect((await server.call('GET', `${at}/stats`)).json).toEqual([
      { currency: 'SEK', balance: 123, count: 1 },
    ])
    const wrong = `/api/public/invoices/${claim.reference}/99999/ledger`
    expect((await server.call('POST', wrong, { body })).json).toMatchObject({
      code: 'login_error::invalid_data',
    })
    expect(await server.call('POST', `${at}/ledger?invoiceNumber=1`, { body })).toMatchObject({ status: 400 })
  })

  test('is answered with one of its invoices, which names the claim and a reference of its own', async () => {
    const answer = await server.call('GET', `/api/public/invoices/${claim.reference}/${claim.zip}`)
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({
      paymentReference: claim.invoices[0]?.reference,
      collection_batch_payment_reference: claim.reference,
      collection_batch_zip: claim.zip,
    })
  })

  test('needs no zip of whoever is signed in and owes it, and tells others nothing', async () => {
    const of = async (debtorId: string | undefined, zip = '') => {
      const headers = await signIn(server.product.context, server.instanceId, [debtorId ?? ''])
      const query = `paymentReference=${claim.reference}${zip && `&zip=${zip}`}`
      return server.call('GET', `/api/debtor/invoices?${query}`, { headers })
    }
    const owner = claim.invoices[0]?.debtorId
    const named = { paymentReference: claim.invoices[0]?.reference, collection_batch_zip: claim.zip }
    expect((await of(owner)).json).toMatchObject(named)
    expect((await of(owner, claim.zip)).json).toMatchObject(named)
    expect((await of(owner, '99999')).status).toBe(404)
    const stranger = await buildInvoice(server.test, server.instanceId, server.clock, {})
    expect((await of(stranger.debtorId)).status).toBe(404)
    expect((await of(stranger.debtorId, claim.zip)).status).toBe(404)
  })

  test('opens the claim, and no other call about invoices', async () => {
    const list = await server.call('GET', `/api/public/invoices/${claim.reference}/${claim.zip}/events`)
    expect(list.json).toMatchObject({ code: 'login_error::invalid_data' })
    const wrong = await server.call('GET', `/api/public/invoices/${claim.reference}/99999`)
    expect(wrong.json).toMatchObject({ code: 'login_error::invalid_data' })
  })

  test('weighs nothing as a guess at the invoice door, where a wrong zip counts', async () => {
    const fails = async (zip: string): Promise<number> => {
      await server.test.owner.query('delete from guess_budget')
      await server.test.owner.query(
        `select close_guess($1, $2, $3, array(select decode(md5(n::text), 'hex') from generate_series(1, 5) n),
           array[9, 9, 9, 9, 9], now(), false)`,
        [server.instanceId, claim.reference, zip],
      )
      const { rows } = await server.test.owner.query<{ fails: number }>(
        'select coalesce(sum(fails), 0)::int as fails from guess_budget',
      )
      return rows[0]?.fails ?? -1
    }
    expect(await fails(claim.zip)).toBe(0)
    expect(await fails('99999')).toBe(5)
    await server.test.owner.query('delete from guess_budget')
  })
})

describe('authz.batch: nobody else', () => {
  test('is let in: another debtor, another instance, a wrong zip, an invoice’s pair, another number', async () => {
    const stranger = await buildInvoice(server.test, server.instanceId, server.clock, { zip: '41105' })
    const right = await call(claim)
    const refused = [
      await call({ reference: claim.reference, zip: stranger.zip }),
      await call({ reference: stranger.reference, zip: claim.zip }),
      await call(stranger),
      await call(claim.invoices[0] as BuiltInvoice),
      await call(claim, '?collectionBatchNumber=1'),
    ]
    expect(right.status).toBe(200)
    for (const answer of refused) {
      expect(answer.status).toBe(400)
      expect(answer.json).toMatchObject({ code: 'login_error::invalid_data' })
    }
  })

  test('sees it from another instance', async () => {
    expect(await elsewhere(`/api/public/collection-batches/${claim.reference}/${claim.zip}`)).toBe(400)
  })
})

describe('paying', () => {
  async function pay(of: BuiltClaim) {
    const { balanceTotal } = (await call(of)).json as { balanceTotal: number }
    const body = { paymentDate: TODAY, amount: balanceTotal.toFixed(2), redirectUri: `${server.origin}/` }
    const started = await call(of, '/payment-requests', 'POST', body)
    expect(started.status).toBe(201)
    const orders = (await server.control('GET', '/control/orders')) as { id: string; reference: string }[]
    const order = orders.find((o) => o.reference === of.reference)
    await server.control('POST', `/control/orders/${order?.id}/approve`, {})
    return { order, started }
  }

  test('goes to the instance’s account, closes the claim and its invoices, and leaves nothing owed', async () => {
    const own = await build()
    expect((await call(own, '/payment-account')).json).toMatchObject({ accountNumber: '9990-0110' })
    await pay(own)
    expect((await call(own, '/payment-requests/status', 'PUT')).json).toEqual([
      expect.objectContaining({ status: 'AUTHORIZED' }),
    ])
    expect((await call(own)).json).toMatchObject({ status: 'OPEN' })
    await server.control('POST', '/control/settle', {})
    await server.product.sweepAll()
    // The bank's own call may be doing the same at this moment.
    await expect.poll(async () => (await call(own)).json).toMatchObject({ status: 'CLOSED', balanceTotal: 0 })
    expect((await call(own, '/payment-methods')).json).toEqual([])
    expect((await invoiceCall(own.invoices[0] as BuiltInvoice)).json).toMatchObject({
      statuses: { main: 'CLOSED' },
      balances: { total: 0 },
    })
    const { rows } = await server.test.owner.query(
      `select status from collection_step where claim_id = $1 and status in ('PLANNED', 'ON_HOLD')`,
      [own.id],
    )
    expect(rows).toEqual([])
  })

  test('another sum than the balance is refused', async () => {
    const body = { paymentDate: TODAY, amount: '1.00', redirectUri: `${server.origin}/` }
    expect((await call(claim, '/payment-requests', 'POST', body)).json).toMatchObject({
      code: 'amount_changed',
    })
  })
})
