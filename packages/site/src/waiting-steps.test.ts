import { date } from '@kvitt/domain/calendar.ts'
import { type WaitingDebt, waitingCosts } from '@kvitt/domain/collection/waiting-costs.ts'
import { expect, test } from 'vitest'
import { htmlOf } from './element.ts'
import { EXAMPLE_DEBT, readDebt, waitingForm, waitingPart, waitingResult } from './waiting-steps.ts'
import { sharedPages } from './shared-pages.ts'
import { LANGUAGES } from '@kvitt/ui/language/languages.ts'
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
  ['3,200', 320_000],
  ['3.200', 320_000],
  ['3,200.00', 320_000],
  ['3.200,00', 320_000],
  ['SEK 3,200.00', 320_000],
  ['1,234,567.5', 123_456_750],
  ['1.234.567', 123_456_700],
  ['3,20', 320],
  ['0,50', 50],
])('the amount %s', (amount, amountMinor) => {
  expect(readDebt({ ...EXAMPLE_DEBT, amount })).toMatchObject({ amountMinor })
})

test.each([
  '',
  '0',
  '-5',
  'abc',
  '1e9',
  '0,500',
  '1,23,4',
  '3,200.000',
  '1.234,567.00',
  '3200,000,',
  '99999999999999',
  '<script>',
  'x'.repeat(10_000),
])('the amount %j is none, and is told so in words', (amount) => {
  expect(readDebt({ ...EXAMPLE_DEBT, amount })).toEqual({ faults: { amount: 'waiting.wrong_amount' } })
  expect(htmlOf(waitingForm({ ...EXAMPLE_DEBT, amount }, wordsOf('sv')))).toContain('Skriv ett belopp')
})

test.each(['', '2026-02-30', '1999-01-01', '2999-01-01', '02/10/2026'])('the day %j is none', (due) => {
  expect(readDebt({ ...EXAMPLE_DEBT, due })).toEqual({ faults: { due: 'waiting.wrong_due' } })
})

test('where both fields are wrong both say so, and the first has the focus', () => {
  const typed = { ...EXAMPLE_DEBT, amount: 'much', due: '1999-01-01' }
  expect(readDebt(typed)).toEqual({ faults: { amount: 'waiting.wrong_amount', due: 'waiting.wrong_due' } })
  const html = htmlOf(waitingForm(typed, wordsOf('en')))
  expect(html.match(/aria-invalid="true"/g)).toHaveLength(2)
  expect(html.match(/ autofocus/g)).toHaveLength(1)
  expect(html).toContain('Type an amount of at most')
  expect(html).toContain('Type the last day to pay')
})

test.each([
  ['sv', 'För 3 200,00 kr med sista betalningsdag den 30 november 2026'],
  ['en', 'For SEK 3,200.00, due 30 November 2026'],
  ['nb', 'For 3 200,00 SEK med siste betalingsdag 30. november 2026'],
  ['da', 'For 3.200,00 SEK med sidste betalingsdag 30. november 2026'],
  ['fi', 'Summa 3 200,00 kr, viimeinen maksupäivä 30. marraskuuta 2026'],
] as const)('the result says first for what it is: %s', (language, said) => {
  const typed = { ...EXAMPLE_DEBT, amount: '3,200', due: '2026-11-30' }
  const html = htmlOf(waitingResult(typed, language, wordsOf(language))).replaceAll('\u00a0', ' ')
  expect(html).toContain(said)
})

test.each([
  // Reminder 60, demand 180 and the authority's fee and agent 680 of 3,200 at 10 % to 19 January 2027: 50 days, 43.84.
  ['sv', 'Väntan kostar sammanlagt 963,84 kr fram till 19 januari 2027.'],
  ['en', 'By 19 January 2027, waiting has cost SEK 963.84 in all.'],
  ['nb', 'Fram til 19. januar 2027 koster ventetiden 963,84 SEK til sammen.'],
  ['da', 'Frem til 19. januar 2027 koster ventetiden i alt 963,84 SEK.'],
  ['fi', 'Odottaminen maksaa yhteensä 963,84 kr 19. tammikuuta 2027 mennessä.'],
] as const)('what waiting costs in all by the last day is said: %s', (language, said) => {
  const typed = { ...EXAMPLE_DEBT, amount: '3200', due: '2026-11-30' }
  const html = htmlOf(waitingResult(typed, language, wordsOf(language))).replaceAll('\u00a0', ' ')
  expect(html).toContain(said)
})

test('English pages write all money as the articles do', () => {
  const html = htmlOf(waitingResult({ ...EXAMPLE_DEBT, country: 'FI' }, 'en', wordsOf('en')))
  expect(html).toContain('€1,250.00')
  expect(html).not.toMatch(/\d,\d\d(?!\d)|\d\u00a0(kr|€|SEK)/)
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
  expect(html).toContain('Ränta krävs först när den har blivit minst 1,00\u00a0kr')
})

/** The texts of the named figures, row by row, in minor units; undefined where one is in words. */
function figuresOf(html: string): (number | undefined)[][] {
  return [...html.matchAll(/<dl>(.*?)<\/dl>/g)].map(([, row = '']) =>
    [...row.matchAll(/<dd>(.*?)<\/dd>/g)].map(([, text = '']) => {
      const digits = text.replaceAll(/[^\d,]/g, '')
      return /\d,\d\d$/.test(digits) ? Number(digits.replace(',', '')) : undefined
    }),
  )
}

test('each row adds up: what stood before, the fee then and the interest then are what is to pay then', () => {
  const rows = figuresOf(htmlOf(waitingResult({ ...EXAMPLE_DEBT, amount: '9000' }, 'sv', wordsOf('sv'))))
  expect(rows.length).toBeGreaterThan(1)
  let stood = 900_000
  for (const [fee, interest, total] of rows) {
    if (fee === undefined || interest === undefined || total === undefined) continue
    expect(total).toBe(stood + fee + interest)
    stood = total
  }
  expect(stood).toBeGreaterThan(900_000)
})

test('a day that has passed is told from one to come, and the built page marks none', () => {
  const told = (today?: string): string =>
    htmlOf(
      waitingResult(EXAMPLE_DEBT, 'en', wordsOf('en'), today === undefined ? {} : { today: date(today) }),
    )
  const [first = '', second = ''] = waitingCosts(readDebt(EXAMPLE_DEBT) as WaitingDebt).steps.map(
    ({ day }) => day,
  )
  expect(told().match(/has passed/g)).toBeNull()
  expect(told(first).match(/has passed/g)).toBeNull()
  expect(told(second).match(/has passed/g)).toHaveLength(1)
  expect(told('2099-01-01').match(/has passed/g)?.length).toBeGreaterThan(1)
})

test.each([
  ['SE', 'https://www.riksdagen.se/'],
  ['NO', 'https://lovdata.no/'],
  ['DK', 'https://www.retsinformation.dk/'],
  ['FI', 'https://www.finlex.fi/'],
])('each rule of %s can be read where the country publishes its law', (country, register) => {
  for (const who of ['consumer', 'business']) {
    const html = htmlOf(waitingResult({ ...EXAMPLE_DEBT, country, who }, 'en', wordsOf('en')))
    const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href)
    // The rate's, and at least one step's.
    expect(links.length).toBeGreaterThan(1)
    for (const href of links) {
      const isRegister = href.startsWith(register) || href.startsWith('https://data.riksdagen.se/')
      expect(isRegister, href).toBe(true)
    }
  }
})

const FINLAND_2027 = { ...EXAMPLE_DEBT, country: 'FI', amount: '780', due: '2027-03-01' }

test('a rate that nobody can know yet is said not to be set, one that we have not seen is said so', () => {
  const told = (due: string, today: string): string =>
    htmlOf(
      waitingResult({ ...FINLAND_2027, due }, 'en', wordsOf('en'), {
        today: date(today),
      }),
    )
  const unset = /The interest rate for the first half of 2027 is not set yet/
  const unseen = /We do not yet know which interest rate was set for the second half of 2026/
  const ahead = told('2027-03-01', '2026-11-28')
  expect(ahead).toMatch(unset)
  expect(ahead).not.toMatch(/second half|We do not yet/)
  const across = told('2026-12-01', '2026-11-28')
  expect(across).toMatch(unset)
  expect(across).toMatch(unseen)
  // When its half-year has begun it is set, and we have not seen it.
  expect(told('2027-03-01', '2027-01-01')).toMatch(/was set for the first half of 2027\./)
  // 2025 is known.
  expect(told('2025-01-15', '2026-11-28')).not.toMatch(/set yet|was set/)
})

test.each(LANGUAGES)('an unknown rate is told in words, with its year: %s', (language) => {
  const html = htmlOf(
    waitingResult({ ...FINLAND_2027, due: '2026-12-01' }, language, wordsOf(language), {
      today: date('2026-11-28'),
    }),
  )
  const notes = html.slice(html.indexOf('class="notes"'))
  expect(notes).toContain('2026')
  expect(notes).toContain('2027')
  expect(notes).not.toMatch(/waiting\.|\{\w+\}/)
})

test('a rate is said without noughts: 10 and 9,5', () => {
  const told = (country: string): string =>
    htmlOf(waitingResult({ ...EXAMPLE_DEBT, country }, 'sv', wordsOf('sv'))).replaceAll('\u00a0', ' ')
  expect(told('SE')).toContain('10 % om året')
  expect(told('FI')).toContain('9,5 % om året')
})

test('by what a provider has entered the page reckons, and the script is told it without its source', () => {
  const entered = [
    {
      country: 'SE',
      figure: 'reference_rate',
      from: '2026-07-01',
      value: { percent: '4.00' },
      source: 'mail from <Eva>',
    },
  ]
  const html = htmlOf([waitingPart('en', wordsOf('en'), { entered })])
  expect(html).toContain('12% a year')
  expect(html).not.toMatch(/Eva|We do not yet know/)
  const [, figures = ''] = /data-figures="([^"]*)"/.exec(html) ?? []
  expect(JSON.parse(figures.replaceAll('&quot;', '"'))).toEqual([{ ...entered[0], source: '' }])
  // Where nobody has entered any, there is nothing to be told.
  expect(htmlOf([waitingPart('en', wordsOf('en'))])).not.toContain('data-figures')
})

test('the name of a law is read in the language of its country', () => {
  const html = htmlOf(waitingResult({ ...EXAMPLE_DEBT, country: 'FI' }, 'en', wordsOf('en')))
  for (const [link] of html.matchAll(/<a [^>]*>/g)) expect(link).toContain('lang="fi" hreflang="fi"')
})

test('what a law says of a charge is told in the language of the page', () => {
  const told = (country: 'SE' | 'NO', language: (typeof LANGUAGES)[number]) =>
    htmlOf(waitingResult({ ...EXAMPLE_DEBT, country }, language, wordsOf(language)))
  expect(told('SE', 'en')).toMatch(
    /lang="sv"[^>]*>Förordning \(1992:1094\)<\/a>: SEK 300, and SEK 380 for a representative/,
  )
  expect(told('SE', 'sv')).toContain('300 kr, och 380 kr för ombud')
  for (const language of ['en', 'da', 'fi'] as const) {
    expect(told('SE', language), language).not.toContain('ombud')
    expect(told('NO', language), language).not.toMatch(/av inkassosatsen|lett salær/)
  }
})
