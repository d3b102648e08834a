import { expect, test } from 'vitest'
import { z } from 'zod'
import { ERRORS, Refusal } from '@kvitt/domain/errors.ts'
import { BINDINGS } from '../../api.ts'
import { buildInvoice } from '../../testing/build.ts'
import { startTestServer } from '../../testing/start-test-server.ts'
import { contractIdOf, toldToPage } from './other-contract.ts'
import { describeApi } from './openapi.ts'
import { InputRefusal, readInput } from './read-input.ts'

const server = await startTestServer()
const ours = contractIdOf(describeApi(BINDINGS, '0.0.0-test'))
const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
const at = `/api/public/invoices/${invoice.reference}/${invoice.zip}`

const told = async (method: string, path: string, contract?: string, body?: unknown) => {
  const headers: Record<string, string> = contract === undefined ? {} : { 'x-contract': contract }
  const answer = await server.call(method, path, { headers, ...(body === undefined ? {} : { body }) })
  const { code } = (answer.json ?? {}) as { code?: string }
  return [answer.status, code, answer.headers.get('x-other-contract')]
}
const OTHER = [ERRORS.other_release, 'other_release', ours]

test.each<[string, string, string, unknown, [number, string]]>([
  ['a call that is not there', 'GET', '/api/public/later', undefined, [404, 'not_found']],
  ['a call that has another method', 'PUT', '/api/ping/version', {}, [405, 'method_not_allowed']],
  [
    'input that lacks a field',
    'POST',
    `${at}/payment-requests`,
    { amount: '7.00' },
    [400, 'invalid_request'],
  ],
])(
  'T-RELEASES: %s is told apart for a page of another contract, and to nobody else',
  async (_what, method, path, body, refused) => {
    expect(await told(method, path, undefined, body)).toEqual([...refused, null])
    expect(await told(method, path, ours, body)).toEqual([...refused, null])
    expect(await told(method, path, 'another0000a', body)).toEqual(OTHER)
  },
)

test('a value that is refused is asked again elsewhere, and whoever typed it is told which', async () => {
  const body = { amount: '7.00', redirectUri: 'https://kvitt.example/', payerPhone: '0'.repeat(31) }
  const headers = { 'x-contract': 'another0000a' }
  const answer = await server.call('POST', `${at}/payment-requests`, { headers, body })
  expect(answer.json).toMatchObject({ code: 'invalid_request', errors: [{ field: 'payerPhone' }] })
  expect(answer.headers.get('x-other-contract')).toBe(ours)
})

const sample = z.strictObject({
  kind: z.enum(['A', 'B']).optional(),
  name: z.string().max(3).optional(),
  at: z.union([z.iso.date(), z.literal('')]).optional(),
  rows: z.array(z.object({ count: z.number().int().min(1) })).optional(),
})

test.each<[string, unknown, boolean]>([
  ['a field that is not there', { later: 1 }, true],
  ['a choice that is not there', { kind: 'C' }, true],
  ['a field that is missing', { rows: [{}] }, true],
  ['a field of another kind', { name: { first: 'A' } }, true],
  ['no object at all', [], true],
  ['a text that is too long', { name: 'long' }, false],
  ['a text that is no day', { at: 'tomorrow' }, false],
  ['a text that is no number', { rows: [{ count: 'two' }] }, false],
  ['a number that is too small', { rows: [{ count: 0 }] }, false],
  ['a typed value beside a missing field', { name: 'long', rows: [{}] }, true],
])('the doing of the page, or of who fills it in: %s', (_what, sent, isOfShape) => {
  const read = (): unknown => readInput(sample, sent)
  expect(read).toThrow(InputRefusal)
  expect(read).toThrow(expect.objectContaining({ isOfShape }) as Error)
})

test('what a use case refuses of input that its contract takes is no matter of releases', () => {
  const refusal = new Refusal('invalid_request', {}, ['day'])
  const asked = { headers: { 'x-contract': 'another0000a' }, url: '/api/admin/x' }
  const to = { request: asked, reply: {}, isCall: true } as unknown as Parameters<typeof toldToPage>[2]
  expect(toldToPage(refusal, ours, to)).toBe(refusal)
})

test('what a call does not find is not there for a page of any release, and what is answered is answered', async () => {
  const nobody = '/api/public/invoices/99999999990/99999'
  expect(await told('GET', nobody, 'another0000a')).toEqual([400, 'login_error::invalid_data', null])
  expect((await told('GET', at, 'another0000a'))[0]).toBe(200)
  expect(await told('GET', '/api/storage/nothing', 'another0000a')).toEqual([404, 'not_found', null])
  expect(await told('GET', '/elsewhere', 'another0000a')).toEqual([404, 'not_found', null])
})

test('the id is that of the calls alone', () => {
  expect(ours).toMatch(/^[0-9a-f]{12}$/)
  expect(contractIdOf(describeApi(BINDINGS, 'another version'))).toBe(ours)
  expect(contractIdOf(describeApi(BINDINGS.slice(1), '0.0.0-test'))).not.toBe(ours)
})
