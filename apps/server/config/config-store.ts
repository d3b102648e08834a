/** Where the files beside the database are: letters, anchors of the audit log, the journal of payments. Read by config.ts. */
import { join, resolve } from 'node:path'
import { hasSandbox, webAddress } from './config-files.ts'
import type { Environment, Setting } from './config-names.ts'
import { isLoopback } from '../src/platform/http/loopback.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import type { BucketConfig, StorePlace } from '../src/platform/store/store.ts'

export type StoresConfig = {
  /** Letters for the printer; left out, they wait in the outbox. */
  readonly letters: StorePlace | undefined
  /** Each day's anchors of the audit log, and what was erased. */
  readonly anchors: StorePlace
  /** What was asked of gateways, for a database that goes back in time. */
  readonly journal: StorePlace
}

const BUCKET = [
  'STORE_ENDPOINT',
  'STORE_REGION',
  'STORE_BUCKET',
  'STORE_ACCESS_KEY',
  'STORE_SECRET_KEY',
] as const satisfies readonly Setting[]

/** Throws StartupError: all of the five or none. */
function readBucket(env: Environment): BucketConfig | undefined {
  const given = [...BUCKET, 'STORE_PATH_STYLE' as const].find((name) => env[name])
  if (!given) return undefined
  const missing = BUCKET.find((name) => !env[name])
  if (missing) throw new StartupError(`${missing} is missing; it is needed with ${given}.`)
  const endpoint = webAddress('STORE_ENDPOINT', env.STORE_ENDPOINT ?? '')
  const url = new URL(endpoint)
  if (url.protocol !== 'https:' && !isLoopback(url.hostname))
    throw new StartupError(
      `STORE_ENDPOINT is "${endpoint}"; it must begin with https://, as letters go there.`,
    )
  if (url.username || url.password || url.search || url.hash)
    throw new StartupError('STORE_ENDPOINT is an address alone: the key goes into STORE_ACCESS_KEY.')
  const bucket = env.STORE_BUCKET ?? ''
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new StartupError(`STORE_BUCKET is "${bucket}"; it must be the name of a bucket, without a path.`)
  const style = env.STORE_PATH_STYLE || 'on'
  if (style !== 'on' && style !== 'off')
    throw new StartupError(`STORE_PATH_STYLE is "${style}"; it must be one of on, off.`)
  return {
    endpoint,
    region: env.STORE_REGION ?? '',
    bucket,
    accessKey: env.STORE_ACCESS_KEY ?? '',
    secretKey: env.STORE_SECRET_KEY ?? '',
    isPathStyle: style === 'on',
  }
}

/** A kind of files that has a folder of its own stays there, whatever is set for the others. */
export function readStores(env: Environment, dataDir: string): StoresConfig {
  const bucket = readBucket(env)
  const placeOf = (setting: Setting, name: string): StorePlace => {
    if (env[setting]) return { folder: resolve(env[setting]) }
    return bucket ? { bucket, prefix: name } : { folder: join(dataDir, name) }
  }
  const hasLetters = Boolean(env.PRINT_QUEUE_DIR) || bucket !== undefined || hasSandbox(env)
  return {
    letters: hasLetters ? placeOf('PRINT_QUEUE_DIR', 'print-queue') : undefined,
    anchors: placeOf('AUDIT_ANCHOR_DIR', 'audit-anchors'),
    journal: placeOf('PAYMENT_JOURNAL_DIR', 'payment-journal'),
  }
}
