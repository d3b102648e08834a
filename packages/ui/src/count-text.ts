/** How many, as it is written on the screen. */
import { currentLanguage } from './language/speak.ts'
import { groupThousands } from './money-text.ts'

/** A whole number from 0 on, grouped as money is: "4 000". A message still tells 1 from the rest by it. */
export function formatCount(count: number): string {
  return groupThousands(String(count), currentLanguage())
}
