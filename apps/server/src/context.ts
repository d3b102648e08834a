/** What a use case is given besides who asks and what for. Built once in main.ts. */
import type { Config } from '../config/config.ts'
import type { IdentityProvider } from './electronic-id/electronic-id.ts'
import type { Clock } from './platform/clock.ts'
import type { Database } from './platform/database/database.ts'
import type { Log } from './platform/log.ts'
import type { Gateway } from './payments/gateways/gateway.ts'

export type Context = {
  readonly config: Config
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly gateways: readonly Gateway[]
  /** The electronic ID; undefined where logging in with it is not offered. */
  readonly identityProvider: IdentityProvider | undefined
  /** Hides the addresses by which starts of orders are counted. */
  readonly starterKey: Uint8Array
  /** Signs the names under which private files are opened for a short time. */
  readonly fileKey: Uint8Array
  /** Hides what is counted of guesses, and signs proofs of known devices and challenges. */
  readonly guessKey: Uint8Array
  readonly version: string
}
