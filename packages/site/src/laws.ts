/**
 * Which rule each charge stands on, in the language of its country: the name of a law is not translated. The figures themselves,
 * and the same sources, are in the domain's country-params.json.
 */
import type { CostedCountry } from '@kvitt/domain/collection/waiting-costs.ts'
import type { DebtorKind } from '@kvitt/domain/collection/country-params.ts'
import type { StepType } from '@kvitt/domain/collection/schedule-table.ts'

/** An act as the public register of its country has it. */
type Act = { readonly name: string; readonly href: string }
/** Where a charge stands: the act and its paragraph, and where it can be read. */
export type Rule = { readonly text: string; readonly href: string }

type Laws = {
  readonly interest: Rule
  readonly authority: string
  readonly steps: Readonly<Record<DebtorKind, Readonly<Partial<Record<StepType, Rule>>>>>
}

const rule = ({ name, href }: Act, paragraph = ''): Rule => ({
  text: paragraph === '' ? name : `${name} ${paragraph}`,
  href,
})

const SFS = 'https://www.riksdagen.se/sv/dokument-och-lagar/dokument/svensk-forfattningssamling'
const SE_INTEREST = { name: 'Räntelagen (1975:635)', href: `${SFS}/rantelag-1975635_sfs-1975-635/` }
const SE_COSTS = {
  name: 'Lag (1981:739) om ersättning för inkassokostnader',
  href: `${SFS}/lag-1981739-om-ersattning-for-inkassokostnader_sfs-1981-739/`,
}
const SE_COURT = rule({
  name: 'Förordning (1992:1094), 300 kr och 380 kr för ombud',
  href: 'https://data.riksdagen.se/dokument/sfs-1992-1094.html',
})
const NO_COLLECTION = { name: 'Inkassoloven', href: 'https://lovdata.no/dokument/NL/lov/1988-05-13-26' }
const NO_INTEREST = {
  name: 'Forsinkelsesrenteloven',
  href: 'https://lovdata.no/dokument/NL/lov/1976-12-17-100',
}
const DK_INTEREST = { name: 'Renteloven', href: 'https://www.retsinformation.dk/eli/lta/2014/459' }
const DK_COSTS = { name: 'Bekendtgørelse 601/2002', href: 'https://www.retsinformation.dk/eli/lta/2002/601' }
const FI_INTEREST = { name: 'Korkolaki (633/1982)', href: 'https://www.finlex.fi/fi/lainsaadanto/1982/633' }
const FI_COLLECTION = rule(
  { name: 'Perintälaki (513/1999)', href: 'https://www.finlex.fi/fi/lainsaadanto/1999/513' },
  '10 a §',
)
const FI_COMPANIES = rule({
  name: 'Laki 299/2022',
  href: 'https://www.finlex.fi/fi/lainsaadanto/saadoskokoelma/2022/299',
})

export const LAWS: Readonly<Record<CostedCountry, Laws>> = {
  SE: {
    interest: rule(SE_INTEREST, '6 §'),
    authority: 'Kronofogden',
    steps: {
      consumer: {
        REMINDER: rule(SE_COSTS, '2 och 4 §§'),
        COLLECTION_CLAIM: rule(SE_COSTS, '4 §'),
        BAILIFF_PAYMENT_INJUCTION: SE_COURT,
      },
      business: {
        DELAYED_PENALTY_FEE: rule(SE_COSTS, '4 a §'),
        BAILIFF_PAYMENT_INJUCTION: SE_COURT,
      },
    },
  },
  NO: {
    interest: rule(NO_INTEREST),
    authority: 'forliksrådet',
    steps: {
      consumer: {
        REMINDER: rule(NO_COLLECTION, '(1/20 av inkassosatsen)'),
        COLLECTION_NOTIFICATION: rule(NO_COLLECTION, '(1/20 av inkassosatsen)'),
        COLLECTION_CLAIM: rule(NO_COLLECTION, '(lett salær)'),
      },
      business: {
        DELAYED_PENALTY_FEE: rule(NO_INTEREST, '(standardkompensasjon)'),
        COLLECTION_CLAIM: rule(NO_COLLECTION, '(lett salær)'),
      },
    },
  },
  DK: {
    interest: rule(DK_INTEREST, '§ 5'),
    authority: 'fogedretten',
    steps: {
      consumer: { REMINDER: rule(DK_INTEREST, '§ 9 b'), COLLECTION_CLAIM: rule(DK_INTEREST, '§ 9 b') },
      business: {
        DELAYED_PENALTY_FEE: rule(DK_COSTS, '§ 2'),
        COLLECTION_CLAIM: rule(DK_INTEREST, '§ 9 b'),
      },
    },
  },
  FI: {
    interest: rule(FI_INTEREST, '4 ja 4 a §'),
    authority: 'käräjäoikeus',
    steps: {
      consumer: { REMINDER: FI_COLLECTION, COLLECTION_CLAIM: FI_COLLECTION },
      business: { DELAYED_PENALTY_FEE: FI_COMPANIES, COLLECTION_CLAIM: FI_COMPANIES },
    },
  },
}
