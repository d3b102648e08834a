import type { PaymentAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import { isReceived } from '@kvitt/domain/payments/payment.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, debtCall, queries } from '../../calls.ts'
import { isPeeking, type DebtKey } from '../../session.ts'
import { useFailure } from '../../shell/use-failure.ts'

/**
 * How the payment of a confirmation page stands. `unsure`: not even its bank knows. `returned`: its money has gone back.
 * `paid`: it failed, and other money has paid. `none`: nothing has been started for this invoice.
 */
export type Outcome =
  | 'waiting'
  | 'unsure'
  | 'received'
  | 'approved'
  | 'booked'
  | 'failed'
  | 'returned'
  | 'paid'
  | 'none'

/** A bank that has not answered for this long gets the second sentence and fewer questions. */
const PATIENCE_MS = 10_000
const POLL_MS = 1500
const SLOW_POLL_MS = 5000

function outcomeOf(payment: PaymentAnswer | null | undefined): Outcome {
  if (payment === undefined) return 'waiting'
  if (payment === null) return 'none'
  if (isReceived(payment)) return 'received'
  if (payment.outcomeUnknown) return 'unsure'
  switch (payment.status) {
    case 'COMPLETED':
      return 'returned'
    case 'AUTHORIZED':
      return payment.paymentOption === 'due-date' ? 'booked' : 'approved'
    case 'FAILED':
      return 'failed'
    case 'CREATED':
    case 'IN_PROGRESS':
      return 'waiting'
  }
}

function newestOf(payments: readonly PaymentAnswer[]): PaymentAnswer | null {
  return payments.reduce<PaymentAnswer | null>(
    (a, b) => (a === null || b.createdAt > a.createdAt ? b : a),
    null,
  )
}

/**
 * The newest payment of the invoice, asked for until nothing more can happen. The first question makes the
 * server ask the bank; the others read what it knows. The invoice is read again with every change.
 */
export function useNewestPayment(key: DebtKey) {
  const [isLong, setLong] = useState(false)
  const hasAsked = useRef(false)
  const payment = useQuery({
    queryKey: ['newest-payment', key.reference, key.zip, key.claimNumber ?? key.invoiceNumber ?? ''],
    queryFn: async ({ signal }) => {
      const call = debtCall(hasAsked.current || isPeeking() ? 'GET' : 'PUT', key, '/payment-requests/status')
      const payments = await api.ask(call, { signal })
      hasAsked.current = true
      return newestOf(payments)
    },
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    refetchInterval: ({ state }) => {
      const outcome = outcomeOf(state.data)
      if (outcome !== 'waiting' && outcome !== 'approved' && outcome !== 'unsure') return false
      return isLong || outcome === 'unsure' || state.error ? SLOW_POLL_MS : POLL_MS
    },
  })
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  const outcome = outcomeOf(payment.data)
  const failure = useFailure(payment)
  const known = payment.data === undefined ? undefined : outcome
  const { reference } = key
  useEffect(() => {
    if (known === undefined) return
    void queries.invalidateQueries({ queryKey: ['invoice', reference] })
    void queries.invalidateQueries({ queryKey: ['claim', reference] })
    void queries.invalidateQueries({ queryKey: ['payments', reference] })
    void queries.invalidateQueries({ queryKey: ['invoices'] })
  }, [known, reference])
  return {
    /** Undefined until the first answer. */
    payment: payment.data ?? undefined,
    outcome,
    isLong,
    /** Nothing final is known, and the server does not answer. */
    isUnreachable: outcome === 'waiting' && failure !== null,
  }
}
