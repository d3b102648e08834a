/** What a request asks for and what was decided about it, in words. */
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/office/money-text.ts'
import { t } from '../text.ts'
import type { Conversation } from './conversation-calls.ts'

type Request = Pick<Conversation, 'kind' | 'wish' | 'outcome' | 'currency'>

const moneyText = (amount: number | null, currency: string): string =>
  amount === null ? '' : formatMoney(minorOf(amount), currency, currentLanguage())

export function wishText({ kind, wish, currency }: Request): string | null {
  if (!wish || kind === 'QUESTION') return null
  const how = wish.how ? t(`request.how.${wish.how}`) : ''
  return t(`request.wish.${kind}`, {
    day: formatDay(wish.day),
    amount: moneyText(wish.amount, currency),
    how,
  })
}

export function outcomeText({ kind, outcome, currency }: Request): string | null {
  if (!outcome) return null
  const { decision, day, amount, byRule } = outcome
  const said = { day: day ? formatDay(day) : '', amount: moneyText(amount, currency) }
  const rule = kind === 'PLAN' ? 'request.outcome.PLAN_RULE' : 'request.outcome.RULE'
  return t(byRule ? rule : `request.outcome.${decision}`, said)
}
