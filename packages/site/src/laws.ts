/**
 * Which rule each charge stands on, in the language of its country: the name of a law is not translated, and what it says of a charge is. The
 * figures themselves,
 * and the same sources, are in the domain's country-params.json.
 */
import type { CostedCountry } from '@kvitt/domain/collection/waiting-costs.ts'
import type { DebtorKind } from '@kvitt/domain/collection/country-params.ts'
import type { StepType } from '@kvitt/domain/collection/schedule-table.ts'
import { type Child, el } from './element.ts'

type LawLanguage = 'sv' | 'nb' | 'da' | 'fi'

/** An act as the public register of its country has it, which is in one language; none where there is one text for each. */
type Act = { readonly name: string; readonly href: string; readonly lang?: LawLanguage }
/** Where a charge stands: the act and its paragraph, and where it can be read. */
export type Rule = {
  readonly text: string
  readonly href: string
  readonly lang?: LawLanguage | undefined
  /** What it says of the charge, in the language of the page. */
  readonly note?: `waiting.law_${'agent' | 'light' | 'standard' | 'twentieth'}`
}

type Laws = {
  readonly interest: Rule
  readonly authority: string
  readonly steps: Readonly<Record<DebtorKind, Readonly<Partial<Record<StepType, Rule>>>>>
}

const rule = ({ name, href, lang }: Act, paragraph = ''): Rule => ({
  text: paragraph === '' ? name : `${name} ${paragraph}`,
  href,
  lang,
})

/** The law is read where its country publishes it, and its name is read out in that country's language. */
export function lawLink({ text, href, lang }: Rule): Child {
  return el('a', { href, lang, hreflang: lang }, text)
}

const SFS = 'https://www.riksdagen.se/sv/dokument-och-lagar/dokument/svensk-forfattningssamling'
const SE_INTEREST: Act = {
  name: 'Räntelagen (1975:635)',
  href: `${SFS}/rantelag-1975635_sfs-1975-635/`,
  lang: 'sv',
}
const SE_COSTS: Act = {
  name: 'Lag (1981:739) om ersättning för inkassokostnader',
  href: `${SFS}/lag-1981739-om-ersattning-for-inkassokostnader_sfs-1981-739/`,
  lang: 'sv',
}
const SE_FEES: Act = {
  name: 'Förordning (1992:1094)',
  href: 'https://data.riksdagen.se/dokument/sfs-1992-1094.html',
  lang: 'sv',
}
const SE_COURT: Rule = { ...rule(SE_FEES), note: 'waiting.law_agent' }
const NO_COLLECTION: Act = {
  name: 'Inkassoloven',
  href: 'https://lovdata.no/dokument/NL/lov/1988-05-13-26',
  lang: 'nb',
}
const NO_FEES: Act = {
  name: 'Inkassoforskriften',
  href: 'https://lovdata.no/dokument/SF/forskrift/1989-07-14-562',
  lang: 'nb',
}
const NO_TWENTIETH: Rule = { ...rule(NO_FEES, '§ 1-2'), note: 'waiting.law_twentieth' }
const NO_LIGHT: Rule = { ...rule(NO_FEES, 'kapittel 2'), note: 'waiting.law_light' }
const NO_INTEREST: Act = {
  name: 'Forsinkelsesrenteloven',
  href: 'https://lovdata.no/dokument/NL/lov/1976-12-17-100',
  lang: 'nb',
}
const DK_INTEREST: Act = {
  name: 'Renteloven',
  href: 'https://www.retsinformation.dk/eli/lta/2014/459',
  lang: 'da',
}
const DK_COSTS: Act = {
  name: 'Bekendtgørelse 601/2002',
  href: 'https://www.retsinformation.dk/eli/lta/2002/601',
  lang: 'da',
}
const FI_INTEREST: Act = {
  name: 'Korkolaki (633/1982)',
  href: 'https://www.finlex.fi/fi/lainsaadanto/1982/633',
  lang: 'fi',
}
const FI_COSTS: Act = {
  name: 'Perintälaki (513/1999)',
  href: 'https://www.finlex.fi/fi/lainsaadanto/1999/513',
  lang: 'fi',
}
const FI_COLLECTION = rule(FI_COSTS, '10 a §')
const FI_BUSINESS: Act = {
  name: 'Laki 299/2022',
  href: 'https://www.finlex.fi/fi/lainsaadanto/saadoskokoelma/2022/299',
  lang: 'fi',
}
const FI_COMPANIES = rule(FI_BUSINESS)

/** The acts that an article may name as what it stands on (topics.json). */
export const ACTS: Readonly<Record<string, Act>> = {
  'SE-interest': SE_INTEREST,
  'SE-costs': SE_COSTS,
  'SE-court': SE_FEES,
  'NO-interest': NO_INTEREST,
  'NO-costs': NO_COLLECTION,
  'NO-fees': NO_FEES,
  'DK-interest': DK_INTEREST,
  'DK-compensation': DK_COSTS,
  'FI-interest': FI_INTEREST,
  'FI-costs': FI_COSTS,
  'FI-business': FI_BUSINESS,
  'EU-data': { name: 'GDPR, (EU) 2016/679', href: 'https://eur-lex.europa.eu/eli/reg/2016/679/oj' },
}

/** Links to acts by their names in ACTS; a name that is none has no link, and fails the check of articles. */
export function actLinks(names: readonly string[]): Child[] {
  return names.flatMap((name) => {
    const act = Object.hasOwn(ACTS, name) ? ACTS[name] : undefined
    return act ? [lawLink(rule(act))] : []
  })
}

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
        REMINDER: NO_TWENTIETH,
        COLLECTION_NOTIFICATION: NO_TWENTIETH,
        COLLECTION_CLAIM: NO_LIGHT,
      },
      business: {
        DELAYED_PENALTY_FEE: { ...rule(NO_INTEREST), note: 'waiting.law_standard' },
        COLLECTION_CLAIM: NO_LIGHT,
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
