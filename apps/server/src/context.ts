/**
 * What a use case is given besides who asks and what for. Built once in start.ts. A feature that speaks with counterparties
 * adds them where it says what they do (payments/gateways/gateway.ts, electronic-id/identity-provider.ts).
 */
import type { Config } from '../config/config.ts'
import type { Clock } from './platform/clock.ts'
import type { Database } from './platform/database/database.ts'
import type { Log } from './platform/log.ts'

export interface Context {
  readonly config: Config
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  /** Hides the addresses by which starts of orders are counted. */
  readonly starterKey: Uint8Array
  /** Signs the names under which private files are opened for a short time. */
  readonly fileKey: Uint8Array
  /** Hides what is counted of guesses, and signs proofs of known devices and challenges. */
  readonly guessKey: Uint8Array
  readonly version: string
}
