/** A name that opens a file is only as good as what it was made for still is. */
import { beforeAll, describe, expect, test } from 'vitest'
import { buildClaim, buildInstanceAccount } from '../testing/build-claim.ts'
import { buildInstance, buildInvoice, buildPlanSettings, TODAY } from '../testing/build.ts'
import { formWith, PDF } from '../testing/files/sample-files.ts'
import { signIn } from '../testing/sign-in.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let passedMs = 0
beforeAll(async () => {
  server = await startTestServer({ clock: { now: () => Date.now() + passedMs, today: () => TODAY } })
})

type Headers = Record<string, string>
let counter = 0

/** A provider with an invoice and a claim, and how a visitor and its signed-in debtor ask there. */
async function build() {
  const { id, host } = await buildInstance(server.test, { alias: `links-${++counter}`, isDefault: false })
  await buildInstanceAccount(server.test, id)
  // Which providers there are is known for some seconds.
  passedMs += 6_000
  await buildPlanSettings(server.test, id)
  const invoice = await buildInvoice(server.test, id, server.clock, { totalMinor: 300_000 })
  const planned = await buildInvoice(server.test, id, server.clock, { totalMinor: 300_000 })
  const claim = await buildClaim(server.test, id, server.clock)
  const log = (): Promise<Headers> =>
    signIn(server.product.context, id, [
      invoice.debtorId,
      planned.debtorId,
      claim.invoices[0]?.debtorId ?? '',
    ])
  const ask = async (method: 'GET' | 'POST' | 'PUT', url: string, headers: Headers, payload?: object) => {
    const answer = await server.product.app.inject({
      method,
      url,
      headers: { host, ...headers },
      ...(payload ? { payload } : {}),
    })
    expect(answer.statusCode, answer.body.slice(0, 300)).toBeLessThan(url.includes('/storage/') ? 500 : 400)
    return { status: answer.statusCode, json: () => answer.json<never>() }
  }
  const open = async (name: string): Promise<number> => (await ask('GET', `/api/storage/${name}`, {})).status
  return { id, host, invoice, planned, claim, log, ask, open }
}
type World = Awaited<ReturnType<typeof build>>
type Door = 'public' | 'debtor'

function pathsAt(door: Door, { invoice, planned, claim }: World) {
  if (door === 'public') {
    return {
      invoice: (rest = '') => `/api/public/invoices/${invoice.reference}/${invoice.zip}${rest}`,
      options: `/api/public/invoices/${planned.reference}/${planned.zip}/part-payment/options`,
      claim: (rest = '') => `/api/public/collection-batches/${claim.reference}/${claim.zip}${rest}`,
    }
  }
  return {
    invoice: (rest = '') => `/api/debtor/invoices${rest}?paymentReference=${invoice.reference}`,
    options: `/api/debtor/invoices/part-payment/options?paymentReference=${planned.reference}`,
    claim: (rest = '') => `/api/debtor/collection-batches${rest}?paymentReference=${claim.reference}`,
  }
}

/** A name of each kind that a door hands out, by what it opens. */
async function namesAt(door: Door, world: World, headers: Headers): Promise<Record<string, string>> {
  const paths = pathsAt(door, world)
  const { ask } = world
  const options = (await ask('GET', paths.options, headers)).json() as {
    plans: { documents: { terms: string; secci: string } }[]
  }
  const copies = (await ask('GET', paths.invoice('/documents'), headers)).json() as { fileName: string }[]
  const claim = (await ask('GET', paths.claim('/documents'), headers)).json() as {
    document?: { collection: { fileName: string } }
  }
  const dispute = { debtorEmail: 'alva@example.com', reason: 'Fel antal.' }
  await ask('POST', paths.invoice('/dispute'), headers, dispute)
  const { payload, type } = await bytesOf(formWith(PDF, 'kvitto.pdf'))
  const sent = await server.product.app.inject({
    method: 'PUT',
    url: paths.invoice('/dispute/files'),
    headers: { host: world.host, ...headers, 'content-type': type },
    payload,
  })
  return {
    copy: copies[0]?.fileName ?? '',
    demand: claim.document?.collection.fileName ?? '',
    terms: options.plans[0]?.documents.terms ?? '',
    credit: options.plans[0]?.documents.secci ?? '',
    file: sent.json<{ fileName: string }>().fileName,
  }
}

async function bytesOf(form: FormData): Promise<{ payload: Buffer; type: string }> {
  const response = new Response(form)
  return {
    payload: Buffer.from(await response.arrayBuffer()),
    type: response.headers.get('content-type') ?? '',
  }
}

const POWERS = {
  copy: 'documents',
  demand: 'documents',
  terms: 'plans',
  credit: 'plans',
  file: 'disputes',
} as const

/** What a provider decides is known everywhere some seconds later. */
async function decide(world: World, sql: string, value: unknown): Promise<void> {
  await server.test.owner.query(`update instance set ${sql} = $2 where id = $1`, [world.id, value])
  passedMs += 6_000
}

const statuses = async (world: World, names: Record<string, string>): Promise<Record<string, number>> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(names).map(async ([what, name]) => [what, await world.open(name)] as const),
    ),
  )
const all = (status: number) => Object.fromEntries(Object.keys(POWERS).map((what) => [what, status]))

describe('idor.storage: a name that a pair was given', () => {
  test.each(['documents', 'plans', 'disputes'])('opens nothing once the provider keeps %s', async (power) => {
    const world = await build()
    const names = await namesAt('public', world, {})
    expect(await statuses(world, names)).toEqual(all(200))
    await decide(world, 'public_session_policy', [power])
    const kept = Object.entries(POWERS).map(([what, needed]) => [what, needed === power ? 404 : 200])
    expect(await statuses(world, names)).toEqual(Object.fromEntries(kept))
  })

  test('opens nothing once pairs open nothing', async () => {
    const world = await build()
    const names = await namesAt('public', world, {})
    await decide(world, 'logins', ['BANKID'])
    expect(await statuses(world, names)).toEqual(all(404))
  })

  test('cannot be made into that of a session', async () => {
    const world = await build()
    const { copy = '' } = await namesAt('public', world, {})
    expect(await world.open(copy)).toBe(200)
    expect(await world.open(`${copy.slice(0, 23)}1${'A'.repeat(22)}${copy.slice(24)}`)).toBe(404)
  })
})

describe('idor.storage: a name that a signed-in debtor was given', () => {
  test('opens what the provider keeps from pairs, until the debtor logs out', async () => {
    const world = await build()
    const [own, other] = [await world.log(), await world.log()]
    const names = await namesAt('debtor', world, own)
    expect(await statuses(world, names)).toEqual(all(200))
    await decide(world, 'public_session_policy', ['documents', 'plans', 'disputes', 'lists'])
    expect(await statuses(world, names)).toEqual(all(200))
    const ofOther = (
      await world.ask('GET', pathsAt('debtor', world).invoice('/documents'), other)
    ).json() as { fileName: string }[]
    expect((await world.ask('POST', '/api/debtor/logout', own)).status).toBe(204)
    expect(await statuses(world, names)).toEqual(all(404))
    // Of another browser it is another session.
    expect(await world.open(ofOther[0]?.fileName ?? '')).toBe(200)
  })

  test('opens nothing when the session has come to its end', async () => {
    const world = await build()
    const names = await namesAt('debtor', world, await world.log())
    await server.test.owner.query("update session set ends_at = '2020-01-01' where instance_id = $1", [
      world.id,
    ])
    expect(await statuses(world, names)).toEqual(all(404))
  })
})
