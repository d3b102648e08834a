/** An operator's people move money that stands on the wrong debt, and take back what did not come: once, by role, and above the limit by two. */
import { beforeAll, expect, test } from 'vitest'
import type { OperatorRole } from '@kvitt/domain/staff/roles.ts'
import { addDays } from '@kvitt/domain/calendar.ts'
import { buildClaim } from '../../testing/build-claim.ts'
import { buildInstance, buildInvoice, TODAY, type BuiltInvoice } from '../../testing/build.ts'
import { followRefund, orderRefund } from '../../refunds/refunds.ts'
import { noteDeed } from '../../audit/audit.ts'
import { statement } from '../../platform/database/database.ts'
import { decideDebt } from '../../collection/collection.ts'
import { movePayment } from '../moves/move-payment.ts'
import { reverseByHand } from '../moves/reverse-by-hand.ts'
import { placeSuspense } from '../place-suspense.ts'
import {
  build,
  context,
  fileOf,
  rows,
  server,
  stateOf,
  takeFiles,
  useBankFiles,
  violated,
} from '../../testing/files/bank-files.ts'
import { openOffice, told, type AskOffice } from '../../testing/staff.ts'

useBankFiles()
let ask: AskOffice
beforeAll(async () => {
  ask = await openOffice(server, ['finance', 'manager', 'handler', 'support', 'approver', 'auditor'])
})

/** Started and not told of by its payer's phone yet. */
async function start(invoice: BuiltInvoice, minor = 84_200): Promise<string> {
  const body = {
    amount: (minor / 100).toFixed(2),
    serviceProviderCode: 'SWISH',
    redirectUri: `${server.origin}/`,
  }
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests?invoiceNumber=${invoice.number}`
  const started = await server.call('POST', path, { body })
  expect(started.status, started.text).toBe(201)
  return (started.json as { id: string }).id
}

async function approve(invoice: BuiltInvoice, id: string): Promise<void> {
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
  const order = orders.findLast(({ reference }) => reference === invoice.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`)
  await expect
    .poll(
      async () => {
        await server.product.sweepAll()
        return rows('select status from payment where id = $1', id)
      },
      { timeout: 10_000 },
    )
    .toEqual([{ status: 'COMPLETED' }])
}

/** As the list of payments calls what is booked on it. */
async function paymentOf(invoice: BuiltInvoice): Promise<string> {
  const found = await ask('support', 'POST /payments/search', {
    filters: { 'subject.id': invoice.id, status: 'COMPLETED' },
  })
  expect(found.status, found.text).toBe(200)
  return (found.json as { id: string }[])[0]?.id ?? ''
}

async function pay(invoice: BuiltInvoice, minor = 84_200): Promise<string> {
  await approve(invoice, await start(invoice, minor))
  return paymentOf(invoice)
}

async function transfer(invoice: BuiltInvoice, amountMinor: number): Promise<string> {
  await takeFiles(fileOf([{ reference: invoice.reference, amountMinor }]))
  return paymentOf(invoice)
}

const to = (invoice: BuiltInvoice) => ({ to: { invoice: invoice.id }, reason: 'Fel faktura' })
const move = (id: string, body: object, who: OperatorRole = 'finance', key?: string) =>
  ask(who, `POST /payments/${id}/move`, body, key)
const reverse = (id: string, who: OperatorRole = 'finance', key?: string, reason = 'Banken har inget') =>
  ask(who, `POST /payments/${id}/reverse`, { reason }, key)
const decide = (id: string, deed: 'approve' | 'refuse', who: OperatorRole) =>
  ask(who, `POST /proposals/${id}/${deed}`, { reason: 'Kontrollerat' })
const deeds = (kind: string, like: string) =>
  rows<{ actor: string; reason: string }>(
    'select actor, reason from audit_event where kind = $1 and about like $2',
    kind,
    like,
  )
const OWED = { status: 'ACTIVATED', owed: 84_200 }
const PAID = { status: 'CLOSED', owed: 0 }

test('only whoever works with money may, and what it does is said before it is done', async () => {
  const wrong = await build(84_200)
  const right = await build(84_200, { beside: wrong })
  const id = await pay(wrong)
  for (const who of ['handler', 'support', 'approver', 'auditor'] as const) {
    expect(told(await move(id, to(right), who)), who).toEqual([403, 'not_allowed'])
    expect(told(await reverse(id, who)), who).toEqual([403, 'not_allowed'])
    expect(told(await ask(who, `POST /payments/${id}/preview`, {})), who).toEqual([403, 'not_allowed'])
  }
  const seen = await ask('finance', `POST /payments/${id}/preview`, { to: { invoice: right.number } })
  expect(seen.json, seen.text).toMatchObject({
    amount: 842,
    currency: 'SEK',
    owedBack: 0,
    needsAnother: false,
    debts: [
      { type: 'invoices', id: wrong.id, number: wrong.number, owed: 0, owedThen: 842 },
      { type: 'invoices', id: right.id, number: right.number, owed: 842, owedThen: 0 },
    ],
  })
  const back = await ask('finance', `POST /payments/${id}/preview`, {})
  expect(back.json).toMatchObject({ debts: [{ id: wrong.id, owed: 0, owedThen: 842 }] })
  expect([await stateOf(wrong), await stateOf(right)], 'nothing has changed').toEqual([PAID, OWED])
  expect(await rows('select from manual_posting')).toEqual([])
})

test('moved, once under a key and never a second time; the deed says who and why', async () => {
  const wrong = await build(84_200)
  const right = await build(84_200, { beside: wrong })
  const id = await pay(wrong)
  const both = await Promise.all([move(id, to(right), 'finance', 'k'), move(id, to(right), 'finance', 'k')])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(both.filter(({ headers }) => headers.get('idempotency-hit') === 'true')).toHaveLength(1)
  expect(both[0]?.json).toMatchObject({ id, status: 'REVERSED' })
  expect([await stateOf(wrong), await stateOf(right)]).toEqual([OWED, PAID])
  expect(told(await move(id, to(right), 'manager'))).toEqual([400, 'act_not_open'])
  expect(told(await reverse(id))).toEqual([400, 'act_not_open'])
  expect(told(await move(id, to(wrong), 'finance', 'k'))).toEqual([400, 'idempotency_key_reused'])
  const [{ of }] = (await rows<{ of: string }>(
    'select payment_id as of from ledger_transaction where id = $1',
    id,
  )) as [{ of: string }]
  expect(await deeds('payment_moved', `payment:${of}:%`)).toEqual([
    { actor: expect.stringMatching(/^person:[0-9a-f-]{36}:[0-9a-f-]{36}$/), reason: 'Fel faktura' },
  ])
  const again = await paymentOf(right)
  expect((await move(again, to(wrong), 'manager')).json, 'and back').toMatchObject({ status: 'REVERSED' })
  expect([await stateOf(wrong), await stateOf(right), await violated()]).toEqual([PAID, OWED, []])
})

test('taken back: owed again, told to the debtor, once of two who do it at once', async () => {
  const invoice = await build(84_200)
  const id = await pay(invoice)
  expect(told(await reverse(id, 'finance', undefined, ' '))).toEqual([400, 'why_required', 'reason'])
  const both = await Promise.all([reverse(id, 'finance'), reverse(id, 'manager')])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  expect(both.find(({ status }) => status === 200)?.json).toMatchObject({ id, status: 'REVERSED' })
  expect(await stateOf(invoice)).toEqual(OWED)
  expect(
    await rows(`select from mail_outbox where kind = 'payment_reversed' and invoice_id = $1`, invoice.id),
  ).toHaveLength(1)
  expect(await violated()).toEqual([])
})

test('money of a bank’s file is moved or waits in suspense, and is not said not to have come', async () => {
  const wrong = await build(84_200)
  const right = await build(50_000, { beside: wrong })
  const id = await transfer(wrong, 84_200)
  expect(told(await reverse(id))).toEqual([400, 'money_on_statement'])
  const seen = await ask('finance', `POST /payments/${id}/preview`, { to: { invoice: right.id } })
  expect(seen.json).toMatchObject({ owedBack: 342 })
  expect((await move(id, to(right))).status).toBe(200)
  expect([await stateOf(wrong), await stateOf(right)]).toEqual([OWED, PAID])
  const next = await paymentOf(right)
  const waits = await move(next, { to: { suspense: true }, reason: 'Fel' })
  expect(waits.json, waits.text).toMatchObject({ status: 'REVERSED' })
  expect(await stateOf(right)).toEqual({ status: 'ACTIVATED', owed: 50_000 })
  expect(
    await rows(
      `select details ->> 'reason' as reason from task t join bank_line l on t.about = 'bank-line:' || l.id
       where t.kind = 'bank_line' and t.done_at is null and $1 = any (l.payment_references)`,
      wrong.reference,
    ),
  ).toEqual([{ reason: 'moved' }])
  expect(await violated()).toEqual([])
})

test('where it cannot go, the field says why and nothing has changed', async () => {
  const wrong = await build(84_200)
  const right = await build(84_200, { beside: wrong })
  const paid = await build(30_000, { beside: wrong })
  const stranger = await build(84_200)
  const euros = await build(84_200, { beside: wrong, currency: 'EUR' })
  await transfer(paid, 30_000)
  const id = await pay(wrong)
  for (const [target, code] of [
    [{ invoice: '99999999' }, 'debt_unknown'],
    [{ invoice: stranger.id }, 'debt_of_other_creditor'],
    [{ invoice: euros.id }, 'debt_in_other_currency'],
    [{ invoice: paid.id }, 'nothing_left'],
    [{ invoice: right.id, collectionBatch: right.id }, 'invalid_request'],
    [{}, 'invalid_request'],
  ] as const)
    expect(told(await move(id, { to: target, reason: 'x' })), JSON.stringify(target)).toEqual([
      400,
      code,
      'to',
    ])
  expect(told(await move(id, { to: { suspense: true }, reason: 'x' }))).toEqual([400, 'act_not_open', 'to'])
  expect([await stateOf(wrong), await stateOf(right), await violated()]).toEqual([PAID, OWED, []])
})

test('what has been sent back is neither moved nor taken back', async () => {
  const invoice = await build(84_200)
  const right = await build(84_200, { beside: invoice })
  const id = await pay(invoice)
  const [{ of }] = (await rows<{ of: string }>(
    'select payment_id as of from ledger_transaction where id = $1',
    id,
  )) as [{ of: string }]
  const wish = { instanceId: server.instanceId, by: 'person:kim', paymentId: of, amount: undefined }
  const refund = await orderRefund(server.product.context, { ...wish, isWhole: true, isAgain: false })
  await followRefund(server.product.context, refund)
  const before = await stateOf(invoice)
  for (const answer of [await move(id, to(right)), await reverse(id)])
    expect(['money_sent_back', 'act_not_open']).toContain(told(answer)[1])
  expect([await stateOf(invoice), await stateOf(right), await violated()]).toEqual([before, OWED, []])
})

test('what is under way, another provider’s and nobody’s is not acted on', async () => {
  const invoice = await build(84_200)
  const id = await start(invoice)
  expect(told(await reverse(id))).toEqual([400, 'act_not_open'])
  expect(told(await move(id, to(invoice)))).toEqual([400, 'act_not_open'])
  const other = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  const foreign = await buildInvoice(server.test, other.id, server.clock)
  expect(told(await reverse(foreign.id))).toEqual([404, 'not_found'])
  const right = await build(84_200)
  const paid = await pay(right)
  expect(told(await move(paid, { to: { invoice: foreign.id }, reason: 'x' })), 'nor to it').toEqual([
    400,
    'debt_unknown',
    'to',
  ])
})

test('admin.by_hand: above the limit, for a debtor and a day, another person decides', async () => {
  const wrong = await build(400_000)
  const right = await build(400_000, { beside: wrong })
  const id = await pay(wrong, 400_000)
  expect((await move(id, to(right))).status, 'below it alone').toBe(200)
  const next = await paymentOf(right)
  const seen = await ask('finance', `POST /payments/${next}/preview`, {})
  expect(seen.json, 'with what was done today').toMatchObject({ needsAnother: true })
  const proposed = await reverse(next, 'finance', 'p')
  expect(proposed.status, proposed.text).toBe(202)
  const proposal = proposed.json as { id: string; kind: string; after: object; before: object }
  expect(proposal).toMatchObject({
    kind: 'payment_reversal',
    before: { amount: '4000.00', currency: 'SEK', debt: right.number },
    after: { reason: 'Banken har inget' },
  })
  expect((await reverse(next, 'finance', 'p')).status, 'the same again').toBe(202)
  expect(told(await reverse(next, 'manager'))).toEqual([400, 'proposal_open'])
  expect(await stateOf(right)).toEqual(PAID)
  expect(told(await decide(proposal.id, 'approve', 'finance'))).toEqual([403, 'not_allowed'])
  expect((await decide(proposal.id, 'refuse', 'approver')).status).toBe(200)
  expect(await stateOf(right)).toEqual(PAID)
  const moved = await move(next, to(wrong), 'manager')
  expect(moved.status).toBe(202)
  const { id: second } = moved.json as { id: string }
  expect(told(await decide(second, 'approve', 'manager'))).toEqual([400, 'another_person_needed'])
  const approved = await decide(second, 'approve', 'approver')
  expect(approved.json, approved.text).toMatchObject({ status: 'APPROVED', after: { to: wrong.number } })
  expect([await stateOf(wrong), await stateOf(right)]).toEqual([PAID, { status: 'ACTIVATED', owed: 400_000 }])
  server.clock.moveTo(addDays(TODAY, 1))
  const later = await reverse(await paymentOf(wrong))
  server.clock.moveTo(TODAY)
  expect(later.status, 'on another day alone again').toBe(200)
  expect(await violated()).toEqual([])
})

test('to a claim, and off the claim that its invoice has joined meanwhile', async () => {
  const claim = await buildClaim(server.test, server.instanceId, server.clock, {
    invoices: [{ totalMinor: 84_200 }],
  })
  const [member] = claim.invoices
  if (!member) throw new Error('the claim has no invoice')
  const wrong = await build(84_200, { ofCreditorOf: member })
  const id = await pay(wrong)
  const owed = async () =>
    (
      await rows<{ minor: number }>('select balance_minor::int as minor from claim where id = $1', claim.id)
    )[0]?.minor
  const before = (await owed()) ?? 0
  expect(before).toBeGreaterThan(84_200)
  expect((await move(id, { to: { collectionBatch: claim.number }, reason: 'Fel' })).status).toBe(200)
  expect([await owed(), await stateOf(wrong)]).toEqual([before - 84_200, OWED])
  const found = await ask('support', 'POST /payments/search', { filters: { 'subject.id': claim.id } })
  const [paid] = found.json as { id: string; subject: { type: string } }[]
  expect(paid?.subject.type).toBe('collection-batches')
  const seen = await ask('finance', `POST /payments/${paid?.id}/preview`, {})
  expect(seen.json).toMatchObject({ debts: [{ type: 'collection-batches', id: claim.id }] })
  expect((await reverse(paid?.id ?? '')).status).toBe(200)
  expect([await owed(), await stateOf(wrong), await violated()]).toEqual([before, OWED, []])
})

test('what has changed since it was proposed is not done', async () => {
  const wrong = await build(600_000)
  const right = await build(600_000, { beside: wrong })
  const id = await pay(wrong, 600_000)
  const first = (await move(id, to(right))).json as { id: string }
  const second = (await reverse(id)).json as { id: string }
  expect((await decide(first.id, 'approve', 'manager')).status).toBe(200)
  expect(told(await decide(second.id, 'approve', 'manager'))).toEqual([400, 'act_not_open'])
  expect([await stateOf(wrong), await stateOf(right), await violated()]).toEqual([
    { status: 'ACTIVATED', owed: 600_000 },
    PAID,
    [],
  ])
})

test('while another payment comes in, each krona counts once', async () => {
  const wrong = await build(84_200)
  const right = await build(84_200, { beside: wrong })
  const id = await pay(wrong)
  const under = await start(right)
  await Promise.all([
    move(id, to(right)),
    approve(right, under),
    takeFiles(fileOf([{ reference: wrong.reference, amountMinor: 84_200 }])),
  ])
  const credit = await rows<{ minor: number }>(
    `select -sum(balance_minor)::int as minor from ledger_account where kind = 'credit' and debtor_id = $1`,
    wrong.debtorId,
  )
  // Three payments of 842.00 came, two debts of 842.00 were owed.
  expect([await stateOf(wrong), await stateOf(right)]).toEqual([PAID, PAID])
  expect(credit).toEqual([{ minor: 84_200 }])
  expect(await violated()).toEqual([])
  expect(context().clock.today('Europe/Stockholm')).toBe(TODAY)
})

test('a target that has been paid in part since a move was proposed is not paid over', async () => {
  const wrong = await build(600_000)
  const right = await build(600_000, { ofCreditorOf: wrong })
  const id = await pay(wrong, 600_000)
  const proposed = await move(id, to(right))
  expect(proposed.json, proposed.text).toMatchObject({
    before: { debt: wrong.number, debtOwes: '0.00', toOwes: '6000.00' },
    after: { to: right.number, debtOwes: '6000.00', toOwes: '0.00', owedBack: '0.00', toDebtor: 'OTHER' },
  })
  await takeFiles(fileOf([{ reference: right.reference, amountMinor: 250_000 }]))
  const { id: proposal } = proposed.json as { id: string }
  expect(told(await decide(proposal, 'approve', 'manager'))).toEqual([409, 'changed_meanwhile'])
  expect([await stateOf(wrong), await stateOf(right), await violated()]).toEqual([
    PAID,
    { status: 'ACTIVATED', owed: 350_000 },
    [],
  ])
})

test('what a move above the limit would owe back is shown to whoever decides', async () => {
  const wrong = await build(600_000)
  const right = await build(100_000, { beside: wrong })
  const id = await pay(wrong, 600_000)
  const proposed = await move(id, to(right))
  expect(proposed.json, proposed.text).toMatchObject({
    before: { toOwes: '1000.00' },
    after: { toOwes: '0.00', owedBack: '5000.00', toDebtor: 'SAME' },
  })
  const { id: proposal } = proposed.json as { id: string }
  expect((await decide(proposal, 'approve', 'manager')).status).toBe(200)
  expect([await stateOf(right), await violated()]).toEqual([PAID, []])
})

test('a move says why, and goes somewhere else', async () => {
  const invoice = await build(84_200)
  const right = await build(84_200, { beside: invoice })
  const large = await build(600_000)
  const id = await pay(invoice)
  for (const reason of [' ', '...'])
    expect(told(await move(id, { ...to(right), reason }))).toEqual([400, 'why_required', 'reason'])
  expect(told(await move(id, { to: { invoice: right.id } }))).toEqual([400, 'invalid_request', 'reason'])
  expect(told(await move(id, to(invoice)))).toEqual([400, 'act_not_open', 'to'])
  expect(told(await ask('finance', `POST /payments/${id}/preview`, { to: { invoice: invoice.id } }))).toEqual(
    [400, 'act_not_open', 'to'],
  )
  const transferred = await transfer(large, 600_000)
  expect(told(await move(transferred, to(large))), 'nor is it proposed').toEqual([400, 'act_not_open', 'to'])
  expect(
    await rows('select from manual_posting where debtor_id = any($1)', [invoice.debtorId, large.debtorId]),
  ).toEqual([])
  expect(await violated()).toEqual([])
})

const ofPayment = async (id: string, column: string) =>
  (await rows<{ of: string }>(`select ${column} as of from ledger_transaction where id = $1`, id))[0]?.of ??
  ''
const counted = (debtorId: string) =>
  rows<{ kind: string; way: string; minor: number }>(
    'select kind, way, amount_minor::int as minor from manual_posting where debtor_id = $1 order by posted_at',
    debtorId,
  )
const byCommand = { by: 'person:kim', reason: 'Fel' }

test('admin.by_hand: what a command did counts for the limit of the day, and asks nobody', async () => {
  const reversed = await build(600_000)
  const id = await pay(reversed, 600_000)
  const { instanceId } = server
  await reverseByHand(context(), { ...byCommand, instanceId, paymentId: await ofPayment(id, 'payment_id') })
  expect(await counted(reversed.debtorId)).toEqual([{ kind: 'REVERSAL', way: 'COMMAND', minor: 600_000 }])
  const small = await build(1_000, { beside: reversed })
  const next = await pay(small, 1_000)
  expect((await reverse(next)).status, 'above it with the command').toBe(202)
  const given = await build(700_000)
  const debt = { kind: 'invoice', name: given.id } as const
  const decision = { act: 'write-off', amount: null } as const
  await decideDebt(context(), { ...byCommand, instanceId, debt, decision })
  expect(await counted(given.debtorId)).toEqual([{ kind: 'WRITE_OFF', way: 'COMMAND', minor: 700_000 }])
  expect(await violated()).toEqual([])
})

test('admin.by_hand: money that has been moved counts for whose debt it is placed on', async () => {
  const wrong = await build(600_000)
  const right = await build(600_000, { ofCreditorOf: wrong })
  const id = await transfer(wrong, 600_000)
  const { instanceId } = server
  const [{ id: lineId }] = (await rows<{ id: string }>(
    'select id from bank_line where $1 = any (payment_references)',
    wrong.reference,
  )) as [{ id: string }]
  expect(id).not.toBe('')
  await movePayment(context(), { ...byCommand, instanceId, lineId, to: undefined })
  expect(await counted(wrong.debtorId)).toEqual([{ kind: 'MOVE', way: 'COMMAND', minor: 600_000 }])
  await placeSuspense(context(), {
    ...byCommand,
    instanceId,
    lineId,
    to: { kind: 'invoice', name: right.id },
  })
  expect(await counted(right.debtorId)).toEqual([{ kind: 'MOVE', way: 'PLACEMENT', minor: 600_000 }])
  const other = await build(1_000, { beside: right })
  expect((await reverse(await pay(other, 1_000))).status).toBe(202)
  expect(await violated()).toEqual([])
})

test('admin.by_hand: what was sent back counts too', async () => {
  const paid = await build(450_000)
  const id = await pay(paid, 450_000)
  const wish = { instanceId: server.instanceId, by: 'person:kim', amount: undefined }
  const paymentId = await ofPayment(id, 'payment_id')
  await orderRefund(server.product.context, { ...wish, paymentId, isWhole: true, isAgain: false })
  const small = await build(60_000, { beside: paid })
  expect((await reverse(await pay(small, 60_000))).status).toBe(202)
})

test('admin.by_hand: no row of the limit is changed or taken away', async () => {
  const invoice = await build(1_000)
  expect((await reverse(await pay(invoice, 1_000))).status).toBe(200)
  for (const text of ['update manual_posting set amount_minor = 1', 'delete from manual_posting'])
    await expect(server.test.owner.query(text)).rejects.toThrow(/append-only/)
})

test('I51 names a deed of an operator’s person that has no row', async () => {
  const [person] = await rows<{ actor: string }>(
    `select 'person:' || person_id || ':' || id as actor from membership where creditor_id is null limit 1`,
  )
  const deed = {
    instanceId: server.instanceId,
    kind: 'payment_reversed',
    by: person?.actor ?? '',
    about: 'payment:0198f000-0000-7000-8000-00000000000a',
    reason: 'x',
    before: {},
    after: {},
  } as const
  const view = statement(
    'test.i51',
    'select violation from inv_i51_hands_keep_the_limit where instance_id = $1',
  )
  let found: object[] = []
  const undone = server.test.db.transaction(async (tx) => {
    await noteDeed(tx, deed)
    found = await tx.rows(view, [server.instanceId])
    throw new Error('taken back')
  })
  await expect(undone).rejects.toThrow('taken back')
  expect(found).toEqual([{ violation: 'no row' }])
})
