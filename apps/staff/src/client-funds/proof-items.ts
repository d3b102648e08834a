/** What a term is made of, in words, and the view in which each is worked off. */
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { gatewayName } from '../shell/gateway-name.ts'
import { t } from '../text.ts'
import type { ProofItem } from './client-funds-calls.ts'

type Kind = ProofItem['kind']

/** Lists are searched by the name where they have no place for the row itself. */
const PLACES: Readonly<Record<Kind, (item: ProofItem) => string>> = {
  account: () => hashOf({ view: 'payment-batches', id: 'accounts' }),
  payment: ({ id }) => hashOf({ view: 'payments', id: id ?? '' }),
  creditor: ({ name }) => hashOf({ view: 'settlements' }, { q: name ?? undefined }),
  payout: ({ id }) => hashOf({ view: 'payouts', id: id ?? '' }),
  debtor: ({ name }) => hashOf({ view: 'refunds' }, { q: name ?? undefined }),
  refund: () => hashOf({ view: 'refunds' }),
  bank_line: ({ id }) => hashOf({ view: 'suspense', id: id ?? '' }),
  bank_lines: () => hashOf({ view: 'payment-batches' }),
  settlement: ({ id }) => hashOf({ view: 'settlements', id: id ?? '' }),
  bank_entry: ({ id }) => hashOf({ view: 'suspense', id: id ?? '' }),
  advance_back: ({ name }) => hashOf({ view: 'settlements' }, { q: name ?? undefined }),
}

export const hrefOfItem = (item: ProofItem): string => PLACES[item.kind](item)

/** Such as `Ada Ek, 4 Dec 2026, entered 5 Dec 2026`. */
export function nameOfItem({ kind, name, day, enteredOn }: ProofItem): string {
  const named = kind === 'payment' ? gatewayName(name ?? '') : (name ?? t('bank.payer_unnamed'))
  return [
    t(`funds.item.${kind}`, { name: named }),
    ...(day === null ? [] : [formatDay(day, 'short')]),
    ...(enteredOn === null ? [] : [t('funds.entered_on', { day: formatDay(enteredOn, 'short') })]),
  ].join(', ')
}
