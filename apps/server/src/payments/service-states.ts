/** Which services answer, as this process has seen lately. */
import type { Context } from '../context.ts'
import { identityProviderFor, type Instance } from '../instances/instances.ts'

const STATES = { answers: 'works', silent: 'silent', unknown: 'unknown' } as const

export type ServiceState = {
  readonly code: string
  readonly state: (typeof STATES)[keyof typeof STATES]
}

/** The portal, which answers this, the electronic ID, and each way to pay, where the instance has them. */
export function readServiceStates(
  context: Context,
  instance: Instance,
): { checkedAt: string; services: ServiceState[] } {
  const { gateways, clock } = context
  const identityProvider = identityProviderFor(context, instance)
  const counterparties = [
    ...(identityProvider && instance.row.logins.includes(identityProvider.code) ? [identityProvider] : []),
    ...gateways.filter((gateway) => gateway.payeeOf(instance) !== undefined),
  ]
  return {
    checkedAt: new Date(clock.now()).toISOString(),
    services: [
      { code: 'PORTAL', state: 'works' },
      ...counterparties.map(
        ({ code, seen }): ServiceState => ({
          code,
          state: STATES[seen?.() ?? 'unknown'],
        }),
      ),
    ],
  }
}
