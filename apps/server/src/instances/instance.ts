/** A provider as use cases know it. */
import { isLanguage, type Language } from '../platform/texts.ts'
import type { InstanceRow } from './instances.queries.ts'

export type Instance = {
  readonly id: string
  readonly timeZone: string
  readonly language: Language
  readonly mode: 'test' | 'live'
  /** `{alias}.{domain}`, lower case. */
  readonly host: string
  readonly isDefault: boolean
  readonly row: InstanceRow
}

export function toInstance(row: InstanceRow): Instance {
  return {
    id: row.id,
    timeZone: row.time_zone,
    language: isLanguage(row.language) ? row.language : 'sv',
    mode: row.mode,
    host: `${row.url_alias}.${row.url_domain}`.toLowerCase(),
    isDefault: row.is_default,
    row,
  }
}

/** The first word of the name when it is the alias in other letters ("Nordklar" for nordklar), else all of it. */
export function shortName({ row }: Instance): string {
  const first = row.name.split(' ', 1)[0] ?? row.name
  return first.toLowerCase() === row.url_alias.toLowerCase() ? first : row.name
}
