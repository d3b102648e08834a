import { expect, test } from 'vitest'
import { htmlOf } from './element.ts'
import { EXAMPLE_DEBT, readDebt, waitingForm, waitingResult } from './waiting-steps.ts'
import { sharedPages } from './shared-pages.ts'
import { wordsOf } from './words.ts'

test.each([
  ['1250', 125_000],
  ['1 250,50', 125_050],
  ['1.250,50', 125_050],
  ['1250.5', 125_050],
  ['1\u00a0250', 125_000],
  ['1 250 kr', 125_000],
  ['1 250,50 kr.', 125_050],
  ['1250 SEK', 125_000],
  ['1.250,50 €', 125_050],
])('the amount %s', (amount, amountMinor) => {
  expect(readDebt({ ...EXAMPLE_DEBT, amount })).toMatchObject({ amountMinor })
})

test.each(['', '0', '-5', 'abc', '1e9', '1,234', '99999999999999', '<script>', 'x'.repeat(10_000)])(
  'the amount %j is none, and is told so in words',
  (amount) => {
    expect(readDebt({ ...EXAMPLE_DEBT, amount })).toEqual({ wrong: 'waiting.wrong_amount' })
    expect(htmlOf(waitingForm({ ...EXAMPLE_DEBT, amount }, wordsOf('sv')))).toContain('Skriv ett belopp')
  },
)

test.each(['', '2026-02-30', '1999-01-01', '2999-01-01', '02/10/2026'])('the day %j is none', (due) => {
  expect(readDebt({ ...EXAMPLE_DEBT, due })).toEqual({ wrong: 'waiting.wrong_due' })
})

test('what is no country and no debtor of ours is the first of each', () => {
  expect(readDebt({ ...EXAMPLE_DEBT, country: 'XX', who: '' })).toMatchObject({
    country: 'SE',
    debtorKind: 'consumer',
  })
})

test('the example of a language begins with its own country', () => {
  for (const [language, country, law] of [
    ['nb', 'NO', /[Ii]nkasso/],
    ['da', 'DK', /[Rr]entelov/],
    ['fi', 'FI', /[Ll]aki|[Kk]orkolaki/],
  ] as const) {
    const page = sharedPages('home').find((one) => one.language === language && one.path === 'waiting/')
    const html = htmlOf([page?.main])
    expect(html).toContain(`value="${country}" selected`)
    expect(html).toMatch(law)
  }
})

test('each charge stands with its rule', () => {
  const html = htmlOf(waitingResult(EXAMPLE_DEBT, 'sv', wordsOf('sv')))
  expect(html).toContain('Lag (1981:739) om ersättning för inkassokostnader 4 §')
  expect(html).toContain('2\u00a0185,75\u00a0kr')
  expect(html).not.toMatch(/waiting\.|step\.|\{\w+\}/)
})

test('where the rate changes on the way both are told, each with its days and the decimal sign of the language', () => {
  // Nationalbanken's lending rate was 2.75 % from January 2025 and 1.75 % from July; renteloven § 5 adds 8.
  const told = (language: 'da' | 'en'): string =>
    htmlOf(
      waitingResult({ ...EXAMPLE_DEBT, country: 'DK', due: '2025-06-15' }, language, wordsOf(language)),
    ).replaceAll('\u00a0', ' ')
  expect(told('da')).toContain('10,75 % fra 16. juni 2025 til 30. juni 2025, 9,75 % fra 1. juli 2025 til ')
  expect(told('en')).toContain('10.75% from 16 June 2025 to 30 June 2025, 9.75% from 1 July 2025 to ')
})

test('what is asked for is what a letter asks for: less than one krona of interest waits', () => {
  const html = htmlOf(waitingResult({ ...EXAMPLE_DEBT, amount: '500' }, 'sv', wordsOf('sv')))
  expect(html).toContain('560,00\u00a0kr')
  expect(html).not.toContain('560,96')
  expect(html).toContain('Räntan väntar tills den har blivit 1,00\u00a0kr')
})
