import { describe, expect, test } from 'vitest'
import { keepPayment, NEWS, STANDINGS, type KeptPayment, type News } from './kept-payment.ts'

/** S stale, H holds, N named. */
function letters({ isStale, isOutcomeUnknown, isNamed }: KeptPayment): string {
  return [isStale ? 'S' : '', isOutcomeUnknown ? 'H' : '', isNamed ? 'N' : ''].join('') || '-'
}

const TABLE: Readonly<Record<News, readonly [open: string, givenUp: string, booked: string]>> = {
  'no-money': ['-', '-', '-'],
  unknown: ['H', 'HN', '-'],
  'as-ordered': ['-', 'HN', '-'],
  otherwise: ['SH', 'HN', '-'],
  'another-order': ['SH', '-', '-'],
  'another-order-idle': ['S', '-', '-'],
  'taken-back': ['-', '-', '-'],
}

describe.each(NEWS)('%s', (news) => {
  test('while a person is asked', () => {
    expect(STANDINGS.map((standing) => letters(keepPayment(standing, news, true)))).toEqual(TABLE[news])
  })

  test('when the person is done, or nobody was asked: what was given up is let go', () => {
    const table = news === 'otherwise' ? ['SH', '-', '-'] : TABLE[news]
    expect(STANDINGS.map((standing) => letters(keepPayment(standing, news, false)))).toEqual(table)
  })
})
