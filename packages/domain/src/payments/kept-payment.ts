/** What becomes of a payment whose gateway has news that does not move it: whether it holds what it was for. */

/** Where the payment stands: not ended; ended here without money; or its money is in the books. */
export const STANDINGS = ['open', 'given-up', 'booked'] as const
export type Standing = (typeof STANDINGS)[number]

export const NEWS = [
  /** Nothing is signed, and nothing has moved. */
  'no-money',
  /** The gateway itself does not know the end. */
  'unknown',
  /** Signed or moved, with the figures that were ordered. */
  'as-ordered',
  /** Signed or moved, with another amount, currency or payee. */
  'otherwise',
  /** It is another payment's order, signed or moved. */
  'another-order',
  /** It is another payment's order, and nothing of it is signed. */
  'another-order-idle',
  /** It failed after its money had been booked. */
  'taken-back',
] as const
export type News = (typeof NEWS)[number]

/**
 * `holds`: no reminder, and nothing is started beside it; `holds-while-asked`: until the person who was asked is done.
 * `named` keeps the gateway's name of it, so that it can be asked about; `stale`: what is known may be out of date.
 */
type Kept = 'rests' | 'stale' | 'holds' | 'holds-stale' | 'holds-named' | 'holds-named-while-asked'

const KEPT: Readonly<Record<Standing, Readonly<Record<News, Kept>>>> = {
  open: {
    'no-money': 'rests',
    unknown: 'holds',
    'as-ordered': 'rests',
    otherwise: 'holds-stale',
    'another-order': 'holds-stale',
    'another-order-idle': 'stale',
    'taken-back': 'rests',
  },
  // What may come all the same is kept in view; another payment's order says nothing of this one.
  'given-up': {
    'no-money': 'rests',
    unknown: 'holds-named',
    'as-ordered': 'holds-named',
    otherwise: 'holds-named-while-asked',
    'another-order': 'rests',
    'another-order-idle': 'rests',
    'taken-back': 'rests',
  },
  // Whatever is said later is a matter for a person, and holds nothing.
  booked: {
    'no-money': 'rests',
    unknown: 'rests',
    'as-ordered': 'rests',
    otherwise: 'rests',
    'another-order': 'rests',
    'another-order-idle': 'rests',
    'taken-back': 'rests',
  },
}

export type KeptPayment = {
  readonly isStale: boolean
  readonly isOutcomeUnknown: boolean
  /** The gateway's name of it is kept. */
  readonly isNamed: boolean
}

/** `isAsked`: a person was asked about it, and is not done. */
export function keepPayment(standing: Standing, news: News, isAsked: boolean): KeptPayment {
  const kept = KEPT[standing][news]
  const isOutcomeUnknown = kept.startsWith('holds') && (isAsked || kept !== 'holds-named-while-asked')
  return {
    isStale: kept === 'stale' || kept === 'holds-stale',
    isOutcomeUnknown,
    isNamed: isOutcomeUnknown && kept.startsWith('holds-named'),
  }
}
