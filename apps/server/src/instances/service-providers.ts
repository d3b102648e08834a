/** Ways to log in and to pay, by code (D-19). */
import type { Searchable } from '@kvitt/domain/search.ts'
import type { Context } from '../context.ts'
import type { Listed } from '../platform/paging.ts'
import { searchList, type SearchBody, type SearchQuery } from '../platform/search.ts'

export type ServiceProvider = {
  readonly code: string
  readonly topic: 'AUTHENTICATION' | 'PAYMENT'
  readonly type: 'LOGIN' | 'PAYMENT'
  readonly enabled: boolean
}

const SEARCHABLE: Searchable = { targets: ['code', 'topic', 'type'], filters: ['topic', 'type', 'enabled'] }

/** The providers that match. `localeId` may be asked for and means nothing: each of them serves every locale. */
export function searchServiceProviders(
  context: Context,
  query: SearchQuery,
  body: SearchBody,
): Listed<ServiceProvider> {
  const { localeId: _locale, filters, ...wanted } = body ?? {}
  const all: ServiceProvider[] = [
    { code: 'PAYMENT_REFERENCE', topic: 'AUTHENTICATION', type: 'LOGIN', enabled: true },
    ...(context.identityProvider
      ? [
          {
            code: context.identityProvider.code,
            topic: 'AUTHENTICATION' as const,
            type: 'LOGIN' as const,
            enabled: true,
          },
        ]
      : []),
    ...context.gateways.map((g) => ({
      code: g.code,
      topic: 'PAYMENT' as const,
      type: 'PAYMENT' as const,
      enabled: true,
    })),
  ]
  return searchList(all, SEARCHABLE, query, { ...wanted, filters: withoutLocale(filters) })
}

function withoutLocale(filters: unknown): unknown {
  if (filters === null || typeof filters !== 'object' || Array.isArray(filters)) return filters
  const { localeId: _locale, ...others } = filters as Readonly<Record<string, unknown>>
  return others
}

/** The ways to log in that can be used now. */
export function listLoginProviders(context: Context): readonly ServiceProvider[] {
  const filters = { topic: 'AUTHENTICATION', type: 'LOGIN', enabled: true }
  return searchServiceProviders(context, { limit: '1000' }, { filters }).items
}
