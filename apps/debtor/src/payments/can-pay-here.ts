import { useQuery } from '@tanstack/react-query'
import { methodsQuery } from '../debts/part-calls.ts'
import type { Debt } from '../debts/debt.ts'

/**
 * Whether a button may lead to the methods: what is owed can be paid, and there is something to pay it with now.
 * True until the methods are known, since there almost always are some.
 */
export function useCanPayHere(debt: Debt, isPayable: boolean): boolean {
  const methods = useQuery({ ...methodsQuery(debt.key), enabled: isPayable })
  return isPayable && (methods.data?.some((method) => typeof method === 'string' || method.enabled) ?? true)
}
