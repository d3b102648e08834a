/** How calendar days are written on the screen. Days come from the server as YYYY-MM-DD; no clock is read. */
import type { Language } from './language/languages.ts'

type DayForm = 'long' | 'short' | 'weekday' | 'dayMonth' | 'brief'

const FORMS: Readonly<Record<DayForm, Intl.DateTimeFormatOptions>> = {
  long: { day: 'numeric', month: 'long', year: 'numeric' },
  short: { day: 'numeric', month: 'short', year: 'numeric' },
  weekday: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  dayMonth: { day: 'numeric', month: 'long' },
  brief: { day: 'numeric', month: 'short' },
}

const LOCALES: Readonly<Record<Language, string>> = {
  sv: 'sv-SE',
  en: 'en-GB',
  nb: 'nb-NO',
  da: 'da-DK',
  fi: 'fi-FI',
}

/** Making one takes longer than anything else about a day. */
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(language: Language, form: DayForm): Intl.DateTimeFormat {
  const name = language + form
  const formatter =
    formatters.get(name) ?? new Intl.DateTimeFormat(LOCALES[language], { ...FORMS[form], timeZone: 'UTC' })
  formatters.set(name, formatter)
  return formatter
}

/** The first formatter of a language takes a browser ten times as long as all others. */
export function readyDays(language: Language): void {
  formatterOf(language, 'long')
}

/** "4 December 2026" (long), "4 Dec 2026" (short), "Friday 4 December 2026" (weekday), "4 December" (dayMonth), "4 Dec" (brief). */
export function formatDay(day: string, language: Language, form: DayForm = 'long'): string {
  return (
    formatterOf(language, form)
      .format(Date.parse(`${day}T00:00:00Z`))
      .replace(',', '')
      .replaceAll(' ', '\u00a0')
      // On a narrow screen a line may end after the weekday.
      .replace(/^(\D+)\u00a0/, '$1 ')
  )
}
