/** What a person asks about their personal data, and by when it is answered (M-35, GDPR art. 12.3). */
import { addMonths, type CalendarDate } from '../calendar.ts'
import { workingDayFrom } from './public-holidays.ts'

/** Articles 15, 16, 17 and 21. */
export const DATA_WISHES = ['ACCESS', 'RECTIFICATION', 'ERASURE', 'OBJECTION'] as const
export type DataWish = (typeof DATA_WISHES)[number]

/** How it came. */
export const REQUEST_WAYS = ['LETTER', 'EMAIL', 'PHONE', 'PORTAL'] as const
export type RequestWay = (typeof REQUEST_WAYS)[number]

/** How long ago a request may have come that is entered only now, in months. */
export const OLDEST_MONTHS = 12

/** Those that are one request however often the person asks: what is corrected or objected to may be another thing each time. */
export const ASKED_ONCE = ['ACCESS', 'ERASURE'] as const satisfies readonly DataWish[]

/**
 * `HANDED_OUT`: the person has the file of all that is held. `ELSEWHERE`: it was corrected, erased or stopped where that is done.
 * `NOT_DONE`: the law lets it be, wholly or in part. `REFUSED`: the request itself is not taken up.
 * `WITHDRAWN`: the person does not ask any more, or it was entered by mistake.
 */
export const DATA_ANSWERS = ['HANDED_OUT', 'ELSEWHERE', 'NOT_DONE', 'REFUSED', 'WITHDRAWN'] as const
export type DataAnswer = (typeof DATA_ANSWERS)[number]

/** Why a request may be refused: articles 12.2 and 12.5. Why what was asked may be left undone: articles 17.3 b and e, 16, 21.1. */
export const DATA_GROUNDS = [
  'IDENTITY_UNCLEAR',
  'UNFOUNDED',
  'EXCESSIVE',
  'KEPT_BY_LAW',
  'DATA_ARE_RIGHT',
  'OVERRIDING_GROUNDS',
  'LEGAL_CLAIMS',
] as const
export type DataGround = (typeof DATA_GROUNDS)[number]

const NOT_DONE_GROUNDS: Readonly<Record<DataWish, readonly DataGround[]>> = {
  ACCESS: [],
  RECTIFICATION: ['DATA_ARE_RIGHT'],
  ERASURE: ['KEPT_BY_LAW', 'LEGAL_CLAIMS'],
  OBJECTION: ['OVERRIDING_GROUNDS', 'LEGAL_CLAIMS'],
}

/** On which grounds a wish may be answered so; an answer without any needs none. */
export function groundsFor(wish: DataWish, answer: DataAnswer): readonly DataGround[] {
  if (answer === 'NOT_DONE') return NOT_DONE_GROUNDS[wish]
  return answer === 'REFUSED' ? ['IDENTITY_UNCLEAR', 'UNFOUNDED', 'EXCESSIVE'] : []
}

/** Whoever is told no is told why, and that they may complain to the authority and go to court (article 12.4). */
export const isNo = (answer: DataAnswer): boolean => answer === 'NOT_DONE' || answer === 'REFUSED'

/** Whoever asks for a copy gets it; what else is asked for is done elsewhere, or not done on a ground of its own. */
export function canBeAnswered(wish: DataWish, answer: DataAnswer): boolean {
  if (answer === 'HANDED_OUT') return wish === 'ACCESS'
  if (answer === 'NOT_DONE') return groundsFor(wish, answer).length > 0
  return answer !== 'ELSEWHERE' || wish !== 'ACCESS'
}

/**
 * The last day to answer what came on `cameOn`: a month later, or three where it was extended. Where that month has no such day it is
 * the month's last, and a Saturday, a Sunday or a public holiday of `country` becomes the next working day (Regulation 1182/71 art. 3).
 */
export function lastDayToAnswer(cameOn: CalendarDate, isExtended: boolean, country: string): CalendarDate {
  return workingDayFrom(country, addMonths(cameOn, isExtended ? 3 : 1))
}
