/** A story as a list of steps, made from a seed before anything is played: a shorter list of them is a story too. */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { Chance } from '../simulation/chance.ts'

export type Country = 'SE' | 'NO' | 'DK' | 'FI'

/** A file of a bank with all the money of one day: when it comes, in which format, and how it writes account and reference. */
export type Report = {
  /** Days after the money was on the account. */
  readonly after: number
  readonly format: 'bgmax' | 'camt.053' | 'camt.054'
  readonly account: 'iban' | 'national'
  readonly reference: 'plain' | 'spaces' | 'zeros'
}

/** What happens to a document, which goes by its number in the story. */
export type Act =
  | {
      readonly do: 'send'
      readonly document: number
      readonly debtor: number
      readonly minor: number
      readonly termDays: number
    }
  | {
      readonly do: 'pay'
      readonly document: number
      readonly part: 'all' | 'half' | 'most' | 'little' | 'too much'
    }
  | { readonly do: 'credit'; readonly document: number; readonly part: 'all' | 'half' | 'most' }
  | { readonly do: 'dispute'; readonly document: number }
  | { readonly do: 'answer'; readonly document: number; readonly credit: 'none' | 'some' | 'all' }
  | { readonly do: 'pause' | 'resume'; readonly document: number }
  /** Of the claim that the document has joined. Only stories that are written by hand tell of it. */
  | { readonly do: 'dispute claim'; readonly document: number }
  | { readonly do: 'answer claim'; readonly document: number; readonly credit: 'none' | 'all' }

export type Step = Act | { readonly do: 'night'; readonly isPostSent: boolean }

export type Story = {
  readonly seed: number
  readonly countries: readonly Country[]
  readonly firstDay: CalendarDate
  readonly steps: readonly Step[]
  /** How each day's money is told of, by day. */
  readonly reports: readonly Readonly<Record<Country, readonly Report[]>>[]
}

type Place = Pick<Story, 'countries' | 'firstDay'>

/** Where and when: half-years for which the rates of all are confirmed, the last two across a change of them. */
const PLACES: readonly Place[] = [
  { countries: ['SE', 'NO', 'DK', 'FI'], firstDay: date('2023-01-07') },
  { countries: ['SE', 'NO', 'DK'], firstDay: date('2023-10-15') },
  { countries: ['SE', 'FI'], firstDay: date('2024-10-20') },
]

/** From the first invoice to a second demand. */
const NIGHTS = 125
export const DEBTORS = 120

/** Debtors live in the countries of the story in turn. */
export function countryOf({ countries }: Pick<Story, 'countries'>, debtor: number): Country {
  return countries[debtor % countries.length] ?? 'SE'
}

const MINOR = [100, 2_600, 9_900, 39_900, 84_200, 150_000, 499_000]

/** A story of about so many steps. */
export function tellStory(seed: number, count: number): Story {
  const chance = new Chance(seed)
  const place = PLACES[seed % PLACES.length] ?? PLACES[0]
  if (!place) throw new Error('nowhere')
  // Some acts find nothing to do, others are told of several times.
  const actsADay = (1.28 * count) / NIGHTS
  const steps: Step[] = []
  const countries: Country[] = []
  for (let day = 0; day < NIGHTS; day++) {
    const sends = day < NIGHTS / 2 ? Math.round(actsADay * 0.4 * chance.next()) + (day === 0 ? 1 : 0) : 0
    for (let n = 0; n < sends; n++) {
      const send = sendAct(chance, place, countries.length)
      countries.push(countryOf(place, send.debtor))
      steps.push(send)
    }
    for (let n = Math.round(actsADay * 2 * chance.next()) - sends; n > 0; n--)
      steps.push(actOn(chance, chance.between(0, countries.length - 1)))
    steps.push({ do: 'night', isPostSent: chance.happens(0.8) })
  }
  const reports = Array.from({ length: NIGHTS }, () => {
    const of = (country: Country): Report[] => reportsOf(chance, { country, seed })
    return { SE: of('SE'), NO: of('NO'), DK: of('DK'), FI: of('FI') }
  })
  return { seed, ...place, steps, reports }
}

function sendAct(chance: Chance, place: Place, document: number): Extract<Act, { do: 'send' }> {
  const debtor = chance.between(0, DEBTORS - 1)
  const minor = chance.oneOf(MINOR) ?? 100
  return {
    do: 'send',
    document,
    debtor,
    minor: countryOf(place, debtor) === 'FI' ? Math.ceil(minor / 10) : minor,
    termDays: chance.between(5, 30),
  }
}

function actOn(chance: Chance, document: number): Act {
  const turn = chance.next()
  if (turn < 0.7) {
    const part = chance.oneOf(['all', 'all', 'half', 'most', 'little', 'too much'] as const) ?? 'all'
    return { do: 'pay', document, part }
  }
  if (turn < 0.76) {
    const part = chance.oneOf(['all', 'half', 'most'] as const) ?? 'all'
    return { do: 'credit', document, part }
  }
  if (turn < 0.84) return { do: 'dispute', document }
  if (turn < 0.92) {
    const credit = chance.oneOf(['none', 'some', 'all'] as const) ?? 'none'
    return { do: 'answer', document, credit }
  }
  return { do: turn < 0.96 ? 'pause' : 'resume', document }
}

/** Swedish money is told of by Bankgirot, by the bank, or by both: then all of it by each. */
function formatsOf(country: Country, seed: number): readonly ('bgmax' | 'camt')[] {
  if (country !== 'SE') return ['camt']
  return ([['bgmax', 'camt'], ['bgmax'], ['camt']] as const)[seed % 3] ?? ['camt']
}

/** Late or in time, once or again, in the notations that banks use. */
function reportsOf(
  chance: Chance,
  { country, seed }: { readonly country: Country; readonly seed: number },
): Report[] {
  const first = chance.happens(0.4) ? chance.between(1, 6) : 0
  return formatsOf(country, seed).flatMap((format, index) => {
    const again = chance.oneOf([0, 0, 1, 2]) ?? 0
    const days = [first + (index > 0 ? chance.between(0, 3) : 0)]
    for (let n = 0; n < again; n++) days.push(first + chance.between(0, 3))
    return days.map((after) => reportOf(chance, { country, format, after }))
  })
}

type Wanted = { readonly country: Country; readonly format: 'bgmax' | 'camt'; readonly after: number }

function reportOf(chance: Chance, { country, format, after }: Wanted): Report {
  if (format === 'bgmax') return { after, format, account: 'national', reference: 'plain' }
  // Bankgirot counts the zeros of a reference.
  const references =
    country === 'SE' ? (['plain', 'spaces'] as const) : (['plain', 'spaces', 'zeros'] as const)
  const isComputed = country === 'NO' || country === 'DK'
  return {
    after,
    format: chance.happens(0.5) ? 'camt.053' : 'camt.054',
    account: country === 'SE' || (isComputed && chance.happens(0.5)) ? 'national' : 'iban',
    reference: chance.oneOf(references) ?? 'plain',
  }
}
