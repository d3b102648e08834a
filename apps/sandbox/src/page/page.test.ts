import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestSandbox } from '../testing/start-test-sandbox.ts'
import type { Json, TestSandbox } from '../testing/start-test-sandbox.ts'

/** A busy machine draws slowly. */
const PATIENT = { timeout: 8_000 }

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.stop())

const open = (path: string) => fetch(`http://127.0.0.1:${sandbox.port}${path}`)
const regions = async (query = ''): Promise<Json> => (await open(`/page/regions${query}`)).json()

test('the policy allows the page’s own style and script, and no other', async () => {
  const answer = await open('/')
  const page = await answer.text()
  const policy = answer.headers.get('content-security-policy') ?? ''
  for (const tag of ['style', 'script']) {
    const [, inline = ''] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page) ?? []
    expect(inline.length).toBeGreaterThan(500)
    expect(policy).toContain(`${tag}-src 'sha256-${createHash('sha256').update(inline).digest('base64')}'`)
  }
})

test('the phone shows what waits, and the order that the person picked', async () => {
  expect((await regions()).phone).toContain('Nothing waits')
  const first = await sandbox.createPayment({ creditorName: '<img src=x>' })
  const second = await sandbox.createPayment({ creditorName: 'Pulsverket Demo Gym AB' })
  expect((await regions()).phone).toContain('<h2>Pulsverket Demo Gym AB</h2>')
  const picked = (await regions(`?order=${first.paymentId}`)).phone
  expect(picked).toContain('<h2>&#60;img src=x&#62;</h2>')
  expect(picked).toContain(`/control/orders/${first.paymentId}/approve`)
  expect(picked).toContain(`data-pick="order=${second.paymentId}"`)
  expect(picked).toContain(`data-key="approve-${first.paymentId}"`)
  expect(picked).toContain('1 more waits')
  await sandbox.createSwish({ message: '260101314920' })
  expect((await regions(`?order=${first.paymentId}`)).phone).toContain('842,00 SEK · <span class="fours">')
  expect(picked.indexOf('data-pick="order=')).toBeGreaterThan(picked.indexOf('data-key="approve-'))
})

test('the bank names every state and what can be settled', async () => {
  const approve = (payment: Json, body = {}) =>
    sandbox.control('POST', `orders/${payment.paymentId}/approve`, body)
  await approve(await sandbox.createPayment())
  await approve(await sandbox.createPayment(), { hold: true })
  await approve(await sandbox.createPayment({ requestedExecutionDate: '2026-11-28' }))
  const before = await regions()
  for (const word of ['Waits', 'Signed', 'Held', 'Due date', 'Settle today’s 1 payment', 'Release 1 held']) {
    expect(before.bank).toContain(word)
  }
  expect(before.day).toContain('Fri 20 Nov 2026')
  expect(before.day).toContain('To the next event: 28 Nov')
  await sandbox.control('POST', 'settle', { includeHeld: true })
  expect((await regions()).bank).toContain('<strong>1\u00a0684,00 SEK</strong>')
})

test('the bank shows the newest eight, or all; the currency stands in the head unless it differs', async () => {
  const rowsOf = (html: string) => html.split('<tr').length - 2
  for (let count = 0; count < 9; count += 1) {
    await sandbox.createPayment({ remittanceInformationStructured: { reference: '260101314920' } })
  }
  const few = (await regions()).bank
  expect(rowsOf(few)).toBe(8)
  expect(few).toContain('Amount, SEK')
  expect(few).not.toContain('class="unit"')
  expect(few).toContain('<span>2601</span><span>0131</span><span>4920</span>')
  const [, count] = /Show all (\d+)/.exec(few) ?? []
  const all = (await regions('?payments=all')).bank
  expect(String(rowsOf(all))).toBe(count)
  expect(all).toContain('Show the newest 8')
  await sandbox.createPayment({ instructedAmount: { currency: 'EUR', amount: '1.00' } })
  const mixed = (await regions()).bank
  expect(mixed).toContain('<span class="unit">EUR</span>')
  expect(mixed).not.toContain('Amount,')
})

test('of more than five orders the phone says how many it does not show', async () => {
  const { phone } = await regions()
  expect(phone.split('class="stacked"').length - 1).toBe(4)
  const [, waiting] = /(\d+) more wait</.exec(phone) ?? []
  expect(phone).toContain(`and ${Number(waiting) - 4} older`)
})

test('a fault’s button counts up', async () => {
  await sandbox.control('POST', 'faults', { target: 'bank', fault: 'late-callback', times: 2 })
  const { faults } = await regions()
  expect(faults).toContain('aria-label="×2: Bank, Late, 2 left; press for one more"')
  expect(faults).toContain('&#34;late-callback&#34;,&#34;times&#34;:3')
  expect(faults).toContain('aria-pressed="true">Bank ×2<')
  expect((await regions('?faults=mail')).faults).toContain('<tr class="picked"><th scope="row">Mail<')
})

test('Swish stands on the phone beside the bank, and can be left without an answer', async () => {
  const id = await sandbox.createSwish({ message: '261185' })
  const shown = (await regions(`?order=${id}`)).phone
  expect(shown).toContain('<h2>123 467 93 04</h2>')
  expect(shown).toContain(`/control/orders/${id}/approve`)
  await sandbox.control('POST', `orders/${id}/decline`, { errorCode: 'DS24' })
  expect((await regions(`?order=${id}`)).phone).toContain('It was paid')
  await sandbox.control('POST', `orders/${id}/approve`)
  expect((await regions(`?order=${id}`)).phone).not.toContain(id)
})

test('the mailbox shows what was sent, and a message cannot run anything', async () => {
  expect((await regions()).mailbox).toContain('Nothing was sent yet')
  await sandbox.sendMail({
    to: 'alva@example.com',
    subject: 'We have <received>',
    text: 'Hello <b>',
    html: '<html><head></head><body><p style="color:red">Hello</p><script>alert(1)</script></body></html>',
  })
  await vi.waitFor(
    async () => expect((await regions()).mailbox).toContain('We have &#60;received&#62;'),
    PATIENT,
  )
  const { mailbox } = await regions()
  const address = /src="(\/page\/mail\/[0-9a-f-]{36})"/.exec(mailbox)?.[1] ?? ''
  const shown = await open(address)
  expect(await shown.text()).toContain('<base target="_blank">')
  const policy = shown.headers.get('content-security-policy')
  expect(policy).toMatch(/default-src 'none'.*; sandbox allow-popups$/)
  expect(policy).not.toContain('script-src')
  expect((await regions('?view=text')).mailbox).toContain('<pre tabindex="0">Hello &#60;b&#62;')
  expect((await regions('?view=source')).mailbox).toContain('&#60;script&#62;alert(1)')
  expect((await regions()).mailbox).not.toContain('data-pick="channel=')
  expect((await open('/page/mail/00000000-0000-4000-8000-000000000000')).status).toBe(404)
})

describe('the ledger', () => {
  const sums = [{ currency: 'SEK', debit: '1234.50', credit: '1234.50', postings: 4 }]
  const checks = [
    { name: 'inv_i1_postings_sum_to_zero', rows: 0 },
    { name: 'inv_i4_settled_payments_are_booked_once', rows: 0 },
  ]
  const look = async (query = '') => {
    await sandbox.clock.advance(4_000)
    await regions(query)
    return regions(query)
  }

  test('says when it does not know', async () => {
    expect((await look()).ledger).toContain('Not known')
  })

  test('balances, with the sums of both sides and every check by name', async () => {
    sandbox.product.ledger = { checks, sums, orders: [] }
    await vi.waitFor(async () => expect((await look()).ledger).toContain('The books balance'), PATIENT)
    const { ledger, foot } = await look('?checks=shown')
    expect(ledger).toContain('1\u00a0234,50')
    expect(ledger).toContain('2 of 2 checks hold')
    expect(ledger).toContain('I4 Settled payments are booked once')
    expect(foot).toContain('The ledger agrees')
  })

  test('long sums stand below each other', async () => {
    const amount = '999999999999.00'
    sandbox.product.ledger = {
      checks,
      sums: [{ currency: 'SEK', debit: amount, credit: amount, postings: 2 }],
      orders: [],
    }
    await vi.waitFor(async () => expect((await look()).ledger).toContain('>Credit SEK</th>'), PATIENT)
  })

  test('names what is wrong', async () => {
    const lost = { id: 'x', gateway: 'SWISH', status: 'COMPLETED', amount: '10.00', currency: 'SEK' }
    sandbox.product.ledger = {
      checks: [
        checks[0] ?? { name: '', rows: 0 },
        { name: 'inv_i4_settled_payments_are_booked_once', rows: 2 },
      ],
      sums,
      orders: [{ ...lost, bookings: 1, withAPerson: false }],
    }
    await vi.waitFor(async () => expect((await look()).ledger).toContain('The books are wrong'), PATIENT)
    const { ledger, foot } = await look()
    expect(ledger).toContain('I4 Settled payments are booked once does not hold: 2 rows.')
    expect(ledger).toContain('x is booked with another sum than was executed.')
    expect(foot).toContain('The ledger does not agree')
    expect((await sandbox.control('GET', 'ledger')).body).toMatchObject({ isRight: false, wrong: ['x'] })
  })
})

test('the firm is asked for by a button, which is gone then', async () => {
  await sandbox.clock.advance(2_000)
  const { day } = await regions()
  expect(day).toContain('>Make the firm<')
  expect(day).toContain('1,500 invoices of 120 days, for the staff portals; takes about a minute')
  const [, calls = ''] = /data-key="firm" data-calls="([^"]+)"/.exec(day) ?? []
  const [[method, path]] = JSON.parse(calls.replaceAll('&#34;', '"'))
  expect(path).toMatch(/^\/control\//)
  expect((await sandbox.control(method, path.slice('/control/'.length))).status).toBe(200)
  const asked = (await regions()).day
  expect(asked).toContain('The firm is being made: 0 of 120 days')
  expect(asked).not.toContain('Make the firm')
})

test('the page says how far the firm is, until it is made', async () => {
  sandbox.product.firm = { days: 43, of: 120, isMade: false }
  await sandbox.clock.advance(2_000)
  expect((await regions()).day).toContain('The firm is being made: 43 of 120 days')
  sandbox.product.firm = { days: 120, of: 120, isMade: true }
  await sandbox.clock.advance(2_000)
  const { day } = await regions()
  expect(day).not.toContain('The firm')
  expect(day).not.toContain('Make the firm')
})

test('the page says when the product is away', async () => {
  await sandbox.product.stop()
  await sandbox.clock.advance(2_000)
  expect((await regions()).day).toContain('The product does not answer')
})
