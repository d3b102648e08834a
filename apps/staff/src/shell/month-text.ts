import { currentLanguage } from '@kvitt/ui/language/speak.ts'

/** A month such as `2026-10` in words: October 2026. */
export function monthText(month: string): string {
  const format = new Intl.DateTimeFormat(currentLanguage(), {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const day = new Date(`${month}-01T00:00:00Z`)
  return Number.isNaN(day.getTime()) ? month : format.format(day)
}
