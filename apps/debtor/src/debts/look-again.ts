/** An open page that notices what has happened elsewhere: paid in another tab, on another device, by somebody else. */
import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { PaymentAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import { isReceived } from '@kvitt/domain/payments/payment.ts'
import { showToast } from '@kvitt/ui/feedback/toast.tsx'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { api, debtCall, invoiceQuery, queries, reloadDebt } from '../calls.ts'
import { claimQuery, refreshedPaymentsQuery } from './part-calls.ts'
import type { DebtKey } from '../session.ts'
import { t } from '../text.ts'

/** How often a page that is only open looks, and how soon after a look a returning visitor makes it look again. */
const EVERY_MS = 30_000
const SOONEST_MS = 3_000

type Shown = {
  readonly debt: InvoiceAnswer | ClaimAnswer | undefined
  readonly payments: readonly PaymentAnswer[] | undefined
}

const isClaim = (debt: InvoiceAnswer | ClaimAnswer): debt is ClaimAnswer => 'balanceTotal' in debt

function standingOf(debt: InvoiceAnswer | ClaimAnswer) {
  return isClaim(debt)
    ? [debt.status, debt.balanceTotal, debt.expireDate, debt.isPartPayment]
    : [
        debt.statuses.main,
        debt.balances.total,
        debt.dates.expireDate,
        debt.isPartPayment,
        debt.collectionBatchNumber,
      ]
}

/** What a visitor would call another state. That a payment has been begun and not signed is none. */
function signatureOf({ debt, payments = [] }: Shown): string {
  const told = payments
    .filter((p) => p.status === 'AUTHORIZED' || p.status === 'COMPLETED' || p.outcomeUnknown)
    .map((p) => `${p.id} ${p.status} ${isReceived(p)}`)
  return JSON.stringify([debt && standingOf(debt), told.toSorted()])
}

function queriesOf(key: DebtKey) {
  const debt = key.claimNumber === undefined ? invoiceQuery(key) : claimQuery(key)
  return { debt: debt.queryKey, payments: refreshedPaymentsQuery(key).queryKey }
}

const shownOf = ({ debt, payments }: ReturnType<typeof queriesOf>): Shown => ({
  debt: queries.getQueryData(debt),
  payments: queries.getQueryData(payments),
})

function isPaid({ debt }: Shown): boolean {
  if (!debt) return false
  if (isClaim(debt)) return debt.status === 'CLOSED' && minorOf(debt.balanceTotal) <= 0
  return debt.statuses.main === 'CLOSED' && minorOf(debt.balances.total) <= 0
}

/**
 * Asks how the debt stands, shows what is new and says so in one sentence. What the page itself is doing is told by
 * what does it; and nothing moves under an open dialog, which would hide the sentence.
 */
async function look(key: DebtKey, signal: AbortSignal): Promise<void> {
  const at = queriesOf(key)
  const before = shownOf(at)
  const [debt, payments] = await Promise.all([
    api.ask(debtCall('GET', key, ''), { signal }),
    api.ask(debtCall('GET', key, '/payment-requests'), { signal }),
  ])
  const shown = shownOf(at)
  const isOvertaken = shown.debt !== before.debt || shown.payments !== before.payments
  const now = { debt, payments }
  const isReloading = queries.isFetching({ predicate: ({ queryKey }) => queryKey[1] === key.reference }) > 0
  if (signal.aborted || isOvertaken || isReloading || isBusy() || signatureOf(shown) === signatureOf(now))
    return
  queries.setQueryData(at.payments, payments)
  queries.setQueryData<InvoiceAnswer | ClaimAnswer>(at.debt, debt)
  showToast(t(isPaid(now) && !isPaid(shown) ? 'fresh.paid' : 'fresh.changed'))
  void reloadDebt(key)
}

const isBusy = (): boolean => queries.isMutating() > 0 || document.querySelector('dialog[open]') !== null

/** Looks when somebody comes back, and now and then while the page can be seen. Answers what ends it. */
export function beginLooking(key: DebtKey): () => void {
  const ended = new AbortController()
  const { signal } = ended
  let lastMs = performance.now()
  const lookAfter = (pauseMs: number) => {
    if (document.hidden || isBusy() || performance.now() - lastMs < pauseMs) return
    lastMs = performance.now()
    // Nobody has asked: a look that fails is no news, and the next one comes.
    look(key, signal).catch(() => {})
  }
  const comeBack = () => lookAfter(SOONEST_MS)
  for (const event of ['focus', 'pageshow', 'online']) addEventListener(event, comeBack, { signal })
  document.addEventListener('visibilitychange', comeBack, { signal })
  // Of a dialog, whose event does not bubble.
  document.addEventListener('close', comeBack, { signal, capture: true })
  const timer = setInterval(() => lookAfter(EVERY_MS - SOONEST_MS), EVERY_MS)
  signal.addEventListener('abort', () => clearInterval(timer))
  return () => ended.abort()
}
