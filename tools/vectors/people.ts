/** Vector files about persons and companies. */
import { date } from '@kvitt/domain/calendar.ts'
import { NUMBER_RULES, isIdentificationNumberValid } from '@kvitt/domain/people/identification-number.ts'
import type { Check } from './check.ts'

type NumberRow = { input: string; valid: boolean | string }

type NumberFile = {
  countries: Record<string, { types: Record<string, { valid: NumberRow[]; invalid: NumberRow[] }> }>
  extra: (NumberRow & { country: string; type: string })[]
}

/** The day of the file: a few of its numbers are wrong only because they lie in the future. */
const TODAY = date('2026-11-20')

/** Each row against its own kind of number; a good one also against all kinds of its country. */
function checkRow(country: string, type: string, { input, valid }: NumberRow): Check[] {
  const id = `${country} ${type} ${input}`
  const own: Check = {
    id,
    expected: valid !== false,
    actual: () => NUMBER_RULES[country]?.[type]?.(input, TODAY) ?? `no rule ${type}`,
  }
  const all: Check = {
    id: `${id} in ${country}`,
    expected: true,
    actual: () => isIdentificationNumberValid(country, input, TODAY),
  }
  return valid === false ? [own] : [own, all]
}

export function checkIdentificationNumbers(file: NumberFile): Check[] {
  const rows = Object.entries(file.countries).flatMap(([country, { types }]) =>
    Object.entries(types).flatMap(([type, { valid, invalid }]) =>
      [...valid, ...invalid].flatMap((row) => checkRow(country, type, row)),
    ),
  )
  return [...rows, ...file.extra.flatMap((row) => checkRow(row.country, row.type, row))]
}
