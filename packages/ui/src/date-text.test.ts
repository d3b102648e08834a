import { i18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { describe, expect, test } from 'vitest'
import { addDays, date } from '@kvitt/domain/calendar.ts'
import { formatDay } from './date-text.ts'
import da from './language/da.json'
import en from './language/en.json'
import fi from './language/fi.json'
import nb from './language/nb.json'
import sv from './language/sv.json'

const LANGUAGES = {
  sv: { locale: 'sv-SE', texts: sv, short: '4 sep. 2026', brief: '4 maj' },
  en: { locale: 'en-GB', texts: en, short: '4 Sept 2026', brief: '4 May' },
  nb: { locale: 'nb-NO', texts: nb, short: '4. sep. 2026', brief: '4. mai' },
  da: { locale: 'da-DK', texts: da, short: '4. sep. 2026', brief: '4. maj' },
  fi: { locale: 'fi-FI', texts: fi, short: '4.9.2026', brief: '4.5.' },
}

/** As CLDR has them, which a browser's own formatter gives. Short names it changes now and then. */
const FORMS = {
  long: { day: 'numeric', month: 'long', year: 'numeric' },
  weekday: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  dayMonth: { day: 'numeric', month: 'long' },
} as const

const plain = (text: string) => text.replaceAll('\u00a0', ' ')
const DAYS = Array.from({ length: 1_200 }, (_, n) => addDays(date('2026-11-20'), n))

function speak(language: keyof typeof LANGUAGES): void {
  const texts = Object.entries(LANGUAGES[language].texts)
  i18n.load(language, Object.fromEntries(texts.map(([id, text]) => [id, compileMessage(text)])))
  i18n.activate(language)
}

describe.each(['sv', 'en', 'nb', 'da', 'fi'] as const)('in %s', (language) => {
  const { locale, short, brief } = LANGUAGES[language]

  test.each(['long', 'weekday', 'dayMonth'] as const)('every day for three years, %s', (form) => {
    speak(language)
    const formatter = new Intl.DateTimeFormat(locale, { ...FORMS[form], timeZone: 'UTC' })
    const expected = DAYS.map((day) => formatter.format(Date.parse(day)).replace(',', ''))
    expect(DAYS.map((day) => plain(formatDay(day, form)))).toEqual(expected)
  })

  test('in short', () => {
    speak(language)
    expect(plain(formatDay('2026-09-04', 'short'))).toBe(short)
    expect(plain(formatDay('2026-05-04', 'brief'))).toBe(brief)
    expect(LANGUAGES[language].texts['day.months_short'].split(' ')).toHaveLength(12)
  })
})

test('a line ends after the weekday only', () => {
  speak('da')
  expect(formatDay('2026-12-04', 'weekday')).toBe('fredag den 4.\u00a0december\u00a02026')
  expect(formatDay('2026-12-04')).toBe('4.\u00a0december\u00a02026')
})
