import { compileMessage } from '@lingui/message-utils/compileMessage'
import { setupI18n, type Messages } from '@lingui/core'
import { expect, test } from 'vitest'
import { withPlainPlurals } from './plain-plurals.ts'

const DAYS = 'om {n, plural, one {# dag} other {# dagar}} till {who}'

function say(message: unknown, n: number): string {
  const i18n = setupI18n({ locale: 'sv', messages: { sv: { days: message } as Messages } })
  return i18n._('days', { n, who: 'Alva' })
}

test.each([0, 1, 2, 11, 21, 101, 999])('%d is said as with the rules of the language', (n) => {
  const compiled = compileMessage(DAYS)
  expect(say(withPlainPlurals(compiled, 'sv'), n)).toBe(say(compiled, n))
})

test('a language with more forms is refused', () => {
  expect(() => withPlainPlurals(compileMessage(DAYS), 'pl')).toThrow('pl has more forms')
})
