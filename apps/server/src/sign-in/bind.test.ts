/** A use case on the wrong contract does not compile, and a call that says that it takes the guess has to take it. */
import { expect, test } from 'vitest'
import { getVersion } from '@kvitt/domain/instances/instance.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { getInvoice, listDocuments } from '@kvitt/domain/invoices/invoice.contract.ts'
import { getSession } from '@kvitt/domain/sign-in/session.contract.ts'
import type { Instance } from '../instances/instances.ts'
import { openInstances } from '../instances/instances.ts'
import { sightOf, visibleTo } from '../invoices/visible-invoices.ts'
import { JsonText } from '../platform/http/json.ts'
import { buildServer } from '../platform/http/serve.ts'
import { buildInvoice } from '../testing/build.ts'
import { startTestServer } from '../testing/start-test-server.ts'
import { AUTHENTICATORS, bind, bindFirstRead, type Authenticators, type Proven } from './bind.ts'
import { hasPower, RIGHTS, type Principal, type Rights, type Visitor } from './principal.ts'
import {
  notVisible,
  sessionOf,
  type DebtorViewer,
  type FirstReader,
  type PublicViewer,
  type Viewer,
} from './viewer.ts'

const server = await startTestServer()
// Guesses are counted here, as they are for customers.
await server.test.owner.query("update instance set guess_limits = '{}'")

type Takes<P> = (call: { readonly principal: P }) => Promise<never>
const never = async (): Promise<never> => {
  throw new Refusal('nothing_to_pay')
}
const visitor: Takes<Visitor> = never
const pair: Takes<PublicViewer> = never
const debtor: Takes<DebtorViewer> = never
const viewer: Takes<Viewer> = never
const reader: Takes<FirstReader> = never
const byReference = async (call: { readonly query: { readonly reference: string } }): Promise<never> =>
  never().finally(() => call.query.reference)

test('a use case is bound to a contract whose doors let in whom it takes', () => {
  const right = [bind(getVersion, visitor), bind(getSession, debtor), bind(listDocuments, viewer)]
  const hot = bindFirstRead(getInvoice, reader)
  expect([...right, hot].map(({ routes }) => routes.map(({ door }) => door))).toEqual([
    ['open'],
    ['debtor'],
    ['public', 'debtor'],
    ['public', 'debtor'],
  ])
  // Each of these would be a hole. They compile as little as the rows below name an error that there is not.
  const wrong = [
    // @ts-expect-error a visitor is no viewer
    () => bind(getVersion, viewer),
    // @ts-expect-error behind the debtor's door there are no pairs
    () => bind(getSession, pair),
    // @ts-expect-error who comes with a pair has no session
    () => bind(listDocuments, debtor),
    // @ts-expect-error a pair that the guard does not prove is not bound as if it did
    () => bind(getInvoice, viewer),
    // @ts-expect-error a use case that wants to see does not get an unproven pair
    () => bindFirstRead(getInvoice, viewer),
    // @ts-expect-error binding alone does not switch the guard off: the contract has to say it
    () => bindFirstRead(listDocuments, reader),
    // @ts-expect-error the contract's query has no such field
    () => bind(listDocuments, byReference),
    // @ts-expect-error the contract's answer is a list
    () => bind(listDocuments, async () => ({ version: '1' })),
  ]
  expect(wrong).toHaveLength(8)
})

test('a new kind of principal is missed in every place that has to know it', () => {
  type Clerk = { readonly kind: 'clerk'; readonly instance: Instance; readonly role: 'reader' | 'writer' }
  // @ts-expect-error no row of rights
  const rights: Rights<Principal | Clerk> = RIGHTS
  // @ts-expect-error no authenticator
  const authenticators: Authenticators<Proven & { readonly clerk: Clerk }> = AUTHENTICATORS
  // @ts-expect-error no rights are looked up
  const power: (principal: Principal | Clerk, power: undefined) => boolean = hasPower
  // @ts-expect-error no visibility
  const values: (viewer: Viewer | Clerk) => unknown = visibleTo
  // @ts-expect-error no statement
  const sight: (viewer: Viewer | Clerk) => unknown = sightOf
  // @ts-expect-error no answer for what may not be seen
  const refusal: (viewer: Viewer | Clerk) => unknown = notVisible
  // @ts-expect-error no maker of names of files
  const maker: (viewer: Viewer | Clerk) => unknown = sessionOf
  // One row and one authenticator later there is nothing to miss. The rights of a role stand in the row, not in the kind.
  const ofClerks: Rights<Principal | Clerk> = { ...RIGHTS, clerk: ({ role }) => role === 'writer' }
  const clerk: Clerk = { kind: 'clerk', instance: undefined as unknown as Instance, role: 'reader' }
  expect(ofClerks.clerk(clerk, 'disputes')).toBe(false)
  expect(ofClerks.clerk({ ...clerk, role: 'writer' }, 'disputes')).toBe(true)
  expect([rights, authenticators, power, values, sight, refusal, maker]).not.toContain(undefined)
})

/** The answers to a right and to a wrong pair, and how many failures were counted for them. */
async function askBoth(binding: ReturnType<typeof bind>) {
  const { context } = server.product
  const instances = openInstances(context.db, context.clock)
  const app = buildServer({
    contract: '',
    context,
    bindings: [binding],
    tenantOf: (host) => instances.ofHost(host),
    proveSession: never,
    checkAnswers: false,
  })
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, {})
  const counted = async (): Promise<number> => {
    const sql = "select coalesce(sum(fails), 0)::int as fails from guess_budget where scope = 'reference-day'"
    return (await server.test.owner.query<{ fails: number }>(sql)).rows[0]?.fails ?? 0
  }
  const ask = async (zip: string) => {
    const url = `/api/public/invoices/${invoice.reference}/${zip}`
    const answer = await app.inject({ url, headers: { host: new URL(server.origin).host } })
    return [answer.statusCode, (JSON.parse(answer.body) as { code?: string }).code]
  }
  const before = await counted()
  const told = { right: await ask(invoice.zip), wrong: await ask('99999') }
  await app.close()
  return { ...told, fails: (await counted()) - before }
}

test('a first read that does not take the guess answers nobody, and a wrong pair is counted all the same', async () => {
  const told = await askBoth(bindFirstRead(getInvoice, async () => new JsonText('{"secret":true}')))
  expect(told).toEqual({
    right: [500, 'internal_error'],
    wrong: [400, 'login_error::invalid_data'],
    fails: 1,
  })
})

test('who is not let in hears that first, also where a use case refuses before its read', async () => {
  expect(await askBoth(bindFirstRead(getInvoice, never))).toEqual({
    right: [400, 'nothing_to_pay'],
    wrong: [400, 'login_error::invalid_data'],
    fails: 1,
  })
})
