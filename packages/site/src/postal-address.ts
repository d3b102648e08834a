/** Where a provider is written to on paper, among the facts of the imprint. */
import { type Child, el } from './element.ts'
import type { Words } from './words.ts'

export function postalAddress(address: string, t: Words): Child {
  return el('div', {}, el('dt', {}, t('imprint.address')), el('dd', {}, address))
}
