import { expect, test } from 'vitest'
import { ERRORS } from '@kvitt/domain/errors.ts'
import { BINDINGS } from '../../api.ts'
import { buildInvoice } from '../../testing/build.ts'
import { startTestServer } from '../../testing/start-test-server.ts'
import { contractIdOf } from './other-contract.ts'
import { describeApi } from './openapi.ts'

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
  ['input that is refused', 'POST', `${at}/payment-requests`, { amount: 7 }, [400, 'invalid_request']],
])(
  'T-RELEASES: %s is told apart for a page of another contract, and to nobody else',
  async (_what, method, path, body, refused) => {
    expect(await told(method, path, undefined, body)).toEqual([...refused, null])
    expect(await told(method, path, ours, body)).toEqual([...refused, null])
    expect(await told(method, path, 'another0000a', body)).toEqual(OTHER)
  },
)

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
