/** Which services answer, as this process has seen lately. */
import type { Context } from '../context.ts'

const STATES = { answers: 'works', silent: 'silent', unknown: 'unknown' } as const

export type ServiceState = {
  readonly code: string
  readonly state: (typeof STATES)[keyof typeof STATES]
}

/** The portal, which answers this, and each gateway. */
export function readServiceStates({ gateways, clock }: Pick<Context, 'gateways' | 'clock'>): {
  checkedAt: string
  services: ServiceState[]
} {
  return {
    checkedAt: new Date(clock.now()).toISOString(),
    services: [
      { code: 'PORTAL', state: 'works' },
      ...gateways.map(({ code, seen }): ServiceState => ({ code, state: STATES[seen?.() ?? 'unknown'] })),
    ],
  }
}
