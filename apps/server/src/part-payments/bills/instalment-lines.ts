/** The lines of an instalment's invoice, in the instance's language. */
import type { Money } from '@kvitt/domain/money.ts'
import type { PlanSetting } from '@kvitt/domain/part-payments/offer.ts'
import { textOf, type Language, type TextKey } from '../../platform/texts.ts'
import type { InstalmentRow } from '../plans.queries.ts'

/** What an instalment's invoice is made of: its part of the balance, interest and fees. */
export function linesOf(
  { next, setting, language }: { next: InstalmentRow; setting: PlanSetting; language: Language },
  { principal, interest, of }: { principal: Money; interest: Money; of: string },
) {
  const say = (key: TextKey, params: Record<string, string | number> = {}): string =>
    textOf(language, key, params)
  const part =
    setting.months === null
      ? say('plan.line_account', { number: next.number, invoice: of })
      : say('plan.line_principal', { number: next.number, count: setting.months, invoice: of })
  const lines: [string, number][] = [
    [part, principal.minor],
    [say('plan.line_interest'), interest.minor],
    [say('plan.line_fee'), next.fee_minor],
    [say('plan.line_start_fee'), next.start_fee_minor],
  ]
  return lines
    .filter(([, amountMinor]) => amountMinor > 0)
    .map(([name, amountMinor], index) => ({
      line: String(index + 1),
      name,
      description: null,
      quantity: null,
      unit: null,
      amountMinor,
      accountNumber: null,
    }))
}
