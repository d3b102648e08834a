import type { AnswerOf, BodyOf } from '@kvitt/domain/contract.ts'
import type {
  getPayeeAccounts,
  proposePayeeAccount,
} from '@kvitt/domain/payee-accounts/payee-account.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type PayeeAccounts = AnswerOf<typeof getPayeeAccounts>
export type PayeeAccount = PayeeAccounts['accounts'][number]
type Written = BodyOf<typeof proposePayeeAccount>
type Values = Readonly<Record<string, string>>

/** Of the creditor, or without one of the provider itself. */
export const payeesQuery = (creditor: string | undefined) =>
  queryOptions({
    queryKey: ['payee-accounts', creditor ?? ''],
    queryFn: ({ signal }) =>
      api.ask(staffCall('GET', '/admin/payee-accounts', {}, creditor === undefined ? {} : { creditor }), {
        signal,
      }),
  })

/** Another person decides. */
export function proposePayee(creditor: string | undefined, values: Values): Promise<unknown> {
  const of = (name: string): string => (values[name] ?? '').trim()
  return api.ask(staffCall('POST', '/admin/payee-accounts'), {
    body: {
      ...(creditor === undefined ? {} : { creditor, holder: of('holder') as 'CREDITOR' }),
      currency: of('currency'),
      scheme: of('scheme') as Written['scheme'],
      number: of('number'),
      bic: of('bic') || null,
      receiverName: of('receiverName'),
    },
  })
}

export function stopPayee(id: string, reason: string, key: string): Promise<unknown> {
  const headers = { 'Idempotency-Key': key }
  return api.ask(staffCall('POST', '/admin/payee-accounts/:id/stop', { id }), {
    headers,
    body: { reason: reason.trim() },
  })
}
