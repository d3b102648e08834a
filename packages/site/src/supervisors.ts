/** Who supervises collection, and by which law, by the country of whoever collects. Names of authorities and laws are not translated. */
import type { CostedCountry } from '@kvitt/domain/collection/waiting-costs.ts'

export const SUPERVISORS: Readonly<Record<CostedCountry, string>> = {
  // It took this over from the data protection authority on 1 January 2024 (SFS 2023:721).
  SE: 'Finansinspektionen (inkassolagen, 1974:182)',
  NO: 'Finanstilsynet (inkassoloven)',
  // The act leaves authorisation and supervision to the Minister of Justice, whose order 752 of 26 September 1997 (on authorisation and
  // security) leaves them to the head of the national police.
  DK: 'Rigspolitiet (lov om inkassovirksomhed)',
  // 5 § names the agency of Southern Finland as the keeper of the register; this one has its tasks since 1 January 2026 (HE 13/2025).
  FI: 'Lupa- ja valvontavirasto (laki perintätoiminnan harjoittajien rekisteröinnistä, 411/2018)',
}
