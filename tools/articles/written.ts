/** How each of the five languages writes amounts, percentages, days and sentences. */
import type { Language } from './article.ts'

type Writing = {
  readonly currencies: Readonly<Record<string, string>>
  readonly thousands: string
  readonly decimal: string
  /** Of dates; Finnish ones are written in digits. */
  readonly months: readonly string[]
}

const CODES = { SEK: 'SEK', NOK: 'NOK', DKK: 'DKK', EUR: 'EUR', '€': 'EUR' }

const WRITING: Readonly<Record<Language, Writing>> = {
  sv: {
    currencies: { ...CODES, kr: 'SEK' },
    thousands: ' ',
    decimal: ',',
    months: 'januari februari mars april maj juni juli augusti september oktober november december'.split(
      ' ',
    ),
  },
  en: {
    currencies: CODES,
    thousands: ',',
    decimal: '.',
    months: 'January February March April May June July August September October November December'.split(
      ' ',
    ),
  },
  nb: {
    currencies: { ...CODES, kr: 'NOK' },
    thousands: ' ',
    decimal: ',',
    months: 'januar februar mars april mai juni juli august september oktober november desember'.split(' '),
  },
  da: {
    currencies: { ...CODES, 'kr.': 'DKK' },
    thousands: '.',
    decimal: ',',
    months: 'januar februar marts april maj juni juli august september oktober november december'.split(' '),
  },
  // As a genitive the word is written out: 842 euron lasku.
  fi: { currencies: { ...CODES, euron: 'EUR' }, thousands: ' ', decimal: ',', months: [] },
}

const CURRENCY = '(?:SEK|NOK|DKK|EUR|€|euron|kr\\.?)'
const NUMBER = '\\d(?:\\d|[.,](?=\\d)|\\s(?=\\d{3}(?!\\d)))*'
const AFTER = new RegExp(`(${NUMBER})\\s?(${CURRENCY})(?!\\w)`, 'gu')
const BEFORE = new RegExp(`(${CURRENCY})\\s?(${NUMBER})`, 'gu')

export type WrittenAmount = {
  readonly text: string
  /** As "SEK 60.00"; undefined when it is not how the language writes amounts. */
  readonly amount: string | undefined
}

const escaped = (sign: string) => sign.replaceAll('.', String.raw`\.`)

/** "1250.5" of a number as the language writes it; undefined when it is written otherwise. */
function readNumber(text: string, { thousands, decimal }: Writing): string | undefined {
  const plain = text.replaceAll(/\s/gu, ' ')
  const form = new RegExp(`^\\d{1,3}(?:${escaped(thousands)}\\d{3})*(?:${escaped(decimal)}\\d{2})?$`)
  return form.test(plain) ? plain.replaceAll(thousands, '').replace(decimal, '.') : undefined
}

/** Every sum of money in a text. */
export function amountsIn(text: string, language: Language): WrittenAmount[] {
  const writing = WRITING[language]
  return [...text.matchAll(language === 'en' ? BEFORE : AFTER)].map((match) => {
    const [number = '', sign = ''] = language === 'en' ? [match[2], match[1]] : [match[1], match[2]]
    const digits = readNumber(number, writing)
    const currency = writing.currencies[sign] ?? writing.currencies[sign.replace(/\.$/, '')]
    const amount = digits && currency ? `${currency} ${Number(digits).toFixed(2)}` : undefined
    return { text: match[0], amount }
  })
}

/** Every percentage in a text, as "9.5". */
export function percentagesIn(text: string, language: Language): string[] {
  const { decimal } = WRITING[language]
  return [...text.matchAll(/(\d+(?:[.,]\d+)?)\s?%/gu)].map((match) =>
    String(Number((match[1] ?? '').replace(decimal, '.'))),
  )
}

/** Every day with its year in a text, as "2026-12-01". */
export function datesIn(text: string, language: Language): string[] {
  const { months } = WRITING[language]
  const pattern =
    months.length === 0
      ? /(\d{1,2})\.(\d{1,2})\.(\d{4})/gu
      : new RegExp(`(\\d{1,2})\\.? (${months.join('|')}) (\\d{4})`, 'gu')
  return [...text.matchAll(pattern)].map(([, day = '', month = '', year = '']) => {
    const number = months.length === 0 ? Number(month) : months.indexOf(month) + 1
    return `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`
  })
}

/** The sentences of a block. "1. december" and "100 kr. mere" are inside of one. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?:])\s+(?=["”«“]?\p{Lu})/u).filter((sentence) => /\p{L}/u.test(sentence))
}

/** How many words a text has; "1 250,00 kr" are two. */
export function countWords(text: string): number {
  const joined = text.replaceAll(/(?<=\d)\s(?=\d{3}(?!\d))/gu, '')
  return joined.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}
