/**
 * Which rule each charge stands on, in the language of its country: the name of a law is not translated. The figures themselves,
 * and the same sources, are in the domain's country-params.json.
 */
import type { CostedCountry } from '@kvitt/domain/collection/waiting-costs.ts'
import type { DebtorKind } from '@kvitt/domain/collection/country-params.ts'
import type { StepType } from '@kvitt/domain/collection/schedule-table.ts'

type Laws = {
  readonly interest: string
  readonly authority: string
  readonly steps: Readonly<Record<DebtorKind, Readonly<Partial<Record<StepType, string>>>>>
}

const SE_COSTS = 'Lag (1981:739) om ersättning för inkassokostnader'
const SE_COURT = 'Förordning (1992:1094), 300 kr och 380 kr för ombud'
const FI_COLLECTION = 'Perintälaki (513/1999) 10 a §'
const FI_COMPANIES = 'Laki 299/2022'

export const LAWS: Readonly<Record<CostedCountry, Laws>> = {
  SE: {
    interest: 'Räntelagen (1975:635) 6 §',
    authority: 'Kronofogden',
    steps: {
      consumer: {
        REMINDER: `${SE_COSTS} 2 och 4 §§`,
        COLLECTION_CLAIM: `${SE_COSTS} 4 §`,
        BAILIFF_PAYMENT_INJUCTION: SE_COURT,
      },
      business: {
        DELAYED_PENALTY_FEE: `${SE_COSTS} 4 a §`,
        BAILIFF_PAYMENT_INJUCTION: SE_COURT,
      },
    },
  },
  NO: {
    interest: 'Forsinkelsesrenteloven',
    authority: 'forliksrådet',
    steps: {
      consumer: {
        REMINDER: 'Inkassoloven, 1/20 av inkassosatsen',
        COLLECTION_NOTIFICATION: 'Inkassoloven, 1/20 av inkassosatsen',
        COLLECTION_CLAIM: 'Inkassoloven, lett salær',
      },
      business: {
        DELAYED_PENALTY_FEE: 'Forsinkelsesrenteloven, standardkompensasjon',
        COLLECTION_CLAIM: 'Inkassoloven, lett salær',
      },
    },
  },
  DK: {
    interest: 'Renteloven § 5',
    authority: 'fogedretten',
    steps: {
      consumer: { REMINDER: 'Renteloven § 9 b', COLLECTION_CLAIM: 'Renteloven § 9 b' },
      business: {
        DELAYED_PENALTY_FEE: 'Bekendtgørelse 601/2002 § 2',
        COLLECTION_CLAIM: 'Renteloven § 9 b',
      },
    },
  },
  FI: {
    interest: 'Korkolaki (633/1982) 4 ja 4 a §',
    authority: 'käräjäoikeus',
    steps: {
      consumer: { REMINDER: FI_COLLECTION, COLLECTION_CLAIM: FI_COLLECTION },
      business: { DELAYED_PENALTY_FEE: FI_COMPANIES, COLLECTION_CLAIM: FI_COMPANIES },
    },
  },
}
