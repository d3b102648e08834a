/**
 * Whom the demo's firm bills besides the cast: customers of the two Swedish creditors. None of them has a number of a person or
 * of a company, as no free range of those is ours, and every name is made like the cast's: from words that say "test".
 */
import type { CastDebtor } from '../cast.ts'

const FIRST_NAMES = [
  'Agnes', 'Bengt', 'Cecilia', 'David', 'Ebba', 'Fredrik', 'Greta', 'Henrik', 'Irma', 'Johan', 'Karin', 'Lars', 'Mona', 'Nora', 'Oskar', 'Petra', 'Rolf', 'Sigrid', 'Tore', 'Ulla',
] // biome-ignore format: a list to be read in rows
const BEGINNINGS = ['Prov', 'Test', 'Demo', 'Fiktiv', 'Exempel'] as const
const ENDINGS = ['lund', 'holm', 'berg', 'gren', 'kvist', 'ström', 'dal'] as const
const TRADES = ['Bageri', 'Bilvård', 'Café', 'Fastigheter', 'Måleri', 'Trädgård'] as const
const PLACES = [
  ['111 22', 'Stockholm'],
  ['411 05', 'Göteborg'],
  ['211 15', 'Malmö'],
  ['753 20', 'Uppsala'],
  ['903 25', 'Umeå'],
  ['582 22', 'Linköping'],
  ['702 11', 'Örebro'],
] as const

const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item

/** Every tenth customer is a company. */
const COMPANY_EVERY = 10

/** Customer `index` of a creditor, from 0. `key` names the creditor: no customer is of both. */
export function customerOf(key: string, index: number): CastDebtor {
  const surname = `${at(BEGINNINGS, index)}${at(ENDINGS, Math.floor(index / BEGINNINGS.length))}`
  // Each turn through all pairs of a name begins one further, so that nobody is called as another.
  const first = at(FIRST_NAMES, index + Math.floor(index / (BEGINNINGS.length * ENDINGS.length)))
  const [zip, city] = at(PLACES, index * 3 + Math.floor(index / PLACES.length))
  const isCompany = index % COMPANY_EVERY === COMPANY_EVERY - 1
  const common = {
    key: `${key}-${index}`,
    country: 'SE',
    identificationNumber: null,
    address: `Provgatan ${index + 1}`,
    zip,
    city,
    email: `${key}-${index + 1}@example.com`,
  }
  if (!isCompany) return { ...common, kind: 'PERSON', name: `${first} ${surname}` }
  const name = `${surname} Demo ${at(TRADES, Math.floor(index / COMPANY_EVERY))} AB`
  return { ...common, kind: 'COMPANY', name }
}
