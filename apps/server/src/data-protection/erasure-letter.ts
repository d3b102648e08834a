/** What a person who wants to be forgotten is told: what has gone, and what has to stay, on which ground and until when. */
import type { Row, TableHead } from '../platform/tables/tables.ts'
import { textOf, type Language, type TextKey } from '../platform/texts.ts'
import type { PersonErasure } from './retention.ts'

export function erasureHead(name: string, language: Language): TableHead {
  const label = (key: TextKey) => textOf(language, key)
  return {
    title: label('erasure.title'),
    language,
    instance: { name },
    columns: [
      { label: label('personal.what'), isAmount: false, share: 40 },
      { label: label('erasure.becomes'), isAmount: false, share: 16 },
      { label: label('erasure.ground'), isAmount: false, share: 28 },
      { label: label('erasure.until'), isAmount: false, share: 16 },
    ],
  }
}

/** What has no day yet waits for something. */
const WHILE = {
  HOLD: 'erasure.while_held',
  REQUEST: 'erasure.while_asked',
  ANSWER: 'erasure.while_asked',
} as const

/** Whom somebody may complain to, by the provider's country: names, the same in every language. Elsewhere it is said without one. */
const AUTHORITIES: Readonly<Record<string, string>> = {
  SE: 'Integritetsskyddsmyndigheten (IMY)',
  NO: 'Datatilsynet',
  DK: 'Datatilsynet',
  FI: 'Tietosuojavaltuutettu',
}

/** What stays is a no: whoever reads it is told how to complain (GDPR art. 12.4). */
function howToComplain(country: string, language: Language): Row {
  const authority = Object.hasOwn(AUTHORITIES, country) ? AUTHORITIES[country] : undefined
  const to = authority ?? textOf(language, 'erasure.authority')
  return [textOf(language, 'erasure.complain', { authority: to }), '', '', '']
}

export function erasureRows({ goes, stays }: PersonErasure, country: string, language: Language): Row[] {
  const kindText = (kind: string): string => textOf(language, `erasure.kind.${kind}` as TextKey)
  return [
    ...goes.map(({ kind }): Row => [kindText(kind), textOf(language, 'erasure.goes'), '', '']),
    ...stays.map(
      ({ kind, ground, until }): Row => [
        kindText(kind),
        textOf(language, 'erasure.stays'),
        ground,
        until ?? textOf(language, WHILE[kind as keyof typeof WHILE] ?? 'erasure.while_open'),
      ],
    ),
    ...(stays.length > 0 ? [howToComplain(country, language)] : []),
  ]
}
