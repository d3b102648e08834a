import { expect, test } from 'vitest'
import { makeWebhookSecret, signatureHeaders } from './sign.ts'

test('the vector that the libraries of Standard Webhooks are tested with', () => {
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  }
  expect(signatureHeaders(message, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('two secrets sign side by side, and a new one has 256 bits', () => {
  const secrets = [makeWebhookSecret(), makeWebhookSecret()]
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(new Set(secrets).size).toBe(2)
  const message = { id: 'a', timestamp: 1, body: '{}' }
  const both = signatureHeaders(message, secrets)['webhook-signature']
  expect(both).toBe(secrets.map((one) => signatureHeaders(message, [one])['webhook-signature']).join(' '))
})
