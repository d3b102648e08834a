/**
 * A call to an address that somebody outside has chosen. It goes over https to a public server alone: the name is resolved
 * once, every address that it has is checked, and the connection is made to one of those. No redirect is followed.
 */
import { Resolver } from 'node:dns/promises'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { TryFailure } from '@kvitt/domain/webhooks/webhook.ts'
import { isPublicAddress } from './public-address.ts'

export type PublicCall = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** `answer` is the beginning of what came back. A redirect is a failure with its status. */
export type Outcome = {
  readonly status: number | null
  readonly failure: TryFailure | null
  readonly answer: string
}

/** Rejects, or gives up early, once `late` is aborted: nobody waits for it then. */
export type Resolve = (
  host: string,
  late: AbortSignal,
) => Promise<readonly { readonly address: string; readonly family: number }[]>

export type PublicCallOptions = {
  /** How long a call may take until its status is here, milliseconds. */
  readonly timeoutMs: number
  /** Origins that may be anywhere, such as the sandbox's on this machine. */
  readonly inwardOrigins: readonly string[]
  /** In tests: another resolver, other addresses that count as public, another port than 443, another authority. */
  readonly resolve?: Resolve
  readonly isPublic?: (address: string) => boolean
  readonly port?: string
  readonly ca?: string
}

/** A question to an address that somebody outside has chosen: what comes back is needed whole. */
export type PublicQuestion = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** `text` is all that came; undefined when it did not come to its end in time, or was larger than 64 kB. */
export type PublicAnswer = {
  readonly status: number | null
  readonly failure: TryFailure | null
  readonly contentType: string
  readonly text: string | undefined
}

export type PublicCaller = {
  readonly call: (call: PublicCall) => Promise<Outcome>
  /** False when it can be told that a call there would be refused. A name that nobody knows now may be known later. */
  readonly mayLeadTo: (url: string) => Promise<boolean>
}

export type PublicAsker = {
  /** The same guard as of a call. A redirect is not followed, and is a failure. */
  readonly ask: (question: PublicQuestion) => Promise<PublicAnswer>
}

const KEPT_CHARACTERS = 1_000
const LARGEST_ANSWER_BYTES = 64 * 1024

class Failed extends Error {
  readonly failure: TryFailure
  constructor(failure: TryFailure) {
    super(failure)
    this.failure = failure
  }
}

/** Names that mean something on one network only. */
const INWARD_NAME = /^[^.]+$|\.(localhost|local|internal|home\.arpa|localdomain)$/

export function openPublicCaller(options: PublicCallOptions): PublicCaller & PublicAsker {
  const { resolve = askNameServers(), isPublic = isPublicAddress, port = '' } = options
  const isInward = (url: URL): boolean => options.inwardOrigins.includes(url.origin)

  /** The addresses that it may be called at; undefined where the system may find them. Throws Failed. */
  async function addressesOf(url: URL, late: AbortSignal): ReturnType<Resolve> {
    const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
    const isAllowed =
      url.protocol === 'https:' && url.port === port && url.username === '' && url.password === ''
    if (!isAllowed) throw new Failed('address_refused')
    const family = isIP(host)
    if (family === 0 && INWARD_NAME.test(host)) throw new Failed('address_refused')
    const found = family === 0 ? await resolve(host, late).catch(() => []) : [{ address: host, family }]
    if (found.length === 0) throw new Failed('name_unknown')
    if (!found.every(({ address }) => isPublic(address))) throw new Failed('address_refused')
    return found
  }

  async function reach({ url: text, ...question }: PublicQuestion): Promise<Reached> {
    const signal = AbortSignal.timeout(options.timeoutMs)
    try {
      if (!URL.canParse(text)) throw new Failed('address_refused')
      const url = new URL(text)
      const pinned = isInward(url)
        ? undefined
        : await within(options.timeoutMs, (late) => addressesOf(url, late))
      return await send({ ...question, url, pinned, signal, ca: options.ca })
    } catch (error) {
      const failure = failureOf(error, signal)
      return { status: null, failure, bytes: Buffer.alloc(0), isWhole: false, contentType: '' }
    }
  }

  return {
    async mayLeadTo(text) {
      if (!URL.canParse(text)) return false
      const url = new URL(text)
      if (isInward(url)) return true
      try {
        await within(options.timeoutMs, (late) => addressesOf(url, late))
        return true
      } catch (error) {
        return error instanceof Failed && error.failure !== 'address_refused'
      }
    },
    async call({ url, headers, body }) {
      const { status, failure, bytes } = await reach({ method: 'POST', url, headers, body })
      const answer = bytes.toString('utf8').replaceAll('\0', '').slice(0, KEPT_CHARACTERS)
      return { status, failure, answer }
    },
    async ask(question) {
      const { status, failure, bytes, isWhole, contentType } = await reach(question)
      return { status, failure, contentType, text: isWhole ? bytes.toString('utf8') : undefined }
    },
  }
}

/** How long a name server has for its first answer. It is asked twice. */
const NAME_SERVER_MS = 2_000

/**
 * Asks the name servers of the system, or others, itself. The system's own look-up holds one of the few threads that all calls
 * of the process share: some slow names would stop calls to banks as well. Files of hosts are not read, so a name in one is
 * reached through `inwardOrigins` alone.
 */
export function askNameServers(servers?: readonly string[]): Resolve {
  return async (host, late) => {
    const resolver = new Resolver({ timeout: NAME_SERVER_MS, tries: 2 })
    if (servers) resolver.setServers(servers)
    const cancel = (): void => resolver.cancel()
    late.addEventListener('abort', cancel, { once: true })
    try {
      const ask = async (family: 4 | 6): ReturnType<Resolve> => {
        const found = family === 4 ? await resolver.resolve4(host) : await resolver.resolve6(host)
        return found.map((address) => ({ address, family }))
      }
      const both = await Promise.allSettled([ask(4), ask(6)])
      return both.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    } finally {
      late.removeEventListener('abort', cancel)
    }
  }
}

/** What the work comes to, if it does within `ms`. Throws Failed, and tells the work that it is late. */
async function within<Result>(ms: number, work: (late: AbortSignal) => Promise<Result>): Promise<Result> {
  const late = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const tooSlow = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Failed('too_slow'))
      late.abort()
    }, ms)
  })
  return Promise.race([work(late.signal), tooSlow]).finally(() => clearTimeout(timer))
}

type Reached = Pick<PublicAnswer, 'status' | 'failure' | 'contentType'> & {
  readonly bytes: Buffer
  readonly isWhole: boolean
}

type Sent = Omit<PublicQuestion, 'url'> & {
  readonly url: URL
  readonly pinned: Awaited<ReturnType<Resolve>> | undefined
  readonly signal: AbortSignal
  readonly ca: string | undefined
}

/** Answers once the status is here and as much of the answer as is kept, or as came in time. */
function send({ method, url, pinned, headers, body, signal, ca }: Sent): Promise<Reached> {
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: {
        ...headers,
        ...(method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
      // A connection of its own: none is used that was made to what the name meant before.
      agent: false as const,
      signal,
      ...(ca === undefined ? {} : { ca }),
      ...(pinned === undefined ? {} : { lookup: answerWith(pinned) }),
    }
    const request = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options)
    let end: (() => void) | undefined
    // Once the status is here it counts, however the rest ends.
    request.on('error', (error) => (end ? end() : reject(error)))
    request.on('response', (incoming: IncomingMessage) => {
      const status = incoming.statusCode ?? 0
      const chunks: Buffer[] = []
      let [size, isWhole] = [0, false]
      const done = (): void => {
        const contentType = incoming.headers['content-type'] ?? ''
        const failure = status >= 300 && status <= 399 ? 'redirected' : null
        resolve({ status, failure, bytes: Buffer.concat(chunks), isWhole, contentType })
        request.destroy()
      }
      end = done
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= LARGEST_ANSWER_BYTES) chunks.push(chunk)
        if (size >= LARGEST_ANSWER_BYTES) done()
      })
      incoming.on('end', () => {
        isWhole = size < LARGEST_ANSWER_BYTES
        done()
      })
      incoming.on('error', done)
      incoming.on('close', done)
    })
    request.end(method === 'GET' ? undefined : body)
  })
}

type LookUp = NonNullable<Parameters<typeof requestHttp>[1]['lookup']>

/** What was found and checked is what is connected to: nobody is asked a second time. */
function answerWith(found: Awaited<ReturnType<Resolve>>): LookUp {
  return (_host, { all }, callback) => {
    const [first] = found
    if (all) callback(null, [...found])
    else callback(null, first?.address ?? '', first?.family ?? 4)
  }
}

function failureOf(error: unknown, signal: AbortSignal): TryFailure {
  if (error instanceof Failed) return error.failure
  if (signal.aborted) return 'too_slow'
  const code = String((error as NodeJS.ErrnoException).code)
  if (/CERT|TLS|SSL|SELF_SIGNED|ISSUER/.test(code)) return 'certificate'
  return /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EAI_AGAIN|ENOTFOUND)$/.test(code)
    ? 'no_connection'
    : 'broken_off'
}
