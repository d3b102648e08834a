import { expect, test } from 'vitest'
import type { Call } from '../serve.ts'
import { answerReceiver } from './answer-receiver.ts'
import { openReceiver } from './receiver.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
// The vector of the specification of Standard Webhooks.
const SIGNED = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const BODY = '{"test": 2432232314}'

function open(nowMs = 1_614_265_330_000) {
  const receiver = openReceiver({ now: () => nowMs, report: () => {} })
  const call = (method: string, path: string, more: Partial<Call> = {}) =>
    answerReceiver(receiver, { method, path, query: new URLSearchParams(), headers: {}, body: '', ...more })
  return { receiver, call }
}

test.each([
  ['right', SECRET, 1_614_265_330_000, BODY],
  ['too old', SECRET, 1_614_265_630_001, BODY],
  ['wrong', `${SECRET}BBBB`, 1_614_265_330_000, BODY],
  ['wrong', SECRET, 1_614_265_330_000, BODY.replace('4', '5')],
  ['no secret yet', '', 1_614_265_330_000, BODY],
] as const)('a signature is %s', (signature, secret, now, body) => {
  const { receiver, call } = open(now)
  receiver.set({ secret })
  expect(call('POST', '/receiver', { headers: SIGNED, body })).toEqual({ status: 204 })
  expect(receiver.received()).toMatchObject([{ signature, body }])
})

test('nobody is where a program has moved from, and nothing that is sent there is kept', () => {
  const { receiver, call } = open()
  expect(call('POST', '/receiver/gone', { headers: SIGNED, body: BODY })).toMatchObject({ status: 410 })
  expect(receiver.received()).toEqual([])
})

test('it does what is chosen on its page, and no other website chooses', () => {
  const { receiver, call } = open()
  const choose = (mode: string, origin: string) =>
    call('POST', '/receiver/settings', { body: `mode=${mode}`, headers: { host: 'localhost:8090', origin } })
  expect(choose('gone', 'https://evil.example')?.status).toBe(403)
  expect(receiver.mode()).toBe('takes')
  const answers = ['refuses', 'gone', 'redirects', 'slow', 'dead', 'nonsense'].map((mode) => {
    expect(choose(mode, 'http://localhost:8090')).toMatchObject({ status: 303 })
    return call('POST', '/receiver')
  })
  expect(answers).toMatchObject([
    { status: 500 },
    { status: 410 },
    { status: 302 },
    { afterMs: 15_000 },
    { hangMs: 0 },
    { hangMs: 0 },
  ])
})

test('what has come is shown, and stays a text', () => {
  const { call } = open()
  call('POST', '/receiver/anything', { body: '{"type":"<script>"}' })
  const page = String(call('GET', '/receiver')?.body)
  expect(page).toContain('&#60;script&#62;')
  expect(page).not.toContain('<script>')
  expect(call('GET', '/')).toBeUndefined()
})
