/** Who supervises collection, by the country of whoever collects. An authority's name is not translated. */
import type { CostedCountry } from '@kvitt/domain/collection/waiting-costs.ts'

export const SUPERVISORS: Readonly<Record<CostedCountry, string>> = {
  // Inkassolagen (1974:182); it took this over from the data protection authority on 1 January 2024 (SFS 2023:721).
  SE: 'Finansinspektionen',
  // Inkassoloven av 1988.
  NO: 'Finanstilsynet',
  // Lov om inkassovirksomhed; the order on its authorisations (BEK 752 of 26 September 1997) names the national police.
  DK: 'Rigspolitiet',
  // Laki perintätoiminnan harjoittajien rekisteröinnistä (411/2018) names the agency of Southern Finland, whose tasks this one has
  // since 1 January 2026 (HE 13/2025).
  FI: 'Lupa- ja valvontavirasto',
}
