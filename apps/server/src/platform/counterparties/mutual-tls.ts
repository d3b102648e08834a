/** HTTPS calls with a client certificate and a pinned authority, with time-outs and a size limit. */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { createSecureContext } from 'node:tls'
import { openRenewed } from './renewed-files.ts'

/** Paths of PEM files. Without an authority those of the system count; without a certificate we show none. */
export type TlsFiles = {
  readonly caFile: string | undefined
  readonly certificateFile: string | undefined
  readonly keyFile: string | undefined
}

/** The file of the authority, and a certificate with its key as PEM text. */
export type TlsTexts = {
  readonly caFile: string | undefined
  readonly certificate: string
  readonly key: string
}

export type TlsCall = {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export type TlsAnswer = {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: string
}

export type TlsOptions = {
  /** How long a call may take, milliseconds. */
  readonly timeoutMs: number
  /** What is thrown when there is no whole answer, from the reason. */
  readonly unavailable: (reason: string) => Error
}

const LARGEST_BYTES = 256 * 1024
/** A connection is not used again after this: the other side may be closing it, at the earliest after 5 seconds. */
const MOST_IDLE_MS = 3_000

const read = (path: string | undefined): Buffer | undefined =>
  path === undefined ? undefined : readFileSync(path)

/**
 * A caller over mutual TLS. Certificates can be renewed while it runs: from the first call after both files are written
 * new connections show the new one, and calls on the old ones end as they began. No call is ever made twice.
 */
export function openMutualTls(
  shown: TlsFiles | TlsTexts,
  { timeoutMs, unavailable }: TlsOptions,
): (call: TlsCall) => Promise<TlsAnswer> {
  const files = 'keyFile' in shown ? [shown.caFile, shown.certificateFile, shown.keyFile] : [shown.caFile]
  const paths = files.filter((path) => path !== undefined)
  const currentAgent = openRenewed(paths, () => {
    const own =
      'keyFile' in shown
        ? { cert: read(shown.certificateFile), key: read(shown.keyFile) }
        : { cert: shown.certificate, key: shown.key }
    const identity = { ca: read(shown.caFile), ...own }
    // A certificate whose key has not been written yet throws.
    createSecureContext(identity)
    return new Agent({
      ...identity,
      keepAlive: true,
      maxSockets: 32,
      timeout: MOST_IDLE_MS,
      minVersion: 'TLSv1.2',
    })
  })
  return (call) =>
    new Promise<TlsAnswer>((resolve, reject) => {
      let agent: Agent
      const fail = (reason: string): void => reject(unavailable(reason))
      try {
        agent = currentAgent()
      } catch (error) {
        fail((error as Error).message)
        return
      }
      const outgoing = request(
        call.url,
        {
          method: call.method,
          headers: call.headers,
          agent,
          signal: AbortSignal.timeout(timeoutMs),
        },
        (incoming) => {
          const chunks: Buffer[] = []
          let size = 0
          incoming.on('data', (chunk: Buffer) => {
            size += chunk.length
            if (size > LARGEST_BYTES) incoming.destroy(new Error('the answer is too large'))
            else chunks.push(chunk)
          })
          incoming.on('error', (error) => fail(error.message))
          incoming.on('end', () =>
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              body: Buffer.concat(chunks).toString('utf8'),
            }),
          )
        },
      )
      outgoing.on('error', (error) => fail(error.message))
      outgoing.end(call.body)
    })
}
