/** Ways to log in and to pay, by code (D-19). */
import type { BodyOf, QueryOf } from '@kvitt/domain/contract.ts'
import type { searchServiceProviders as contract } from '@kvitt/domain/instances/instance.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import { pageOf, readPage, type Listed } from '../platform/paging.ts'

export type ServiceProvider = {
  readonly code: string
  readonly topic: 'AUTHENTICATION' | 'PAYMENT'
  readonly type: 'LOGIN' | 'PAYMENT'
  readonly enabled: boolean
}

const SEARCHED = ['code', 'topic', 'type'] as const

/** The providers that match every filter given, in the body or under `filters`. The default limit is 1000. */
export function searchServiceProviders(
  context: Context,
  query: QueryOf<typeof contract>,
  body: BodyOf<typeof contract>,
): Listed<ServiceProvider> {
  const all: ServiceProvider[] = [
    { code: 'PAYMENT_REFERENCE', topic: 'AUTHENTICATION', type: 'LOGIN', enabled: true },
    ...context.gateways.map((g) => ({
      code: g.code,
      topic: 'PAYMENT' as const,
      type: 'PAYMENT' as const,
      enabled: true,
    })),
  ]
  const wanted = { ...body, ...body.filters }
  const target = SEARCHED.find((field) => field === (body.queryTarget ?? 'code'))
  if (!target) throw new Refusal('invalid_request', {}, ['queryTarget'])
  const found = all.filter(
    (p) =>
      (wanted.topic === undefined || p.topic === wanted.topic) &&
      (wanted.type === undefined || p.type === wanted.type) &&
      (wanted.enabled === undefined || p.enabled === wanted.enabled) &&
      p[target].toLowerCase().includes((body.query ?? '').toLowerCase()),
  )
  return pageOf(found, readPage({ limit: query.limit ?? '1000', page: query.page }, false))
}
