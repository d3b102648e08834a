/** Charges of a debt that stand, each with the principal that it was made for, while the debt's story is told. */
import type { ChargeReversal } from './charge-reversals.ts'

export type StandingCharge = {
  readonly cause: string
  readonly bucket: 'costs' | 'interest'
  readonly minor: number
  /** The principal that it was made for. */
  readonly groundMinor: number
}

type Kept = { readonly charge: StandingCharge; creditedMinor: number }

export class StandingCharges {
  #kept: Kept[] = []

  keep(charge: StandingCharge): void {
    if (charge.minor > 0) this.#kept.push({ charge, creditedMinor: 0 })
  }

  /** Credits so much of the principal. Answers the charges of whose ground nothing is left (M-05), which stand no longer. */
  credit(minor: number): StandingCharge[] {
    for (const one of this.#kept) one.creditedMinor += minor
    const isGone = ({ charge, creditedMinor }: Kept): boolean =>
      charge.groundMinor > 0 && creditedMinor >= charge.groundMinor
    const gone = this.#kept.filter(isGone)
    this.#kept = this.#kept.filter((one) => !isGone(one))
    return gone.map(({ charge }) => charge)
  }
}

/** Adds what of a charge is to be taken back to what is to be taken back of it already. */
export function addBack(
  backs: ChargeReversal[],
  { cause, bucket, minor }: Omit<StandingCharge, 'groundMinor'>,
): void {
  const before = backs.findIndex((back) => back.cause === cause)
  const { costsMinor = 0, interestMinor = 0 } = backs[before] ?? {}
  const back = {
    cause,
    costsMinor: costsMinor + (bucket === 'costs' ? minor : 0),
    interestMinor: interestMinor + (bucket === 'interest' ? minor : 0),
  }
  if (before < 0) backs.push(back)
  else backs[before] = back
}
