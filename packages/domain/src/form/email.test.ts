import { expect, test } from 'vitest'
import { isEmail } from './field-rules.ts'

test.each([
  'a@b.se',
  'alva.provlund@example.com',
  'a+b@sub.example.co.uk',
  'å@exämple.se',
  `${'a'.repeat(64)}@example.com`,
])('%s could be written to', (text) => expect(isEmail(text)).toBe(true))

test.each([
  '', 'a', 'a@', '@b.se', 'a@b', 'a@b.', 'a@.se', 'a@@b.se', 'a@b@c.se', 'a b@c.se', 'a@b.se\r\nBcc: x@y.se', 'a@b.se ', '<a@b.se>',
  'a@b..se', '.a@b.se', 'a.@b.se', 'a..b@c.se', 'a@-b.se', 'a@b-.se', 'a@b.s', `${'a'.repeat(65)}@example.com`, `a@${'b'.repeat(300)}.se`,
])('%j could not', (text) => {
  expect(isEmail(text)).toBe(false)
}) // biome-ignore format: a list of addresses
