/** What the sandbox plays is for trying things out: its money is none, and whoever asks is whom they say. */
import type { Config } from '../../config/config.ts'
import type { Context } from '../context.ts'
import { isLoopback } from '../platform/http/loopback.ts'
import type { Instance } from './instance.ts'

/**
 * Is this address the sandbox's, and the instance one whose debts are real? Then nothing there counts for it: its debts
 * would be paid with nothing, and its debtors be let in by anybody (threat pay.testflag).
 */
export function isPlayedForLive(
  url: string,
  { sandboxPort }: Pick<Config, 'sandboxPort'>,
  { mode }: Pick<Instance, 'mode'>,
): boolean {
  const { hostname, port } = new URL(url)
  return mode === 'live' && isLoopback(hostname) && port === String(sandboxPort + 1)
}

/** The electronic ID that lets debtors of the instance in; undefined where there is none for it. */
export function identityProviderFor(
  { config, identityProvider }: Pick<Context, 'config' | 'identityProvider'>,
  instance: Pick<Instance, 'mode'>,
): Context['identityProvider'] {
  const isPlayed = config.bankId !== undefined && isPlayedForLive(config.bankId.baseUrl, config, instance)
  return isPlayed ? undefined : identityProvider
}
