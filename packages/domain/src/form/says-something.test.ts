import { expect, test } from 'vitest'
import { saysSomething } from './says-something.ts'

test.each(['fel', 'É', '7', '请', '\u3164 a'])('%j says something', (text) => {
  expect(saysSomething(text)).toBe(true)
})

test.each(['', ' \n', '…!', '\u3164', '\u115f\u1160', '\u200b\u2060', '\u2800', '👍'])(
  '%j says nothing',
  (text) => {
    expect(saysSomething(text)).toBe(false)
  },
)
