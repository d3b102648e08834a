/** Who supervises collection, by the country of whoever collects. An authority's name is not translated. */
import type { CostedCountry } from '@kvitt/domain/collection/waiting-costs.ts'

export const SUPERVISORS: Readonly<Record<CostedCountry, string>> = {
  // Inkassolagen (1974:182); it took this over from the data protection authority on 1 January 2024 (SFS 2023:721).
  SE: 'Finansinspektionen',
  // Inkassoloven av 1988.
  NO: 'Finanstilsynet',
  // Lov om inkassovirksomhed.
  DK: 'Rigspolitiet',
  // Laki perintätoiminnan harjoittajien rekisteröinnistä (411/2018); it has the regional agencies' tasks since 2026.
  FI: 'Lupa- ja valvontavirasto',
}
