import { beforeAll, expect, test } from 'vitest'
import { buildClaim, buildInstanceAccount } from '../testing/build-claim.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { signIn } from '../testing/sign-in.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer

type World = {
  readonly host: string
  readonly letter: BuiltInvoice
  /** The same debtor's: another of the same creditor, one of another creditor, and one that went to another address. */
  readonly others: Record<'sameCreditor' | 'otherCreditor' | 'otherZip', BuiltInvoice>
}

async function build(reach: 'creditor' | 'instance'): Promise<World> {
  const { id, host } = await buildInstance(server.test, { alias: `reach-${reach}`, isDefault: false, reach })
  await buildInstanceAccount(server.test, id)
  const make = (wishes: Parameters<typeof buildInvoice>[3]) =>
    buildInvoice(server.test, id, server.clock, { totalMinor: 10_000, ...wishes })
  const letter = await make({ number: 'letter' })
  const stranger = await make({ number: 'stranger' })
  const others = {
    sameCreditor: await make({ number: 'sameCreditor', beside: letter }),
    otherCreditor: await make({
      number: 'otherCreditor',
      beside: { ...letter, creditorId: stranger.creditorId, reference: stranger.reference },
    }),
    otherZip: await make({ number: 'otherZip', beside: { ...letter, zip: '99998' } }),
  }
  return { host, letter, others }
}

let worlds: Record<'creditor' | 'instance', World>
beforeAll(async () => {
  server = await startTestServer()
  worlds = { creditor: await build('creditor'), instance: await build('instance') }
})

async function ask<Answer>(
  { host }: World,
  { method, path, headers }: { method: 'GET' | 'POST'; path: string; headers?: Record<string, string> },
): Promise<Answer> {
  const answer = await server.product.app.inject({
    method,
    url: `/api/${path}`,
    headers: { host, ...headers },
    ...(method === 'POST' ? { payload: {} } : {}),
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<Answer>()
}

const SEEN = {
  creditor: ['letter', 'sameCreditor'],
  instance: ['letter', 'otherCreditor', 'otherZip', 'sameCreditor'],
} as const

test.each(['creditor', 'instance'] as const)(
  'reach %s: a list, its length, its sum, a search and the creditors of a letter',
  async (reach) => {
    const world = worlds[reach]
    const at = `public/invoices/${world.letter.reference}/${world.letter.zip}`
    for (const path of ['ledger', 'search', 'ledger?orderBy=balances.total&order=asc']) {
      const rows = await ask<{ invoiceNumber: string }[]>(world, { method: 'POST', path: `${at}/${path}` })
      expect(rows.map(({ invoiceNumber }) => invoiceNumber).sort(), path).toEqual(SEEN[reach])
    }
    const paged = await server.product.app.inject({
      method: 'POST',
      url: `/api/${at}/ledger?limit=1`,
      headers: { host: world.host },
      payload: { statuses: { main: 'ACTIVATED' } },
    })
    expect(paged.headers['x-total-count']).toBe(String(SEEN[reach].length))
    expect(await ask(world, { method: 'GET', path: `${at}/stats` })).toEqual([
      { currency: 'SEK', balance: SEEN[reach].length * 100, count: SEEN[reach].length },
    ])
  },
)

test('the pair of a claim opens that claim in the narrow reach too, and no claim of another creditor', async () => {
  const { host, letter } = worlds.creditor
  const claim = await buildClaim(server.test, letter.instanceId, server.clock)
  const other = await buildClaim(server.test, letter.instanceId, server.clock)
  const debtorId = claim.invoices[0]?.debtorId
  await server.test.owner.query('update invoice set debtor_id = $2 where claim_id = $1', [other.id, debtorId])
  await server.test.owner.query('update claim set debtor_id = $2 where id = $1', [other.id, debtorId])
  const rows = await ask<{ id: string }[]>(
    { ...worlds.creditor, host },
    { method: 'GET', path: `public/collection-batches/${claim.reference}/${claim.zip}/ledger` },
  )
  expect(rows.map(({ id }) => id)).toEqual([claim.id])
})

test('whoever has signed in sees everything, however far a letter reaches', async () => {
  const world = worlds.creditor
  const headers = await signIn(server.product.context, world.letter.instanceId, [world.letter.debtorId])
  const rows = await ask<unknown[]>(world, { method: 'POST', path: 'debtor/invoices/ledger', headers })
  expect(rows).toHaveLength(4)
})

test('a live provider begins with the narrow reach', async () => {
  const { rows } = await server.test.owner.query<{ reach: string }>(
    `select column_default as reach from information_schema.columns
     where table_name = 'instance' and column_name = 'public_session_reach'`,
  )
  expect(rows[0]?.reach).toContain('creditor')
})
