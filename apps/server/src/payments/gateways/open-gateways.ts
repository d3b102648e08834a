/** The gateways that the settings name, in the order of the screen. */
import type { Config } from '../../../config/config.ts'
import { isPlayedForLive } from '../../instances/instances.ts'
import { NO_CREDENTIALS, type Credentials } from '../../credentials/credentials.ts'
import type { Clock } from '../../platform/clock.ts'
import { withCircuitBreaker } from './circuit-breaker.ts'
import { openDirectBank } from './direct-bank.ts'
import type { Gateway } from './gateway.ts'
import { openSwish } from './swish.ts'

export function openGateways(
  config: Config,
  clock: Clock,
  credentials: Credentials = NO_CREDENTIALS,
): Gateway[] {
  const gateways: Gateway[] = []
  if (config.bank) gateways.push(forReal(openDirectBank(config.bank, clock.now), config.bank, config))
  if (config.swish) gateways.push(forReal(openSwish(config.swish, credentials), config.swish, config))
  return gateways.map((gateway) => withCircuitBreaker(gateway, clock.now))
}

/** The gateway, which takes nothing for a live provider while the sandbox plays it. */
function forReal(gateway: Gateway, { baseUrl }: { readonly baseUrl: string }, config: Config): Gateway {
  return {
    ...gateway,
    payeeOf: (provider) =>
      isPlayedForLive(baseUrl, config, provider) ? undefined : gateway.payeeOf(provider),
  }
}
