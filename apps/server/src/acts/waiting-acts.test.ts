/** Acts that can be taken back for some seconds: kept, done when they are due, or never. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { ACTS } from '../api.ts'
import type { Context } from '../context.ts'
import { openInstances } from '../instances/instances.ts'
import { buildClaim, buildInstanceAccount } from '../testing/build-claim.ts'
import { buildConversation } from '../testing/build-conversation.ts'
import { buildDispute } from '../testing/build-dispute.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { holdKey, signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'
import { doDueActs } from './acts.ts'

let server: TestServer
let first: BuiltInvoice
let one: BuiltInvoice
let clerk: SignedIn
let manager: SignedIn
let emails = 0

beforeAll(async () => {
  server = await startTestServer()
  await buildInstanceAccount(server.test, server.instanceId)
  first = await buildInvoice(server.test, server.instanceId, server.clock)
  clerk = await signIn('clerk')
  manager = await signIn('manager')
})
beforeEach(async () => {
  one = await buildInvoice(server.test, server.instanceId, server.clock, { beside: first })
})

const at = () => ({ instanceId: server.instanceId, creditorId: first.creditorId })
const signIn = (role: 'viewer' | 'clerk' | 'manager', email = `wait-${++emails}@example.com`) =>
  signInStaff(server.product.context, { ...at(), role, email })
const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const PAUSE = { until: addDays(TODAY, 20), reason: 'Väntar på svar' }

type Sent = { readonly by?: SignedIn; readonly key?: string; readonly seconds?: string }
const post = (path: string, body: object | undefined, { by = clerk, key, seconds = '10' }: Sent = {}) =>
  server.call('POST', `/api/client/${path}`, {
    ...(body ? { body } : {}),
    headers: {
      authorization: by.authorization,
      'undo-seconds': seconds,
      ...(key ? { 'idempotency-key': key } : {}),
    },
  })
const pause = (sent: Sent = {}) => post(`invoices/${one.id}/pause`, PAUSE, sent)
const acts = (method: 'GET' | 'DELETE', id: string, by = clerk) =>
  server.call(method, `/api/client/acts/${id}`, {
    headers: { authorization: by.authorization, 'accept-language': 'en' },
  })
const stateOf = async (id: string, by = clerk) => {
  const { state, code, message } = (await acts('GET', id, by)).json as Record<string, unknown>
  return [state, code, message]
}
function idOf({ status, json, text }: Answer): string {
  expect(status, text).toBe(202)
  expect(Object.keys(json)).toEqual(['actId'])
  return (json as { actId: string }).actId
}
const codeOf = ({ status, json }: Answer) => {
  const { code, errors = [] } = json as { code: string; errors?: { field: string }[] }
  return [status, code, ...errors.map(({ field }) => field)]
}
/** The time to take it back is over. */
const due = (id: string) => sql('update waiting_act set next_try_at = now() where id = $1', [id])
const doActs = async (context: Context = server.product.context) =>
  doDueActs({
    context,
    acts: ACTS,
    instances: await openInstances(server.test.db, server.clock).all(),
  })
const statusOf = async (id = one.id) =>
  (await sql('select status from invoice where id = $1', [id]))[0]?.status
const deeds = async (id = one.id) =>
  (
    await sql(`select kind from audit_event where is_deed and about = 'invoice:' || $1 order by seq`, [id])
  ).map(({ kind }) => kind)

test('it waits, is done when the time is over by who asked, and cannot be taken back then', async () => {
  const id = idOf(await pause())
  await doActs()
  expect([await statusOf(), await stateOf(id), await deeds()]).toEqual([
    'ACTIVATED',
    ['WAITING', null, null],
    [],
  ])
  await due(id)
  await doActs()
  expect([await statusOf(), await stateOf(id), await deeds()]).toEqual([
    'PAUSED',
    ['DONE', null, null],
    ['debt_paused'],
  ])
  const [deed] = await sql(`select actor from audit_event where about = 'invoice:' || $1`, [one.id])
  const [{ membership_id: membership, body }] = await sql(
    'select membership_id, body from waiting_act where id = $1',
    [id],
  )
  expect(deed?.actor).toContain(membership)
  expect(body).toBeNull()
  expect(codeOf(await acts('DELETE', id))).toEqual([409, 'act_done'])
  await due(id)
  await doActs()
  expect(await deeds()).toEqual(['debt_paused'])
})

test('ten seconds are ten seconds: nobody does it before, somebody does it then', async () => {
  const id = idOf(await pause({ seconds: '1' }))
  const [{ left }] = await sql(
    'select extract(epoch from due_at - asked_at)::float as left from waiting_act where id = $1',
    [id],
  )
  expect(left).toBeGreaterThan(0.9)
  expect(left).toBeLessThan(1.5)
  await expect
    .poll(async () => doActs().then(() => statusOf()), { timeout: 5_000, interval: 200 })
    .toBe('PAUSED')
})

test('it is taken back, and nothing of it is done; taken back again it is the same', async () => {
  const id = idOf(await pause())
  for (let n = 0; n < 2; n++) {
    const answer = await acts('DELETE', id)
    expect([answer.status, (answer.json as { state: string }).state]).toEqual([200, 'TAKEN_BACK'])
  }
  await due(id)
  await doActs()
  expect([await statusOf(), await stateOf(id), await deeds()]).toEqual([
    'ACTIVATED',
    ['TAKEN_BACK', null, null],
    [],
  ])
})

test('a key that comes again is the same act, also at the same time; another wish under it is refused', async () => {
  const both = await Promise.all([pause({ key: 'k-1' }), pause({ key: 'k-1' })])
  const ids = both.map(idOf)
  expect(ids[0]).toBe(ids[1])
  const again = await pause({ key: 'k-1' })
  expect([idOf(again), again.headers.get('idempotency-hit')]).toEqual([ids[0], 'true'])
  const other = await post(`invoices/${one.id}/pause`, { ...PAUSE, reason: 'Annat' }, { key: 'k-1' })
  expect(codeOf(other)).toEqual([400, 'idempotency_key_reused'])
  expect(codeOf(await pause({ key: 'k-1', seconds: '0' }))).toEqual([400, 'idempotency_key_reused'])
  await due(ids[0] ?? '')
  await doActs()
  expect(idOf(await pause({ key: 'k-1' }))).toBe(ids[0])
  expect(await deeds()).toEqual(['debt_paused'])
})

test('who takes it back while it is being done: exactly one of both happens', async () => {
  const ends = { DONE: 0, TAKEN_BACK: 0 }
  for (let n = 0; n < 12; n++) {
    one = await buildInvoice(server.test, server.instanceId, server.clock, { beside: first })
    const id = idOf(await pause())
    await due(id)
    const [answer] = await Promise.all([
      acts('DELETE', id),
      n % 2 === 0 ? doActs() : Promise.all([doActs(), doActs()]),
    ])
    await doActs()
    const [state] = await stateOf(id)
    ends[state as keyof typeof ends] += 1
    expect([answer.status, await statusOf(), await deeds()]).toEqual(
      state === 'DONE' ? [409, 'PAUSED', ['debt_paused']] : [200, 'ACTIVATED', []],
    )
  }
  expect(ends.DONE + ends.TAKEN_BACK).toBe(12)
})

/** The product's database, whose process dies before the commit of what it does with `table`. */
function dying(table: string): Context {
  const { db } = server.product.context
  let isDead = false
  return {
    ...server.product.context,
    db: {
      ...db,
      transaction: (work) =>
        db.transaction(async (tx) => {
          let isMeant = false
          const rows: typeof tx.rows = (statement, values) => {
            if (statement.text.includes(`update ${table} set state`)) isMeant = true
            return tx.rows(statement, values)
          }
          const done = await work({ ...tx, rows })
          if (isMeant && !isDead) {
            isDead = true
            throw new Error('the process died')
          }
          return done
        }),
    },
  }
}

test('a process that dies before its commit has done nothing, and the next does it once', async () => {
  const id = idOf(await pause())
  await due(id)
  await doActs(dying('waiting_act'))
  expect([await statusOf(), await stateOf(id), await deeds()]).toEqual([
    'ACTIVATED',
    ['WAITING', null, null],
    [],
  ])
  await doActs()
  expect((await stateOf(id))[0], 'whoever died is waited for').toBe('WAITING')
  await due(id)
  await doActs()
  expect([await statusOf(), await stateOf(id), await deeds()]).toEqual([
    'PAUSED',
    ['DONE', null, null],
    ['debt_paused'],
  ])
})

test('what fails again and again for no reason of the business is given up, and says so', async () => {
  const id = idOf(await pause())
  await sql('update waiting_act set tries = 6 where id = $1', [id])
  await due(id)
  await doActs()
  expect((await stateOf(id)).slice(0, 2)).toEqual(['REFUSED', 'internal_error'])
  expect(await statusOf()).toBe('ACTIVATED')
})

describe('what would be refused now is refused now, and nothing waits', () => {
  const waiting = async () =>
    (await sql(`select count(*)::int as n from waiting_act where state = 'WAITING'`))[0]?.n
  test.each(['11', '-1', '1.5', 'ten', '', '1e1'])('Undo-Seconds %j', async (seconds) => {
    expect(codeOf(await pause({ seconds }))).toEqual([400, 'invalid_request', 'Undo-Seconds'])
  })
  test('0 is as without it', async () => {
    expect((await pause({ seconds: '0' })).status).toBe(200)
    expect(await statusOf()).toBe('PAUSED')
  })
  test('right, row, body, state, day', async () => {
    const before = await waiting()
    expect(codeOf(await pause({ by: await signIn('viewer') }))).toEqual([403, 'not_allowed'])
    const other = await buildInvoice(server.test, server.instanceId, server.clock)
    expect(codeOf(await post(`invoices/${other.id}/pause`, PAUSE))).toEqual([404, 'not_found'])
    expect(codeOf(await post(`invoices/${one.id}/pause`, { ...PAUSE, unknown: 1 }))).toEqual([
      400,
      'unknown_field',
      'unknown',
    ])
    expect(codeOf(await post(`invoices/${one.id}/pause`, { ...PAUSE, until: TODAY }))).toEqual([
      400,
      'day_out_of_reach',
      'until',
    ])
    expect(codeOf(await post(`invoices/${one.id}/approve`, undefined))).toEqual([400, 'act_not_open'])
    expect(codeOf(await post(`invoices/${one.id}/credit`, { amount: 900, reason: 'Fel' }))).toEqual([
      400,
      'amount_too_large',
      'amount',
    ])
    expect(await waiting()).toBe(before)
    expect([await statusOf(), await deeds()]).toEqual(['ACTIVATED', []])
  })
  test('what cannot be taken back does not wait', async () => {
    const answer = await post(`invoices/${one.id}/stop`, { reason: 'OTHER' }, { by: manager })
    expect(codeOf(answer)).toEqual([400, 'invalid_request', 'Undo-Seconds'])
    expect(await statusOf()).toBe('ACTIVATED')
  })
})

test('what has changed meanwhile is refused when it is due, and says why', async () => {
  const id = idOf(await post(`invoices/${one.id}/credit`, { reason: 'Fel mätare' }))
  expect((await post(`invoices/${one.id}/credit`, { reason: 'Fel' }, { seconds: '0' })).status).toBe(200)
  await due(id)
  await doActs()
  expect(await stateOf(id)).toEqual(['REFUSED', 'nothing_left', 'Nothing of this is left.'])
  const answer = await acts('DELETE', id)
  expect([answer.status, (answer.json as { state: string }).state]).toEqual([200, 'REFUSED'])
  expect(await deeds()).toEqual(['invoice_credited'])
})

describe('whoever asked is asked for their rights again', () => {
  test('somebody who was removed meanwhile does nothing', async () => {
    const gone = await signIn('clerk', 'gone@example.com')
    const id = idOf(await pause({ by: gone }))
    await sql(
      `update membership set ended_at = now() where person_id = (select id from person where email = 'gone@example.com')`,
    )
    await due(id)
    await doActs()
    expect([await statusOf(), await deeds()]).toEqual(['ACTIVATED', []])
    expect(await sql('select state, code from waiting_act where id = $1', [id])).toEqual([
      { state: 'REFUSED', code: 'not_allowed' },
    ])
  })
  test('nor does somebody whose role may not any more', async () => {
    const lower = await signIn('clerk', 'lower@example.com')
    const id = idOf(await pause({ by: lower }))
    await sql(
      `update membership set role = 'viewer' where person_id = (select id from person where email = 'lower@example.com')`,
    )
    await due(id)
    await doActs()
    expect(await statusOf()).toBe('ACTIVATED')
    expect((await sql('select code from waiting_act where id = $1', [id]))[0]?.code).toBe('not_allowed')
  })
  test('whoever has signed out has asked for it all the same', async () => {
    const out = await signIn('clerk')
    const id = idOf(await pause({ by: out }))
    await server.call('DELETE', '/api/client/session', { headers: { ...out } })
    await due(id)
    await doActs()
    expect(await statusOf()).toBe('PAUSED')
  })
  test('a key with the scope waits and follows; a revoked one does nothing, one without the scope may not', async () => {
    const key = await holdKey(server.product.context, { ...at(), scopes: ['invoices'] })
    const reader = await holdKey(server.product.context, { ...at(), scopes: ['read'] })
    expect(codeOf(await pause({ by: reader }))).toEqual([403, 'not_allowed'])
    const id = idOf(await pause({ by: key }))
    expect(codeOf(await acts('GET', id, reader))).toEqual([403, 'not_allowed'])
    expect((await stateOf(id, key))[0]).toBe('WAITING')
    await sql('update api_key set revoked_at = now() where id = $1', [key.id])
    await due(id)
    await doActs()
    expect(await statusOf()).toBe('ACTIVATED')
  })
})

test('another’s act does not exist: a colleague’s, another creditor’s', async () => {
  const id = idOf(await pause())
  const stranger = await buildInvoice(server.test, server.instanceId, server.clock)
  const other = await signInStaff(server.product.context, {
    instanceId: server.instanceId,
    creditorId: stranger.creditorId,
    role: 'manager',
  })
  for (const by of [manager, other]) {
    expect(codeOf(await acts('GET', id, by))).toEqual([404, 'not_found'])
    expect(codeOf(await acts('DELETE', id, by))).toEqual([404, 'not_found'])
  }
  expect((await stateOf(id))[0]).toBe('WAITING')
})

test('approval, credit and answers wait, on invoices and on claims', async () => {
  const draft = await server.call('POST', '/api/client/invoices', {
    body: {
      debtor: {
        type: 'PERSON',
        name: 'Alva Provlund',
        address: 'Provgatan 1',
        zip: '11122',
        city: 'Stockholm',
        countryCode: 'SE',
      },
      invoiceDate: TODAY,
      expireDate: addDays(TODAY, 30),
      currency: 'SEK',
      rows: [{ description: 'El', quantity: 1, unitPrice: 100, vatPercent: 25 }],
    },
    headers: { ...clerk },
  })
  expect(draft.status, draft.text).toBe(201)
  const { id: draftId } = draft.json as { id: string }
  const disputed = await buildInvoice(server.test, server.instanceId, server.clock, { beside: first })
  const dispute = await buildDispute(server.test, server.clock, disputed)
  const question = await buildConversation(server.test, server.clock, one)
  const asked = await server.call('POST', `/api/public/invoices/${one.reference}/${one.zip}/conversations`, {
    body: { kind: 'SAID_PAID', day: TODAY, amount: 842, how: 'BANK' },
  })
  expect(asked.status, asked.text).toBe(201)
  const answers = [
    await post(`invoices/${draftId}/approve`, undefined),
    await post(`disputes/${dispute.id}/decide`, { decision: 'REJECT', answer: 'Fakturan gäller.' }),
    await post(`conversations/${question.id}/answer`, { text: 'Det är en årsavgift.' }),
    await post(`conversations/${(asked.json as { id: string }).id}/decide`, {
      decision: 'NOT_FOUND',
      answer: 'Inget har kommit.',
    }),
  ]
  const ids = answers.map(idOf)
  const seen = () =>
    sql(
      `select (select status from invoice where id = $1) as draft, (select status from dispute where id = $2) as dispute,
         (select array_agg(status order by status) from conversation where id = any($3)) as threads`,
      [draftId, dispute.id, [question.id, (asked.json as { id: string }).id]],
    )
  expect(await seen()).toEqual([{ draft: 'CREATED', dispute: 'OPEN', threads: ['OPEN', 'OPEN'] }])
  for (const id of ids) await due(id)
  await doActs()
  expect(await Promise.all(ids.map((id) => stateOf(id)))).toEqual(ids.map(() => ['DONE', null, null]))
  expect(await seen()).toEqual([{ draft: 'PENDING', dispute: 'REJECTED', threads: ['ANSWERED', 'ANSWERED'] }])
})

test('a claim is paused later', async () => {
  const claim = await buildClaim(server.test, server.instanceId, server.clock)
  const by = await signInStaff(server.product.context, {
    instanceId: server.instanceId,
    creditorId: claim.invoices[0]?.creditorId ?? '',
    role: 'clerk',
  })
  const id = idOf(await post(`collection-batches/${claim.id}/pause`, PAUSE, { by }))
  await due(id)
  await doActs()
  expect((await sql('select status from claim where id = $1', [claim.id]))[0]?.status).toBe('PAUSED')
})

test('an operator’s person waits, follows and takes back at their own door', async () => {
  const by = await signInStaff(server.product.context, { ...at(), creditorId: null, role: 'manager' })
  const headers = { ...by, 'undo-seconds': '10' }
  const ask = () => server.call('POST', `/api/admin/invoices/${one.id}/pause`, { body: PAUSE, headers })
  const own = (method: string, id: string) =>
    server.call(method, `/api/admin/acts/${id}`, { headers: { ...by } })
  const back = idOf(await ask())
  expect((await own('DELETE', back)).json).toMatchObject({ state: 'TAKEN_BACK' })
  const id = idOf(await ask())
  expect(codeOf(await acts('DELETE', id))).toEqual([404, 'not_found'])
  await due(id)
  await doActs()
  expect((await own('GET', id)).json).toMatchObject({ state: 'DONE' })
  expect([await statusOf(), await deeds()]).toEqual(['PAUSED', ['debt_paused']])
})
