/** The account that debtors pay to: two people agree, it waits a day, a manager may stop it, and the one before is shown until then. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { openInstances } from '../instances/instances.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'
import { beginToShow } from './payee-accounts.ts'

let server: TestServer
let invoice: BuiltInvoice
const people = new Map<string, SignedIn>()
const foreign = { instanceId: '', creditorId: '' }

beforeAll(async () => {
  server = await startTestServer()
  const { context } = server.product
  foreign.instanceId = (await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })).id
  foreign.creditorId = (await buildInvoice(server.test, foreign.instanceId, server.clock)).creditorId
  const { instanceId } = server
  for (const [name, role] of [
    ['manager', 'manager'],
    ['second', 'manager'],
    ['approver', 'approver'],
    ['finance', 'finance'],
    ['auditor', 'auditor'],
  ] as const)
    people.set(
      name,
      await signInStaff(context, { instanceId, creditorId: null, role, email: `${name}@example.com` }),
    )
  await server.test.owner.query(
    `insert into payment_account (instance_id, id, scheme, account_number, receiver_name, is_usable, number_key, holder)
     values ($1, gen_random_uuid(), 'BANKGIRO', '640-5070', 'Nordklar AB', true, 'BANKGIRO6405070', 'INSTANCE')`,
    [instanceId],
  )
})
beforeEach(async () => {
  invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  await server.test.owner.query('update payment_account set holder = $2 where creditor_id = $1', [
    invoice.creditorId,
    'CREDITOR',
  ])
})

type Listed = {
  readonly shown: readonly { readonly currency: string; readonly number: string }[]
  readonly accounts: readonly { readonly id: string; readonly state: string; readonly number: string }[]
  readonly proposed: readonly { readonly id: string; readonly number: string }[]
}

const ask = (name: string, method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Answer> =>
  server.call(method, `/api/admin${path}`, {
    ...(body === undefined ? {} : { body }),
    headers: { ...(people.get(name) as SignedIn) },
  })
const told = ({ status, json }: Answer) => {
  const { code, errors } = json as { code?: string; errors?: { field: string }[] }
  return [status, code, ...(errors?.map(({ field }) => field) ?? [])]
}

let used = 0
/** A number that nobody has yet: a Norwegian account by its check digit. */
const freshIban = (): string => {
  used += 1
  const base = `9${String(7_000_000_00 + used).padStart(9, '0')}`.slice(0, 10)
  const sum = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2].reduce((all, weight, at) => all + weight * Number(base[at]), 0)
  const check = (11 - (sum % 11)) % 11
  return check === 10 ? freshIban() : `${base}${check}`
}
const wish = (more: object = {}) => ({
  creditor: invoice.creditorId,
  currency: 'SEK',
  scheme: 'IBAN',
  number: 'SE4550000000058398257466',
  receiverName: 'Fjällström Energi AB',
  ...more,
})
const propose = (more: object = {}, name = 'manager') => ask(name, 'POST', '/payee-accounts', wish(more))
const proposed = async (more: object = {}): Promise<{ id: string }> => {
  const answer = await propose(more)
  expect(answer.status, answer.text).toBe(202)
  return answer.json
}
const approve = (name: string, { id }: { id: string }) => ask(name, 'POST', `/proposals/${id}/approve`)
const list = async (creditor: string | undefined = invoice.creditorId): Promise<Listed> =>
  (await ask('auditor', 'GET', `/payee-accounts${creditor ? `?creditor=${creditor}` : ''}`)).json
/** As if so much had passed since it was agreed: a row that nobody may change is put back by the owner alone. */
const age = async (hours: number, seconds = 0) => {
  const { owner } = server.test
  await owner.query('alter table payee_account disable trigger user')
  await owner.query(
    `update payee_account set agreed_at = now() - make_interval(hours => $1, secs => $2),
       usable_from = now() - make_interval(hours => $1, secs => $2) + interval '24 hours'
     where not exists (select from payee_account_end e where e.payee_id = payee_account.id)`,
    [hours, seconds],
  )
  await owner.query('alter table payee_account enable trigger user')
}
const work = async () =>
  beginToShow(server.product.context, await openInstances(server.test.db, server.clock).all())
const paidTo = async () => {
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-account`
  const { iban, accountNumber } = (await server.call('GET', path)).json as Record<string, string | null>
  return iban ?? accountNumber
}
const norwegian = () => ({ currency: 'NOK', scheme: 'ACCOUNT', number: freshIban() })

test('the debtor is shown the old account until a day after two people have agreed, and then the new one', async () => {
  const number = 'SE4550000000058398257466'
  const proposal = await proposed({ number })
  expect(await list()).toMatchObject({ accounts: [], proposed: [{ id: proposal.id, number }] })
  expect(await paidTo()).toBe('9990-0227')
  expect((await approve('second', proposal)).status).toBe(200)
  await work()
  expect([(await list()).accounts[0]?.state, await paidTo()]).toEqual(['WAITING', '9990-0227'])
  await age(23, 3590)
  await work()
  expect([(await list()).accounts[0]?.state, await paidTo()]).toEqual(['WAITING', '9990-0227'])
  await age(24)
  await Promise.all([work(), work()])
  expect([(await list()).accounts[0]?.state, await paidTo()]).toEqual(['CURRENT', number])
  expect((await list()).shown).toContainEqual(expect.objectContaining({ currency: 'SEK', number }))
  // The old one is still known, and so is the new one: money to either is this creditor's.
  const { rows } = await server.test.owner.query(
    `select p.holder, a.address from payment_account p left join account_address a on a.account_id = p.id
     where p.creditor_id = $1 order by p.created_at`,
    [invoice.creditorId],
  )
  expect(rows).toEqual([
    { holder: 'CREDITOR', address: null },
    { holder: 'CREDITOR', address: `SE IBAN ${number}` },
  ])
  // Each is told once at the proposal and once at the agreement, however many there are.
  const mails = await server.test.owner.query(
    `select kind, recipient from mail_outbox where kind like 'staff_payee%' and recipient in ('manager@example.com', 'second@example.com')
       and cause like any(array['%' || $1 || '%', 'staff_payee_agreed%']) order by 1, 2`,
    [proposal.id],
  )
  expect(mails.rows).toEqual(
    ['staff_payee_agreed', 'staff_payee_proposed'].flatMap((kind) =>
      ['manager@example.com', 'second@example.com'].map((recipient) => ({ kind, recipient })),
    ),
  )
})

test('one manager stops it while it waits, and it is never shown; afterwards it cannot be stopped', async () => {
  const pay = norwegian()
  await approve('approver', await proposed(pay))
  const id = (await list()).accounts[0]?.id
  const stop = (name: string, reason = 'Ingen här känner till det.') =>
    ask(name, 'POST', `/payee-accounts/${id}/stop`, { reason })
  expect(told(await stop('finance'))).toEqual([403, 'not_allowed'])
  expect(told(await stop('manager', ' '))).toEqual([400, 'why_required', 'reason'])
  const answers = await Promise.all([stop('manager'), stop('second')])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(told(answers.find(({ status }) => status === 400) as Answer)).toEqual([400, 'payee_account_over'])
  await age(25)
  await work()
  expect((await list()).accounts).toMatchObject([{ state: 'STOPPED' }])
  await approve('approver', await proposed(pay))
  await age(24)
  const [late] = (await list()).accounts
  expect(told(await ask('manager', 'POST', `/payee-accounts/${late?.id}/stop`, { reason: 'x' }))).toEqual([
    400,
    'payee_account_over',
  ])
  await work()
  expect((await list()).accounts.map(({ state }) => state)).toEqual(['CURRENT', 'STOPPED'])
})

test('it takes two people, one of whom may be an approver; a refused one changes nothing', async () => {
  const pay = norwegian()
  expect(told(await propose(pay, 'finance'))).toEqual([403, 'not_allowed'])
  const proposal = await proposed(pay)
  expect(told(await approve('manager', proposal))).toEqual([400, 'another_person_needed'])
  const as = { instanceId: server.instanceId, creditorId: null, role: 'approver' as const }
  people.set('other hat', await signInStaff(server.product.context, { ...as, email: 'manager@example.com' }))
  expect(told(await approve('other hat', proposal))).toEqual([400, 'another_person_needed'])
  expect(told(await approve('finance', proposal))).toEqual([403, 'not_allowed'])
  expect(told(await propose(pay))).toEqual([400, 'proposal_open'])
  await ask('second', 'POST', `/proposals/${proposal.id}/refuse`, { reason: 'Nej.' })
  expect(await list()).toMatchObject({ accounts: [], proposed: [] })
})

test('while one waits no other is agreed, and one about what has changed since is stale', async () => {
  await approve('approver', await proposed(norwegian()))
  expect(told(await propose(norwegian()))).toEqual([400, 'payee_account_waits'])
  await age(24)
  await work()
  const proposal = await proposed(norwegian())
  // The one before was replaced meanwhile: by hand, as no two can be open.
  await server.test.owner.query(
    `update payment_account set receiver_name = receiver_name where creditor_id = $1`,
    [invoice.creditorId],
  )
  const { rows } = await server.test.owner.query(
    `with g as (insert into payee_account (instance_id, id, creditor_id, currency, scheme, number, receiver_name, holder, proposal_id, agreed_at, usable_from)
       select instance_id, gen_random_uuid(), creditor_id, 'NOK', 'IBAN', 'NO9386011117947', 'Annan AB', 'CREDITOR', id, now() - interval '24 hours', now()
       from proposal where id = $1 returning *)
     select instance_id, id from g`,
    [proposal.id],
  )
  await work()
  expect(rows).toHaveLength(1)
  expect(told(await approve('approver', proposal))).toEqual([409, 'changed_meanwhile'])
})

test('an account of somebody else is refused, and so is a wrong number', async () => {
  const own = { scheme: 'BANKGIRO', number: '640-5070' }
  await server.test.owner.query(
    `insert into account_address (instance_id, account_id, address)
     select instance_id, id, 'SE BANKGIRO 6405070' from payment_account where number_key = 'BANKGIRO6405070' on conflict do nothing`,
  )
  expect(told(await propose(own))).toEqual([400, 'payee_account_taken', 'number'])
  for (const [more, field] of [
    [{ number: 'SE4550000000058398257467' }, 'number'],
    [{ scheme: 'BANKGIRO', number: '5555-5552' }, 'number'],
    [{ scheme: 'BANKGIRO', number: '5555-5551', currency: 'EUR' }, 'currency'],
    [{ scheme: 'ACCOUNT', number: '97000000013', currency: 'NOK' }, 'number'],
    [{ scheme: 'ACCOUNT', number: '12345678901' }, 'currency'],
    [{ receiverName: ' ' }, 'receiverName'],
    [{ creditor: undefined, holder: 'CREDITOR' }, 'holder'],
  ] as const)
    expect(told(await propose(more)), field).toEqual([400, 'invalid_request', field])
  expect(await list()).toMatchObject({ accounts: [], proposed: [] })
})

test('a number that is shown as another one here, or is our own for another currency, is refused', async () => {
  // The creditor's bankgiro has an IBAN as a further address: debtors would go on being shown the bankgiro.
  const number = 'SE3550000000054910000003'
  await server.test.owner.query(
    `insert into account_address (instance_id, account_id, address)
     select instance_id, id, 'SE IBAN ' || $2 from payment_account where creditor_id = $1 and scheme = 'BANKGIRO'`,
    [invoice.creditorId, number],
  )
  expect(told(await propose({ number }))).toEqual([400, 'payee_account_taken', 'number'])
  const own = { creditor: undefined, number: 'FI2112345600000785', receiverName: 'Nordklar AB' }
  await approve('approver', await proposed({ ...own, currency: 'EUR' }))
  await age(24)
  await work()
  expect((await list('')).shown).toContainEqual(
    expect.objectContaining({ currency: 'EUR', number: own.number }),
  )
  expect(told(await propose({ ...own, currency: 'SEK' }))).toEqual([400, 'payee_account_taken', 'number'])
})

test('what a claim has billed is paid to the provider, whatever was agreed for the creditor', async () => {
  const number = 'SE7280000810340009783242'
  await approve('approver', await proposed({ number }))
  await age(24)
  await work()
  expect(await paidTo()).toBe(number)
  // An interest invoice or an instalment of a claim names no account.
  await server.test.owner.query(
    `update invoice set type = 'INTEREST_INVOICE', payment_account_id = null where id = $1`,
    [invoice.id],
  )
  const own = (await list('')).shown.find(({ currency }) => currency === 'SEK')
  expect((await paidTo())?.replace('-', '')).toBe(own?.number)
})

test('somebody else who has the number when the day is over keeps it', async () => {
  const pay = norwegian()
  const id = await (async () => {
    await approve('approver', await proposed(pay))
    return (await list()).accounts[0]
  })()
  await server.test.owner.query(
    `with a as (insert into payment_account (instance_id, id, scheme, iban, receiver_name, is_usable, number_key, holder, currency)
       values ($1, gen_random_uuid(), 'IBAN', $2, 'En annan', true, $2, 'INSTANCE', 'NOK') returning instance_id, id)
     insert into account_address (instance_id, account_id, address) select instance_id, id, 'NO IBAN ' || $2 from a`,
    [server.instanceId, id?.number],
  )
  await age(24)
  await work()
  expect((await list()).accounts).toMatchObject([{ state: 'STOPPED', stoppedBy: null }])
})

test('the provider’s own account is changed in the same way, and every debtor of its is shown it', async () => {
  const own = await list('')
  expect(own.shown[0]).toMatchObject({ currency: 'SEK', number: '6405070' })
  const number = '55555551'
  const as = { creditor: undefined, scheme: 'BANKGIRO', number, receiverName: 'Nordklar AB' }
  const proposal = await proposed(as)
  expect((proposal as { creditor?: unknown }).creditor).toBeNull()
  await approve('approver', proposal)
  expect((await list('')).shown[0]?.number).toBe('6405070')
  await age(24)
  await work()
  expect((await list('')).shown[0]?.number).toBe(number)
  expect(told(await propose(as))).toEqual([400, 'invalid_request', 'number'])
})

test('another provider’s accounts and creditors do not exist', async () => {
  const path = `/payee-accounts?creditor=${foreign.creditorId}`
  expect(told(await ask('manager', 'GET', path))).toEqual([404, 'not_found'])
  expect(told(await propose({ creditor: foreign.creditorId }))).toEqual([404, 'not_found'])
  const stop = '/payee-accounts/00000000-0000-4000-8000-000000000000/stop'
  expect(told(await ask('manager', 'POST', stop, { reason: 'x' }))).toEqual([404, 'not_found'])
})

test('the creditor’s own call takes one too, from a manager', async () => {
  const { creditor: _creditor, ...pay } = wish(norwegian())
  const body = { paymentAccounts: [{ ...pay, use: 'RECEIVE' }] }
  const put = (name: string) => ask(name, 'PUT', `/clients/${invoice.creditorId}`, body)
  expect(told(await put('finance'))).toEqual([403, 'not_allowed'])
  expect((await put('manager')).status).toBe(202)
  expect((await list()).proposed).toHaveLength(1)
})
