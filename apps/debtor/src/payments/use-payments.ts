import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { queries } from '../calls.ts'
import { refreshedPaymentsQuery } from '../debts/part-calls.ts'
import type { DebtKey } from '../session.ts'
import { useFresh } from '../debts/use-fresh.ts'

/** A signed payment is settled within seconds; until then the page asks again. */
const SETTLING_POLL_MS = 5000

/** The payments, refreshed at the bank on load; the debt is read again when they show that it has moved on. */
export function usePayments(key: DebtKey, isOwing: boolean) {
  const { reference } = key
  const payments = useQuery({
    ...refreshedPaymentsQuery(key),
    refetchInterval: ({ state }) =>
      state.data?.some((p) => p.status === 'AUTHORIZED' && p.paymentOption === 'pay-now')
        ? SETTLING_POLL_MS
        : false,
  })
  const signature = payments.data?.map((p) => p.id + p.status).join()
  const seen = useRef<string>(undefined)
  useFresh(key)
  useEffect(() => {
    if (signature === undefined || signature === seen.current) return
    const first = seen.current === undefined
    seen.current = signature
    if (first && !(isOwing && signature.includes('COMPLETED'))) return
    for (const what of ['invoice', 'claim', 'events', 'financial']) {
      void queries.invalidateQueries({ queryKey: [what, reference] })
    }
  }, [signature, isOwing, reference])
  return payments
}
