/** What the imprint says of a provider in the words of its country, written by the server. */
import type { CostedCountry } from '@kvitt/domain/collection/waiting-costs.ts'
import { type Child, el } from './element.ts'
import type { Words } from './words.ts'

/** What the register of companies calls its number. A register's word is not translated. */
const COMPANY_NUMBERS: Readonly<Record<CostedCountry, string>> = {
  SE: 'Organisationsnummer',
  NO: 'Organisasjonsnummer',
  DK: 'CVR-nummer',
  FI: 'Y-tunnus',
}

/** The name of a provider's number: the word of its country, behind the reader's own where that is another. */
export function companyNumberName(country: CostedCountry, t: Words): string {
  const [here, there] = [t('imprint.number'), COMPANY_NUMBERS[country]]
  return here === there ? there : `${t('imprint.number_abroad')} (${there})`
}

/** Where a provider is written to on paper. */
export function postalAddress(address: string, t: Words): Child {
  return el('div', {}, el('dt', {}, t('imprint.address')), el('dd', {}, address))
}
