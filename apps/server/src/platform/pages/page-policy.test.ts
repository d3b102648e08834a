import { expect, test } from 'vitest'
import { chatPolicy, pagePolicy } from './page-policy.ts'

const NOBODY = { chatHosts: [], isChatInPage: false, receivers: [] }

/** The sources of one directive. */
const sources = (policy: string, directive: string): string | undefined =>
  policy
    .split('; ')
    .find((part) => part.startsWith(`${directive} `))
    ?.slice(directive.length + 1)

test('a page without agreements loads from us alone', () => {
  const policy = pagePolicy('abc', NOBODY)
  expect(sources(policy, 'script-src')).toBe("'self' 'nonce-abc'")
  expect(sources(policy, 'connect-src')).toBe("'self'")
  expect(sources(policy, 'frame-ancestors')).toBe("'none'")
  expect(policy).not.toContain('unsafe')
  expect(sources(policy, 'require-trusted-types-for')).toBe("'script'")
  expect(sources(policy, 'trusted-types')).toBe('default')
  expect(policy).not.toContain('https:')
})

test('the hosts of the chat may serve scripts, a receiver may be called and nothing else', () => {
  const policy = pagePolicy('abc', {
    chatHosts: ['chat.example'],
    isChatInPage: true,
    receivers: ['https://errors.example:8443'],
  })
  expect(sources(policy, 'script-src')).toBe("'self' 'nonce-abc' https://chat.example")
  expect(sources(policy, 'connect-src')).toBe(
    "'self' https://chat.example wss://chat.example https://errors.example:8443",
  )
  expect(policy.replace(/connect-src[^;]*/, '')).not.toContain('errors.example')
})

test('what is no host never gets into the header', () => {
  const hostile = [
    '*',
    "x.example; script-src 'unsafe-inline'",
    'http:',
    "'unsafe-eval'",
    'a b.example',
    'x.example\r\nSet-Cookie: a=b',
  ]
  expect(pagePolicy('abc', { ...NOBODY, chatHosts: hostile, receivers: hostile })).toBe(
    pagePolicy('abc', NOBODY),
  )
})

test('the chat in a frame has no origin, and only our own page may frame it', () => {
  const policy = chatPolicy({ ...NOBODY, chatHosts: ['chat.example'], receivers: ['https://errors.example'] })
  expect(policy).toContain('sandbox allow-scripts allow-forms allow-popups;')
  expect(policy).not.toContain('allow-same-origin')
  expect(policy).not.toContain("'self' ")
  expect(sources(policy, 'frame-ancestors')).toBe("'self'")
  expect(policy).not.toContain('errors.example')
})

test('a page asks for trusted types, unless somebody else’s chat writes in it', () => {
  const policy = (isChatInPage: boolean) =>
    pagePolicy('abc', { chatHosts: ['chat.example'], isChatInPage, receivers: [] })
  expect(policy(false)).toContain("require-trusted-types-for 'script'; trusted-types default;")
  expect(policy(true)).not.toContain('trusted-types')
})
