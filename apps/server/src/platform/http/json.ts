/** Writes answers as JSON in which every Amount is a number with two decimals: 842.00, not 842 (D-25). */
import { Amount, amountText } from '@kvitt/domain/money.ts'

/** JSON that the database has already written. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export function writeJson(value: unknown): string {
  if (value instanceof Amount) return amountText(value.minor)
  if (value instanceof JsonText) return value.text
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item ?? null)).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined)
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${writeJson(field)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}
