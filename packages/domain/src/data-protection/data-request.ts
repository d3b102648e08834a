/** What a person asks about their personal data, and by when it is answered (M-35, GDPR art. 12.3). */
import { addMonths, type CalendarDate } from '../calendar.ts'
import { addBankDays } from '../collection/bank-days.ts'

/** Articles 15, 16, 17 and 21. */
export const DATA_WISHES = ['ACCESS', 'RECTIFICATION', 'ERASURE', 'OBJECTION'] as const
export type DataWish = (typeof DATA_WISHES)[number]

/** How it came. */
export const REQUEST_WAYS = ['LETTER', 'EMAIL', 'PHONE', 'PORTAL'] as const
export type RequestWay = (typeof REQUEST_WAYS)[number]

/** How long ago a request may have come that is entered only now, in months. */
export const OLDEST_MONTHS = 12

/**
 * `HANDED_OUT`: the person has the file of all that is held. `ELSEWHERE`: it was corrected, erased or stopped where that is done.
 * `WITHDRAWN`: the person does not ask any more, or it was entered by mistake.
 */
export const DATA_ANSWERS = ['HANDED_OUT', 'ELSEWHERE', 'REFUSED', 'WITHDRAWN'] as const
export type DataAnswer = (typeof DATA_ANSWERS)[number]

/** Why a request may be refused: articles 12.2 and 12.5. */
export const REFUSED_BECAUSE = ['IDENTITY_UNCLEAR', 'UNFOUNDED', 'EXCESSIVE'] as const
export type RefusedBecause = (typeof REFUSED_BECAUSE)[number]

/** Whoever asks for a copy gets it; what else is asked for is done elsewhere. */
export function canBeAnswered(wish: DataWish, answer: DataAnswer): boolean {
  if (answer === 'HANDED_OUT') return wish === 'ACCESS'
  return answer !== 'ELSEWHERE' || wish !== 'ACCESS'
}

/**
 * The last day to answer what came on `cameOn`: a month later, or three where it was extended. Where that month has no such day it is
 * the month's last, and a day on which nobody works becomes the next working day (Regulation 1182/71 art. 3) in `country`.
 */
export function lastDayToAnswer(cameOn: CalendarDate, isExtended: boolean, country: string): CalendarDate {
  return addBankDays(country, addMonths(cameOn, isExtended ? 3 : 1), 0)
}
