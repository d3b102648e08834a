/**
 * One signed call to a bucket. Node's own fetch is not used: it holds a limit weakly, also through the signal it is given, and a call whose
 * limit the garbage collector has taken never ends.
 */
import { createHash } from 'node:crypto'
import { request as requestHttp, type ClientRequest, type IncomingHttpHeaders } from 'node:http'
import { request as requestHttps } from 'node:https'
import { AwsClient } from 'aws4fetch'
import { StoreUnavailable, type BucketConfig } from './store.ts'

/** Of one call; a letter has some hundred kilobytes. */
const PATIENCE_MS = 10_000
/** Of an answer: above the largest file that is put there, and far below what a process can hold. */
const LARGEST_ANSWER = 256 * 1024 * 1024

export type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}
export type Call = {
  readonly method: 'GET' | 'PUT' | 'HEAD' | 'DELETE'
  readonly path: string
  readonly query?: string
  readonly bytes?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** Each call ends within `patienceMs`, its answer's body included. It throws StoreUnavailable. */
export function openCall(
  config: BucketConfig,
  patienceMs: number = PATIENCE_MS,
): (call: Call) => Promise<Answer> {
  const { endpoint, region, bucket, isPathStyle } = config
  const client = new AwsClient({
    accessKeyId: config.accessKey,
    secretAccessKey: config.secretKey,
    region,
    service: 's3',
  })
  const url = new URL(endpoint)
  if (!isPathStyle) url.hostname = `${bucket}.${url.hostname}`
  const base = `${url.origin}${url.pathname.replace(/\/$/, '')}${isPathStyle ? `/${bucket}` : ''}`
  return async ({ method, path, query = '', bytes, headers }) => {
    const hash = createHash('sha256')
      .update(bytes ?? '')
      .digest('hex')
    let answer: Answer
    try {
      const signed = await client.sign(`${base}/${path}${query}`, {
        method,
        headers: { ...headers, 'x-amz-content-sha256': hash },
      })
      const sent = { method, headers: Object.fromEntries(signed.headers), bytes }
      answer = await send(new URL(signed.url), sent, patienceMs)
    } catch (error) {
      throw new StoreUnavailable(`${url.host} does not answer (${codeOf(error)}).`, codeOf(error))
    }
    refuse(config, answer)
    return answer
  }
}

type Sent = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array | undefined
}

/** Answers, or fails, or its time is over: whatever comes first. Its line ends with it. */
function send(url: URL, { method, headers, bytes }: Sent, patienceMs: number): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    let request: ClientRequest
    const over = setTimeout(() => end('timeout'), patienceMs)
    const end = (code: string): void => {
      const error = Object.assign(new Error(code), { code })
      reject(error)
      request.destroy(error)
    }
    const begin = (): ClientRequest =>
      (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
        method,
        headers: { ...headers, ...(bytes ? { 'content-length': bytes.byteLength } : {}) },
      })
        .on('response', (response) => {
          const parts: Buffer[] = []
          let length = 0
          response
            .on('data', (part: Buffer) => {
              parts.push(part)
              length += part.length
              if (length > LARGEST_ANSWER) end('too long')
            })
            .on('error', reject)
            .on('end', () => {
              const { statusCode: status = 0, headers: said } = response
              resolve({ status, headers: said, bytes: Buffer.concat(parts) })
            })
            .on('close', () => clearTimeout(over))
        })
        .on('error', (error: NodeJS.ErrnoException) => {
          // A line that was kept open, and was closed over there in this moment. All calls are safe to make again.
          if (request.reusedSocket && error.code === 'ECONNRESET') request = begin()
          else {
            clearTimeout(over)
            reject(error)
          }
        })
        .end(bytes)
    request = begin()
  })
}

/** 412 and 409 answer a name that is taken, 404 one that is not there: all else is no answer to us. */
function refuse({ bucket, endpoint }: BucketConfig, { status, bytes }: Answer): void {
  const code = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(bytes.toString('utf8', 0, 2_000))?.[1] ?? String(status)
  if (status === 404 && code === 'NoSuchBucket')
    throw new StoreUnavailable(`${endpoint} has no bucket ${bucket}: see STORE_BUCKET.`, code, true)
  const isTaken = status === 412 || (status === 409 && code.startsWith('Conditional'))
  if ((status >= 200 && status < 300) || status === 404 || isTaken) return
  const isRefused = status < 500 && status !== 408 && status !== 429
  const hint = isRefused ? ': see STORE_ACCESS_KEY, STORE_SECRET_KEY and STORE_REGION' : ''
  throw new StoreUnavailable(
    `The bucket ${bucket} at ${endpoint} answers ${status} ${code}${hint}.`,
    code,
    isRefused,
  )
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'no answer'
