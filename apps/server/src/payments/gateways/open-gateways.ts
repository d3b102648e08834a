/** The gateways that the settings name, in the order of the screen. */
import type { Config } from '../../config.ts'
import type { Clock } from '../../platform/clock.ts'
import { withBreaker } from './breaker.ts'
import { openDirectBank } from './direct-bank.ts'
import type { Gateway } from './gateway.ts'
import { openSwish } from './swish.ts'

export function openGateways(config: Config, clock: Clock): Gateway[] {
  const gateways: Gateway[] = [openDirectBank(config.bank, clock.now)]
  if (config.swish) gateways.push(openSwish(config.swish))
  return gateways.map((gateway) => withBreaker(gateway, clock.now))
}
