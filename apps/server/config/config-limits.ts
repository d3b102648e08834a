/** The settings of how much one debt or one address may ask for. Read by config.ts, which hands the environment over. */
import type { Environment, Setting } from './config-names.ts'
import { StartupError } from '../src/platform/startup-error.ts'

export type LimitsConfig = {
  /** Payments that may be started for one debt, in any 60 seconds and in any 24 hours. */
  readonly paymentStarts: { readonly perMinute: number; readonly perDay: number }
  /** Connections that one address may hold open at a time. */
  readonly connectionsPerAddress: number
}

function limit(env: Environment, name: Setting, fallback: number): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new StartupError(`${name} is "${text}"; it must be a whole number from 1 to 999999.`)
}

export function readLimits(env: Environment): LimitsConfig {
  return {
    paymentStarts: {
      perMinute: limit(env, 'PAYMENT_STARTS_PER_MINUTE', 3),
      perDay: limit(env, 'PAYMENT_STARTS_PER_DAY', 20),
    },
    connectionsPerAddress: limit(env, 'CONNECTIONS_PER_ADDRESS', 200),
  }
}
