/**
 * The effective yearly rate (APR) of Directive 2008/48/EC, Annex I: the rate at which everything that the
 * consumer receives is worth as much as everything that the consumer pays.
 */

/** An amount in any unit, the same for all: positive when received, negative when paid. Time in years. */
export type CashFlow = { readonly years: number; readonly amount: number }

function presentValue(flows: readonly CashFlow[], rate: number): number {
  return flows.reduce((total, { years, amount }) => total + amount * (1 + rate) ** -years, 0)
}

/**
 * The rate in percent; 0 when nothing is paid beyond what was received. Undefined when no rate solves the
 * equation, such as when nothing is paid back. Exact to about ten digits: the rate is a solved equation and no
 * sum of money.
 */
export function effectiveRate(flows: readonly CashFlow[]): number | undefined {
  if (presentValue(flows, 0) === 0) return 0
  let low = -0.5
  let high = 1
  while (presentValue(flows, high) < 0 && high < 1e9) high *= 2
  if (presentValue(flows, low) > 0 || presentValue(flows, high) < 0) return undefined
  for (let round = 0; round < 200; round++) {
    const middle = (low + high) / 2
    if (presentValue(flows, middle) < 0) low = middle
    else high = middle
  }
  return ((low + high) / 2) * 100
}

/** A rate with `decimals` places and a point, half up. The law asks for at least one place. */
export function rateText(percent: number, decimals: number): string {
  const scaled = Math.round(Math.abs(percent) * 10 ** decimals)
  const digits = String(scaled).padStart(decimals + 1, '0')
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return percent < 0 && scaled > 0 ? `-${text}` : text
}
