/** Ways to log in and to pay, by code (D-19). */
import { Refusal } from '@kvitt/domain/errors.ts'
import { matchesSearch, type Searchable } from '@kvitt/domain/search.ts'
import type { Context } from '../context.ts'
import { pageOf, type Listed } from '../platform/http/paging.ts'
import {
  orderList,
  searchOf,
  searchPage,
  type SearchBody,
  type SearchQuery,
} from '../platform/http/search.ts'
import type { Instance, LoginCode } from './instances.ts'
import { LOCALES } from './locales.ts'
import { identityProviderFor } from './played.ts'

export type ServiceProvider = {
  readonly code: string
  readonly topic: 'AUTHENTICATION' | 'PAYMENT'
  readonly type: 'LOGIN' | 'PAYMENT'
  readonly enabled: boolean
}

const SEARCHABLE: Searchable = {
  targets: ['code', 'topic', 'type'],
  filters: ['topic', 'type', 'enabled', 'localeId'],
}

/** The providers of an instance that match. Each of them serves every locale: `localeId` only has to be one that there is. */
export function searchServiceProviders(
  context: Context,
  instance: Instance,
  query: SearchQuery,
  body: SearchBody,
): Listed<ServiceProvider> {
  const { filters, ...search } = searchOf(body, SEARCHABLE)
  const locales = filters.get('localeId') ?? []
  if (!locales.every((id) => LOCALES.some((locale) => locale.id === id))) {
    throw new Refusal('invalid_filter', {}, ['localeId'])
  }
  const others = new Map([...filters].filter(([name]) => name !== 'localeId'))
  const { logins } = instance.row
  const identityProvider = identityProviderFor(context, instance)
  const ways: LoginCode[] = ['PAYMENT_REFERENCE', ...(identityProvider ? [identityProvider.code] : [])]
  const all: ServiceProvider[] = [
    ...ways.map((code) => ({
      code,
      topic: 'AUTHENTICATION' as const,
      type: 'LOGIN' as const,
      enabled: logins.includes(code),
    })),
    ...context.gateways
      .filter((gateway) => gateway.payeeOf(instance) !== undefined)
      .map((g) => ({
        code: g.code,
        topic: 'PAYMENT' as const,
        type: 'PAYMENT' as const,
        enabled: true,
      })),
  ]
  const found = orderList(all, SEARCHABLE, query).filter((provider) =>
    matchesSearch(provider, { ...search, filters: others }),
  )
  return pageOf(found, searchPage(query).page)
}

/** The ways to log in that can be used now. */
export function listLoginProviders(context: Context, instance: Instance): readonly ServiceProvider[] {
  const filters = { topic: 'AUTHENTICATION', type: 'LOGIN', enabled: true }
  return searchServiceProviders(context, instance, { limit: '1000' }, { filters }).items
}
