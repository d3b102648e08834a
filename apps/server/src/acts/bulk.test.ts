/** One act for many rows: exactly those that somebody has seen, each once, and what is refused says why. */
import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { ACTS } from '../api.ts'
import type { Context } from '../context.ts'
import { openInstances } from '../instances/instances.ts'
import { buildClaim, buildInstanceAccount } from '../testing/build-claim.ts'
import { buildDispute } from '../testing/build-dispute.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { holdKey, signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'
import { doBulks } from './acts.ts'

let server: TestServer
let first: BuiltInvoice
let stranger: BuiltInvoice
let clerk: SignedIn
let manager: SignedIn
let three: BuiltInvoice[]

beforeAll(async () => {
  server = await startTestServer()
  await buildInstanceAccount(server.test, server.instanceId)
  first = await buildInvoice(server.test, server.instanceId, server.clock)
  stranger = await buildInvoice(server.test, server.instanceId, server.clock)
  clerk = await signIn('clerk')
  manager = await signIn('manager')
})
const build = () => buildInvoice(server.test, server.instanceId, server.clock, { beside: first })
beforeEach(async () => {
  three = [await build(), await build(), await build()]
})

const at = () => ({ instanceId: server.instanceId, creditorId: first.creditorId })
const signIn = (role: 'viewer' | 'clerk' | 'manager') =>
  signInStaff(server.product.context, { ...at(), role })
const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const ids = (of = three) => of.map(({ id }) => id)
const PAUSE = { until: addDays(TODAY, 20), reason: 'Väntar på svar' }
const SEEN = { expectedCount: 3, expectedSum: 2526 }

type Sent = { readonly by?: SignedIn; readonly key?: string; readonly resource?: string }
const many = (act: string, body: object, { by = clerk, key, resource = 'invoices' }: Sent = {}) =>
  server.call('POST', `/api/client/${resource}/acts/${act}`, {
    body,
    headers: {
      authorization: by.authorization,
      'accept-language': 'en',
      ...(key ? { 'idempotency-key': key } : {}),
    },
  })
type Told = {
  id: string
  done: number
  left: number
  refused: { id: string; code: string }[]
  reasons: object[]
}
function told({ status, json, text }: Answer): Told {
  expect(status, text).toBe(202)
  return json
}
const follow = async (id: string, by = clerk) =>
  server.call('GET', `/api/client/bulk/${id}`, { headers: { authorization: by.authorization } })
const codeOf = ({ status, json }: Answer) => {
  const { code, errors = [] } = json as { code: string; errors?: { field: string }[] }
  return [status, code, ...errors.map(({ field }) => field)]
}
const statuses = async (of = ids()) =>
  (await sql('select status from invoice where id = any($1) order by id', [of])).map(({ status }) => status)
const deeds = async (of = ids()) =>
  (
    await sql(
      `select kind from audit_event where is_deed and about = any(select 'invoice:' || x from unnest($1::text[]) x)`,
      [of],
    )
  ).map(({ kind }) => kind)
const goOn = async (context: Context = server.product.context) =>
  doBulks({ context, acts: ACTS, instances: await openInstances(server.test.db, server.clock).all() })
const draft = async () => {
  const answer = await server.call('POST', '/api/client/invoices', {
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
  return (answer.json as { id: string }).id
}

test('those that are named: each once, one deed each', async () => {
  const answer = told(await many('pause', { ids: ids(), ...SEEN, ...PAUSE }))
  expect(answer).toMatchObject({ done: 3, left: 0, refused: [], reasons: [] })
  expect(await statuses()).toEqual(['PAUSED', 'PAUSED', 'PAUSED'])
  expect(await deeds()).toEqual(['debt_paused', 'debt_paused', 'debt_paused'])
  expect((await follow(answer.id)).json).toEqual(answer)
})

test('all that a search finds, and nobody else’s; the sum is asked for before', async () => {
  const search = { 'statuses.main': 'CREATED' }
  const drafts = [await draft(), await draft()]
  const sum = await server.call('POST', '/api/client/invoices/sum', {
    body: { search },
    headers: { ...clerk },
  })
  expect(sum.json).toEqual({ count: 2, sum: 250, currencies: [{ currency: 'SEK', sum: 250 }] })
  const answer = told(await many('approve', { search, expectedCount: 2, expectedSum: '250.00' }))
  expect(answer).toMatchObject({ done: 2, left: 0, refused: [] })
  expect(await statuses(drafts)).toEqual(['PENDING', 'PENDING'])
  expect(await statuses([stranger.id])).toEqual(['ACTIVATED'])
})

test('another count or sum than somebody has seen: 409, and nothing is done', async () => {
  for (const [seen, field] of [
    [{ expectedCount: 2 }, 'expectedCount'],
    [{ expectedCount: 4, expectedSum: 2526 }, 'expectedCount'],
    [{ expectedCount: 3, expectedSum: 2526.01 }, 'expectedSum'],
    [{ expectedSum: '1' }, 'expectedSum'],
  ] as const) {
    expect(codeOf(await many('pause', { ids: ids(), ...seen, ...PAUSE }))).toEqual([
      409,
      'selection_changed',
      field,
    ])
  }
  const search = { id: ids().join('[OR]') }
  expect(codeOf(await many('pause', { search, expectedCount: 2, ...PAUSE }))).toEqual([
    409,
    'selection_changed',
    'expectedCount',
  ])
  expect([await statuses(), await deeds()]).toEqual([['ACTIVATED', 'ACTIVATED', 'ACTIVATED'], []])
  expect(told(await many('pause', { search, ...SEEN, ...PAUSE })).done).toBe(3)
})

test('rows of others do not exist', async () => {
  const body = { ids: [...ids(), stranger.id], ...PAUSE }
  expect(codeOf(await many('pause', { ...body, expectedCount: 4 }))).toEqual([
    409,
    'selection_changed',
    'expectedCount',
  ])
  const answer = told(await many('pause', body))
  expect(answer).toMatchObject({ done: 3, refused: [{ id: stranger.id, code: 'not_found' }] })
  expect(await statuses([stranger.id])).toEqual(['ACTIVATED'])
  const sum = await server.call('POST', '/api/client/invoices/sum', {
    body: { ids: body.ids },
    headers: { ...clerk },
  })
  expect((sum.json as { count: number }).count).toBe(3)
})

test('what is refused is named with its code and its words, and keeps none of the others', async () => {
  const [one] = ids()
  await server.call('POST', `/api/client/invoices/${one}/pause`, {
    body: { ...PAUSE, reason: 'Annat' },
    headers: { ...clerk },
  })
  const answer = told(await many('pause', { ids: ids(), ...SEEN, ...PAUSE }))
  expect(answer).toMatchObject({
    done: 2,
    left: 0,
    refused: [{ id: one, code: 'paused_already' }],
    reasons: [{ code: 'paused_already', message: expect.stringMatching(/paused/) }],
  })
})

describe('each act', () => {
  test.each([
    ['resume', {}, ['ACTIVATED', 'ACTIVATED', 'ACTIVATED']],
    ['credit', { reason: 'Fel mätare' }, ['CLOSED', 'CLOSED', 'CLOSED']],
    ['write-off', { reason: 'Kulans' }, ['STOPPED', 'STOPPED', 'STOPPED']],
    ['stop', { reason: 'OTHER' }, ['STOPPED', 'STOPPED', 'STOPPED']],
    ['to-collection', { ground: 'Betalar aldrig' }, ['ACTIVATED', 'ACTIVATED', 'ACTIVATED']],
  ] as const)('%s, of invoices', async (act, body, after) => {
    if (act === 'resume') await many('pause', { ids: ids(), ...PAUSE })
    const answer = await many(act, { ids: ids(), ...SEEN, ...body }, { by: manager })
    expect(told(answer), answer.text).toMatchObject({ done: 3, refused: [] })
    expect(await statuses()).toEqual(after)
    expect((await deeds()).length).toBe(act === 'resume' ? 6 : 3)
  })
  test('waive: there is nothing to waive, and each says so', async () => {
    const answer = told(await many('waive', { ids: ids(), costs: true, reason: 'Kulans' }))
    expect(answer).toMatchObject({ done: 0, left: 0 })
    expect(answer.refused.map(({ code }) => code)).toEqual(['nothing_left', 'nothing_left', 'nothing_left'])
    expect(codeOf(await many('waive', { ids: ids(), reason: 'Kulans' }))).toEqual([
      400,
      'invalid_request',
      'costs',
      'interest',
    ])
  })
  test('of claims', async () => {
    const claim = await buildClaim(server.test, server.instanceId, server.clock)
    const by = await signInStaff(server.product.context, {
      instanceId: server.instanceId,
      creditorId: claim.invoices[0]?.creditorId ?? '',
      role: 'manager',
    })
    const sent = { by, resource: 'collection-batches' }
    const statusOf = async () => (await sql('select status from claim where id = $1', [claim.id]))[0]?.status
    const seen: string[] = []
    for (const [act, body] of [
      ['pause', PAUSE],
      ['resume', {}],
      ['stop', { reason: 'OTHER' }],
    ] as const) {
      expect(told(await many(act, { ids: [claim.id], expectedCount: 1, ...body }, sent))).toMatchObject({
        done: 1,
      })
      seen.push(await statusOf())
    }
    expect(seen).toEqual(['PAUSED', 'RESUME', 'STOPPED'])
  })
  test('of tasks: to somebody, and aside', async () => {
    const tasks: string[] = []
    for (const invoice of three) tasks.push((await buildDispute(server.test, server.clock, invoice)).taskId)
    const [{ id: membership }] = await sql(
      `select id from membership where creditor_id = $1 and role = 'clerk' limit 1`,
      [first.creditorId],
    )
    const sent = { resource: 'tasks' }
    expect(
      told(await many('assign', { ids: tasks, expectedCount: 3, assignee: membership }, sent)),
    ).toMatchObject({ done: 3 })
    expect(told(await many('snooze', { ids: tasks, until: addDays(TODAY, 2) }, sent))).toMatchObject({
      done: 3,
    })
    expect(
      await sql(
        'select count(*)::int as n from task where id = any($1) and assignee_id = $2 and snoozed_until is not null',
        [tasks, membership],
      ),
    ).toEqual([{ n: 3 }])
    expect(codeOf(await many('assign', { ids: tasks, assignee: first.id }, sent))).toEqual([
      400,
      'assignee_unknown',
      'assignee',
    ])
  })
})

test('more of them at once than there are connections wait for each other, and all are answered', async () => {
  const { taskId } = await buildDispute(server.test, server.clock, three[0] as BuiltInvoice)
  const asked = Array.from({ length: 40 }, () =>
    many('assign', { ids: [taskId], assignee: first.id }, { resource: 'tasks' }),
  )
  for (const answer of await Promise.all(asked))
    expect(codeOf(answer)).toEqual([400, 'assignee_unknown', 'assignee'])
})

test('ids in capitals are the same rows', async () => {
  const shouted = ids().map((id) => id.toUpperCase())
  expect(told(await many('pause', { ids: shouted, ...SEEN, ...PAUSE }))).toMatchObject({
    done: 3,
    refused: [],
  })
})

test('the longest list is read: each of its rows is told', async () => {
  const longest = Array.from({ length: 10_000 }, () => randomUUID())
  const answer = told(await many('pause', { ids: longest, ...PAUSE }))
  expect(answer).toMatchObject({ done: 0, left: 0 })
  expect(answer.refused).toHaveLength(10_000)
})

test('a kind of stop with the longest note is done', async () => {
  const body = { ids: ids(), ...SEEN, reason: 'DEBT_RELIEF', note: 'é'.repeat(500) }
  expect(told(await many('stop', body, { by: manager }))).toMatchObject({ done: 3, refused: [] })
})

test.each(['\u0000', '\ud800'])(
  'a reason with %j, which nothing keeps, is refused with its field',
  async (bad) => {
    const reason = `Väntar${bad}`
    const body = { ...PAUSE, reason }
    expect(codeOf(await many('pause', { ids: ids(), ...body }))).toEqual([400, 'invalid_request', 'reason'])
    for (const headers of [{}, { 'undo-seconds': '10' }])
      expect(
        codeOf(
          await server.call('POST', `/api/client/invoices/${first.id}/pause`, {
            body,
            headers: { ...clerk, ...headers },
          }),
        ),
      ).toEqual([400, 'invalid_request', 'reason'])
  },
)

test.each([
  ['neither', { expectedCount: 1 }, ['invalid_request', 'ids', 'search']],
  [
    'both',
    { ids: ['00000000-0000-7000-8000-000000000000'], search: {}, expectedCount: 1 },
    ['invalid_request', 'ids', 'search'],
  ],
  ['a search without its count', { search: {} }, ['invalid_request', 'expectedCount']],
  ['an unknown filter', { search: { colour: 'red' }, expectedCount: 1 }, ['invalid_filter', 'search.colour']],
  ['no ids', { ids: [] }, ['invalid_request', 'ids']],
  ['no uuid', { ids: ['1 or 1=1'] }, ['invalid_request', 'ids.0']],
  [
    'a sum that is none',
    { ids: ['00000000-0000-7000-8000-000000000000'], expectedSum: 'much' },
    ['amount_malformed', 'expectedSum'],
  ],
  [
    'a field that it does not have',
    { ids: ['00000000-0000-7000-8000-000000000000'], amount: 1 },
    ['unknown_field', 'amount'],
  ],
])('%s is 400', async (_, selection, refused) => {
  const before = await sql('select count(*)::int as n from bulk_act')
  expect(codeOf(await many('pause', { ...selection, ...PAUSE }))).toEqual([400, ...refused])
  expect(await sql('select count(*)::int as n from bulk_act')).toEqual(before)
})

test('what no row could be done with is refused before', async () => {
  expect(codeOf(await many('pause', { ids: ids(), ...PAUSE, until: TODAY }))).toEqual([
    400,
    'day_out_of_reach',
    'until',
  ])
  expect(codeOf(await many('pause', { ids: ids(), ...PAUSE, until: addDays(TODAY, 91) }))).toEqual([
    400,
    'day_out_of_reach',
    'until',
  ])
  expect(codeOf(await many('credit', { ids: ids(), reason: ' ' }))).toEqual([400, 'why_required', 'reason'])
})

test('the right is the act’s own', async () => {
  const body = { ids: ids(), ...SEEN }
  expect(codeOf(await many('write-off', { ...body, reason: 'Kulans' }))).toEqual([403, 'not_allowed'])
  expect(codeOf(await many('pause', { ...body, ...PAUSE }, { by: await signIn('viewer') }))).toEqual([
    403,
    'not_allowed',
  ])
  const key = await holdKey(server.product.context, { ...at(), scopes: ['invoices'] })
  expect(codeOf(await many('stop', { ...body, reason: 'OTHER' }, { by: key }))).toEqual([403, 'not_allowed'])
  const answer = told(await many('pause', { ...body, ...PAUSE }, { by: key }))
  expect(answer.done).toBe(3)
  expect(codeOf(await follow(answer.id))).toEqual([404, 'not_found'])
  expect((await follow(answer.id, key)).status).toBe(200)
})

test('twins under one key are one act, and each row is done once', async () => {
  const body = { ids: ids(), ...SEEN, reason: 'Fel mätare' }
  const twins = await Promise.all(Array.from({ length: 4 }, () => many('credit', body, { key: 'many-1' })))
  const answers = twins.map(told)
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
  const again = await many('credit', body, { key: 'many-1' })
  expect([told(again).done, again.headers.get('idempotency-hit')]).toEqual([3, 'true'])
  expect(await deeds()).toEqual(['invoice_credited', 'invoice_credited', 'invoice_credited'])
  const [{ n }] = await sql('select count(*)::int as n from credit_note where invoice_id = any($1)', [ids()])
  expect(n).toBe(3)
  expect(codeOf(await many('credit', { ...body, reason: 'Annat' }, { key: 'many-1' }))).toEqual([
    400,
    'idempotency_key_reused',
  ])
})

test('two acts for the same rows, at the same time: each row has one of them', async () => {
  const [paused, credited] = await Promise.all([
    many('pause', { ids: ids(), ...PAUSE }),
    many('credit', { ids: ids(), reason: 'Fel' }),
  ])
  expect([told(paused).left, told(credited).left]).toEqual([0, 0])
  expect(told(credited).done).toBe(3)
  expect(await statuses()).toEqual(['CLOSED', 'CLOSED', 'CLOSED'])
})

/** The product's database, whose process dies before the commit of its `nth` row. */
function dyingAt(nth: number): Context {
  const { db } = server.product.context
  let ended = 0
  return {
    ...server.product.context,
    db: {
      ...db,
      rows: (statement, values) => {
        if (ended >= nth) throw new Error('the process is dead')
        return db.rows(statement, values)
      },
      transaction: (work) => {
        if (ended >= nth) throw new Error('the process is dead')
        return db.transaction(async (tx) => {
          const rows: typeof tx.rows = (statement, values) => {
            if (statement.text.includes('update bulk_row set state')) ended += 1
            return tx.rows(statement, values)
          }
          const done = await work({ ...tx, rows })
          if (ended >= nth) throw new Error('the process died')
          return done
        })
      },
    },
  }
}

test('many go on in a job; a process that dies between rows leaves the rest, and each is done once', async () => {
  const big = [...three]
  while (big.length < 60) big.push(await build())
  const body = { ids: ids(big), expectedCount: 60, expectedSum: 60 * 842, ...PAUSE }
  const answer = told(await many('pause', body, { key: 'big' }))
  expect(answer).toMatchObject({ done: 0, left: 60, refused: [] })
  await expect(goOn(dyingAt(8))).rejects.toThrow('dead')
  const broken = (await follow(answer.id)).json as Told
  expect(broken).toMatchObject({ done: 7, left: 53 })
  await goOn()
  expect(((await follow(answer.id)).json as Told).left, 'whoever died is waited for').toBe(53)
  await sql('update bulk_act set taken_until = now() where id = $1', [answer.id])
  await Promise.all([goOn(), goOn()])
  expect((await follow(answer.id)).json).toMatchObject({ done: 60, left: 0, refused: [] })
  expect((await deeds(ids(big))).length).toBe(60)
  expect(
    (await sql('select ended_at is not null as is_over from bulk_act where id = $1', [answer.id]))[0],
  ).toEqual({ is_over: true })
  expect(told(await many('pause', body, { key: 'big' }))).toMatchObject({ id: answer.id, done: 60 })
})

test('somebody who is removed meanwhile does nothing more', async () => {
  const gone = await signInStaff(server.product.context, {
    ...at(),
    role: 'clerk',
    email: 'gone@example.com',
  })
  const big = [...three]
  while (big.length < 51) big.push(await build())
  const answer = told(await many('pause', { ids: ids(big), ...PAUSE }, { by: gone }))
  await sql(
    `update membership set ended_at = now() where person_id = (select id from person where email = 'gone@example.com')`,
  )
  await goOn()
  const codes = await sql(
    'select state, code, count(*)::int as n from bulk_row where bulk_id = $1 group by 1, 2',
    [answer.id],
  )
  expect(codes).toEqual([{ state: 'REFUSED', code: 'not_allowed', n: 51 }])
  expect(await deeds(ids(big))).toEqual([])
})

describe('many that can be taken back', () => {
  const later = (act: string, body: object, { by = clerk, key = randomUUID(), seconds = '10' } = {}) =>
    server.call('POST', `/api/client/invoices/acts/${act}`, {
      body,
      headers: { ...by, 'accept-language': 'en', 'idempotency-key': key, 'undo-seconds': seconds },
    })
  const takeBack = (id: string, by = clerk) =>
    server.call('DELETE', `/api/client/bulk/${id}`, { headers: { authorization: by.authorization } })
  const makeDue = (id: string) => sql('update bulk_act set taken_until = now() where id = $1', [id])
  const of = (answer: Answer) => told(answer) as Told & { dueAt: string | null; isTakenBack: boolean }

  test('wait, are done when they are due, and say what those came to with which it was done', async () => {
    const key = randomUUID()
    const answer = of(await later('pause', { ids: ids(), ...SEEN, ...PAUSE }, { key }))
    expect(answer).toMatchObject({ done: 0, left: 3, currencies: [], isTakenBack: false })
    const wait = Date.parse(answer.dueAt ?? '') - Date.now()
    expect(wait).toBeGreaterThan(5_000)
    expect(wait).toBeLessThan(11_000)
    // Neither the job nor whoever repeats it begins before.
    await goOn()
    expect(of(await later('pause', { ids: ids(), ...SEEN, ...PAUSE }, { key }))).toEqual(answer)
    expect(await statuses()).toEqual(['ACTIVATED', 'ACTIVATED', 'ACTIVATED'])
    await server.call('POST', `/api/client/invoices/${ids()[0]}/pause`, {
      body: { ...PAUSE, reason: 'Annat' },
      headers: { ...clerk },
    })
    await makeDue(answer.id)
    await goOn()
    expect((await follow(answer.id)).json).toMatchObject({
      done: 2,
      left: 0,
      refused: [{ code: 'paused_already' }],
      currencies: [{ currency: 'SEK', sum: 1684 }],
    })
    expect(codeOf(await takeBack(answer.id))).toEqual([409, 'act_done'])
  })

  test('are taken back: nothing is done, now or later, however often it is said', async () => {
    const { id } = of(await later('credit', { ids: ids(), ...SEEN, reason: 'Fel mätare' }))
    for (const { status, json } of await Promise.all([takeBack(id), takeBack(id)]))
      expect([status, json]).toEqual([200, expect.objectContaining({ isTakenBack: true, done: 0, left: 0 })])
    await makeDue(id)
    await goOn()
    expect([await statuses(), await deeds()]).toEqual([['ACTIVATED', 'ACTIVATED', 'ACTIVATED'], []])
    const [{ n }] = await sql('select count(*)::int as n from bulk_act where id = $1 and body is not null', [
      id,
    ])
    expect(n).toBe(0)
  })

  test('of both at once, one: all of it is done, or nothing', async () => {
    for (let round = 0; round < 6; round += 1) {
      const rows = [await build(), await build(), await build()]
      const { id } = of(await later('pause', { ids: ids(rows), ...PAUSE }))
      await makeDue(id)
      const [back] = await Promise.all([takeBack(id), goOn()])
      const after = await statuses(ids(rows))
      expect(new Set(after).size).toBe(1)
      expect(after[0]).toBe(back.status === 200 ? 'ACTIVATED' : 'PAUSED')
    }
  })

  test('are not taken back when a process that says of no act that it has begun has done one', async () => {
    const { id } = of(await later('pause', { ids: ids(), ...SEEN, ...PAUSE }))
    await makeDue(id)
    await goOn()
    // As the release before leaves it, that dies after one of three.
    await sql('update bulk_act set begun_at = null, ended_at = null where id = $1', [id])
    await sql(`update bulk_row set state = 'LEFT' where bulk_id = $1 and place > 1`, [id])
    expect(codeOf(await takeBack(id))).toEqual([409, 'act_done'])
    expect(await sql('select taken_back_at from bulk_act where id = $1', [id])).toEqual([
      { taken_back_at: null },
    ])
  })

  test('are not taken back under whoever is just doing one of them', async () => {
    const { id } = of(await later('pause', { ids: ids(), ...SEEN, ...PAUSE }))
    const doing = await server.test.owner.connect()
    try {
      await doing.query('begin')
      await doing.query(`update bulk_row set state = 'DONE' where bulk_id = $1 and place = 1`, [id])
      const back = takeBack(id)
      await new Promise((resolve) => setTimeout(resolve, 300))
      await doing.query('commit')
      expect(codeOf(await back)).toEqual([409, 'act_done'])
      expect(await statuses()).toEqual(['ACTIVATED', 'ACTIVATED', 'ACTIVATED'])
    } finally {
      doing.release()
    }
  })

  test('are nobody else’s to take back, and only some acts can wait', async () => {
    const { id } = of(await later('pause', { ids: ids(), ...SEEN, ...PAUSE }))
    expect((await takeBack(id, manager)).status).toBe(404)
    expect((await takeBack(id)).status).toBe(200)
    for (const [act, body] of [
      ['stop', { reason: 'OTHER' }],
      ['write-off', { reason: 'Kulans' }],
      ['to-collection', { ground: 'Nej' }],
      ['resume', {}],
    ] as const)
      expect(codeOf(await later(act, { ids: ids(), ...body }, { by: manager }))).toEqual([
        400,
        'invalid_request',
        'Undo-Seconds',
      ])
    expect(codeOf(await later('pause', { ids: ids(), ...PAUSE }, { seconds: '11' }))).toEqual([
      400,
      'invalid_request',
      'Undo-Seconds',
    ])
    const atOnce = told(await many('pause', { ids: ids(), ...SEEN, ...PAUSE }))
    expect(codeOf(await takeBack(atOnce.id))).toEqual([409, 'act_done'])
  })
})
