/**
 * Who may do what with whose things: every call that exists, behind each of its doors and paths, by everybody, with
 * everybody's things. A new call is in here by itself; one that needs a body says which in BODIES.
 */
import { beforeAll, expect, test } from 'vitest'
import { describeSchema } from '@kvitt/domain/schema.contract.ts'
import { BINDINGS } from './api.ts'
import { pathsOf } from './platform/http/serve.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from './testing/build.ts'
import { buildClaim, buildInstanceAccount } from './testing/build-claim.ts'
import { formWith, PDF } from './testing/files/sample-files.ts'
import { signIn } from './testing/sign-in.ts'
import { startTestServer, type Answer, type TestServer } from './testing/start-test-server.ts'
import { askForBooksAtEnd } from './testing/test-database.ts'

askForBooksAtEnd()

type Whose = 'A' | 'B' | 'foreign'
const EVERYBODY: readonly Whose[] = ['A', 'B', 'foreign']
const NAMES: Record<Whose, string> = {
  A: 'Alva Provlund',
  B: 'Berit Annansson',
  foreign: 'Clas Utlandström',
}

/** What is asked about: an invoice or a claim. */
type Thing = Pick<BuiltInvoice, 'instanceId' | 'id' | 'reference' | 'zip' | 'number' | 'debtorId'>
type World = Record<Whose, { readonly invoice: Thing; readonly claim: Thing }>

/** Subjects of which everybody in here has something. */
const OF: Readonly<Record<string, 'invoice' | 'claim'>> = {
  invoices: 'invoice',
  clients: 'invoice',
  'collection-batches': 'claim',
}
const payment = () => ({ paymentDate: '2026-11-20', amount: '842.00', redirectUri: `${server.origin}/` })
const objection = () => ({ debtorEmail: 'a@example.com', reason: 'Fel antal.' })
const question = () => ({ kind: 'QUESTION', text: 'Vad avser detta?' })
const more = () => ({ conversation: '00000000-0000-7000-8000-000000000000', text: 'En sak till.' })
const takenBack = () => ({ conversation: '00000000-0000-7000-8000-000000000000', answer: 'WITHDRAW' })
const plan = () => ({ type: 'PLAN_3', annuity: 3 })
const BODIES: Readonly<Record<string, () => unknown>> = {
  startPayment: payment,
  startClaimPayment: payment,
  disputeInvoice: objection,
  disputeClaim: objection,
  startPartPayment: plan,
  startClaimPartPayment: plan,
  askOnInvoice: question,
  askOnClaim: question,
  writeOnInvoice: more,
  answerPlanOnInvoice: takenBack,
  answerPlanOnClaim: takenBack,
  writeOnClaim: more,
  addInvoiceConversationFile: () => formWith(PDF),
  addClaimConversationFile: () => formWith(PDF),
  addInvoiceDisputeFile: () => formWith(PDF),
  addClaimDisputeFile: () => formWith(PDF),
}

let server: TestServer
let foreignId: string

let claims: Record<Whose, Thing>

const ZIPS: Record<Whose, string> = { A: '11122', B: '41105', foreign: '0150' }
const instanceOf = (whose: Whose): string => (whose === 'foreign' ? foreignId : server.instanceId)

beforeAll(async () => {
  server = await startTestServer()
  foreignId = (await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })).id
  for (const id of [server.instanceId, foreignId]) await buildInstanceAccount(server.test, id)
  // Claims are numbered within an instance: the other tenant's third has a number that nobody has here.
  for (let n = 0; n < 2; n++) await buildClaimOf('foreign')
  claims = { A: await buildClaimOf('A'), B: await buildClaimOf('B'), foreign: await buildClaimOf('foreign') }
})

async function buildClaimOf(whose: Whose): Promise<Thing> {
  const claim = await buildClaim(server.test, instanceOf(whose), server.clock, {
    invoices: [{ debtorName: NAMES[whose], zip: ZIPS[whose], totalMinor: 100_000 }],
  })
  return { ...claim, debtorId: claim.invoices[0]?.debtorId ?? '' }
}

/** Fresh invoices for each call, because some calls change what they are about. */
async function buildWorld(): Promise<World> {
  const build = async (whose: Whose) => ({
    claim: claims[whose],
    invoice: await buildInvoice(server.test, instanceOf(whose), server.clock, {
      debtorName: NAMES[whose],
      zip: ZIPS[whose],
    }),
  })
  return { A: await build('A'), B: await build('B'), foreign: await build('foreign') }
}

/** Everybody who may knock, by the headers that they knock with. `signedIn` names whose session it is. */
async function principals(world: World) {
  const session = (whose: Whose) =>
    signIn(server.product.context, instanceOf(whose), [
      world[whose].invoice.debtorId,
      world[whose].claim.debtorId,
    ])
  const device = async (whose: Whose) => {
    const answer = await server.call(
      'GET',
      `/api/public/invoices/${world[whose].invoice.reference}/${ZIPS[whose]}`,
    )
    return {
      cookie: answer.headers
        .getSetCookie()
        .map((line) => line.split(';', 1)[0])
        .join('; '),
    }
  }
  return [
    { name: 'anonymous', headers: {}, signedIn: undefined },
    { name: 'public A', headers: await device('A'), signedIn: undefined },
    { name: 'public B', headers: await device('B'), signedIn: undefined },
    { name: 'e-ID A', headers: await session('A'), signedIn: 'A' as const },
    { name: 'e-ID B', headers: await session('B'), signedIn: 'B' as const },
    // The session of another tenant, at this tenant's host.
    { name: 'other tenant', headers: await session('foreign'), signedIn: undefined },
  ]
}

type Principal = Awaited<ReturnType<typeof principals>>[number]

const MONEY = [
  'posting',
  'payment',
  'invoice',
  'claim',
  'dispute',
  'dispute_file',
  'conversation',
  'conversation_message',
  'conversation_file',
  'file',
  'collection_step',
  'task',
]

async function fingerprint(): Promise<string> {
  const sums = await Promise.all(
    MONEY.map((table) =>
      server.test.owner.query(
        `select count(*), md5(coalesce(string_agg(x::text, ',' order by x::text), '')) from ${table} x`,
      ),
    ),
  )
  return JSON.stringify(sums.map((s) => s.rows))
}

function codeOf(answer: Answer): string | undefined {
  return answer.status < 400 ? undefined : (answer.json as { code: string }).code
}

const SHUT = ['not_signed_in', 'not_found', 'login_error::invalid_data', 'login_throttled', 'invalid_request']

/** In: answered, or refused for a reason of the business, and with nothing of anybody else's in it. */
function expectIn(answer: Answer, world: World, whose: Whose, hint: string): void {
  expect(answer.status, hint).toBeLessThan(500)
  expect(SHUT, `${hint}: ${answer.text.slice(0, 200)}`).not.toContain(codeOf(answer))
  expectNothingOf(
    answer,
    world,
    EVERYBODY.filter((one) => one !== whose),
    hint,
  )
}

function expectNothingOf(answer: Answer, world: World, others: readonly Whose[], hint: string): void {
  for (const other of others) {
    const { invoice, claim } = world[other]
    const traces = [invoice, claim].flatMap(({ id, reference, debtorId }) => [id, reference, debtorId])
    for (const trace of [...traces, NAMES[other]]) expect(answer.text, hint).not.toContain(trace)
  }
}

const routes = BINDINGS.flatMap(({ contract }) =>
  contract.doors.flatMap((door) =>
    pathsOf(contract, door).map((path) => ({ name: `${contract.method} ${path}`, contract, door, path })),
  ),
)
type Route = (typeof routes)[number]

/** The query that a call cannot do without, such as the format of a download. */
function neededQuery(contract: Route['contract']): [string, string][] {
  const schema = describeSchema(contract.query, 'input')
  return (schema?.required ?? []).map((name) => {
    const { enum: choices } = schema?.properties?.[name] ?? {}
    return [name, Array.isArray(choices) ? String(choices[0]) : '1']
  })
}

function send({ contract, door, path }: Route, about: Thing, { headers }: Principal, zip = about.zip) {
  const address = path
    .replace(':paymentReference', about.reference)
    .replace(':zip', zip)
    .replace(':id', about.id)
    .replace(':collectionBatchNumber', about.number)
  const isNamed = door === 'debtor' && contract.subject !== undefined && address === path
  const named = isNamed ? [['paymentReference', about.reference] as const, ['zip', zip] as const] : []
  const query = new URLSearchParams([
    ...neededQuery(contract),
    ...named.map(([k, v]): [string, string] => [k, v]),
  ])
  const body = contract.method === 'GET' ? undefined : (BODIES[contract.name]?.() ?? {})
  return server.call(contract.method, `${address}?${query.toString()}`, { body, headers })
}

/** What the route is asked about. A new subject says in OF whose of what it is. */
function thingOf(world: World, whose: Whose, { contract }: Route): Thing {
  const kind = contract.subject === undefined ? 'invoice' : OF[contract.subject]
  if (!kind) throw new Error(`nobody in here has any ${contract.subject}`)
  return world[whose][kind]
}

test('there are calls behind every door', () => {
  for (const door of ['open', 'public', 'debtor'] as const) {
    expect(routes.filter((route) => route.door === door).length).toBeGreaterThan(2)
  }
})

const behind = (door: Route['door']) => routes.filter((route) => route.door === door)

test.each(behind('debtor'))('authz.matrix: $name', async (route) => {
  const world = await buildWorld()
  const everybody = await principals(world)
  const before = await fingerprint()
  for (const principal of everybody) {
    for (const whose of EVERYBODY) {
      const isOwn =
        principal.signedIn === whose || (principal.signedIn && route.contract.subject === undefined)
      if (isOwn) continue
      const answer = await send(route, thingOf(world, whose, route), principal)
      const hint = `${principal.name} with ${whose}'s: ${answer.status} ${answer.text.slice(0, 120)}`
      const told = [answer.status, codeOf(answer)]
      if (!principal.signedIn) expect(told, hint).toEqual([401, 'not_signed_in'])
      else expect(told, hint).toEqual([404, 'not_found'])
      expectNothingOf(answer, world, [whose], hint)
    }
  }
  expect(await fingerprint()).toBe(before)
  for (const principal of everybody.filter((one) => one.signedIn)) {
    const whose = principal.signedIn ?? 'A'
    expectIn(
      await send(route, thingOf(world, whose, route), principal),
      world,
      whose,
      `${principal.name} with their own`,
    )
  }
})

test.each(behind('public'))('authz.matrix: $name', async (route) => {
  const world = await buildWorld()
  const everybody = await principals(world)
  const before = await fingerprint()
  for (const principal of everybody) {
    // Whoever holds a session or has been here before: it is the pair that opens, and a mixed one opens nothing.
    for (const [whose, zip] of [
      ['A', ZIPS.B],
      ['B', ZIPS.A],
      ['foreign', ZIPS.foreign],
      ['foreign', ZIPS.A],
    ] as const) {
      const answer = await send(route, thingOf(world, whose, route), principal, zip)
      const hint = `${principal.name} with ${whose}'s and ${zip}: ${answer.status} ${answer.text.slice(0, 120)}`
      expect([answer.status, codeOf(answer)], hint).toEqual([400, 'login_error::invalid_data'])
      expectNothingOf(answer, world, EVERYBODY, hint)
    }
  }
  expect(await fingerprint()).toBe(before)
  for (const whose of ['A', 'B'] as const) {
    const anonymous = everybody[0] as Principal
    expectIn(await send(route, thingOf(world, whose, route), anonymous), world, whose, `the pair of ${whose}`)
  }
})

test.each(behind('open'))('authz.matrix: $name', async (route) => {
  const world = await buildWorld()
  for (const principal of await principals(world)) {
    const answer = await send(route, world.A.invoice, principal)
    expect(answer.status, principal.name).toBeLessThan(500)
    expectNothingOf(answer, world, EVERYBODY, principal.name)
  }
})
