/** Who supervises collection, by the country of whoever collects. An authority's name is not translated. */
import type { CostedCountry } from '@kvitt/domain/collection/waiting-costs.ts'

export const SUPERVISORS: Readonly<Record<CostedCountry, string>> = {
  // Inkassolagen (1974:182).
  SE: 'Integritetsskyddsmyndigheten (IMY)',
  // Inkassoloven av 1988.
  NO: 'Finanstilsynet',
  // Lov om inkassovirksomhed.
  DK: 'Rigspolitiet',
  // Laki perintätoiminnan harjoittajien rekisteröinnistä (411/2018); it has the regional agencies' tasks since 2026.
  FI: 'Lupa- ja valvontavirasto',
}
