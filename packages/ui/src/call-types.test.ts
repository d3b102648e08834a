/** What the client takes and gives is the contract's. What is wrong does not compile. */
import type { CallAbout } from '@kvitt/domain/calls.ts'
import { expect, expectTypeOf, test, vi } from 'vitest'
import { callTo, createApi, type CallTo } from './api.ts'

const contracts = import.meta.glob<string>('../../domain/src/**/*.contract.ts', {
  eager: true,
  query: '?raw',
  import: 'default',
})
const calls = import.meta.glob<string>('../../domain/src/calls.ts', {
  eager: true,
  query: '?raw',
  import: 'default',
})

test('every contract of a call is known to the client', () => {
  const names = Object.entries(contracts).flatMap(([file, text]) =>
    /Call\(\{/.test(text) ? [file.replace('../../domain/src', '.')] : [],
  )
  expect(names.length).toBeGreaterThan(10)
  const [list = ''] = Object.values(calls)
  expect(names.filter((name) => !list.includes(`'${name}'`))).toEqual([])
})

const api = createApi({ language: () => 'sv', onSignedOut: () => {}, onFailure: () => {} })

test('paths, bodies and answers', async () => {
  vi.stubGlobal('fetch', async () => Response.json([]))
  expectTypeOf(await api.ask(callTo('GET', '/ping/version'))).toEqualTypeOf<{ data: { version: string } }>()
  // @ts-expect-error no call stands there
  await api.ask(callTo('GET', '/ping/versions'))
  // @ts-expect-error it is asked with POST
  await api.ask(callTo('GET', '/public/challenges'))
  // @ts-expect-error it needs a body
  await api.ask(callTo('POST', '/public/challenges'))
  // @ts-expect-error of another shape
  await api.ask(callTo('POST', '/public/challenges'), { body: { reference: '1' } })
  // @ts-expect-error no such value
  callTo('POST', '/external/bankid/collect', { source: 'client' })
  // @ts-expect-error the answer has no such field
  expect((await api.ask(callTo('GET', '/ping/version'))).version).toBeUndefined()
  // @ts-expect-error a page does not say what the answer is
  await api.ask<{ version: string }>(callTo('GET', '/ping/version'))
  // @ts-expect-error a call without its contract
  await api.ask({ path: '/ping/version' })
  const files: CallTo<CallAbout<'invoices', 'PUT', '/dispute/files'>> = { method: 'PUT', path: '/x' }
  // @ts-expect-error a file goes as a form
  await api.ask(files, { body: { file: 'x' } })
  // @ts-expect-error one thing is no list
  await api.askList(callTo('GET', '/ping/version'))
  vi.unstubAllGlobals()
})
