import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

/** One request, read whole. */
export interface Call {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

/**
 * What goes back. `hangMs` keeps the caller waiting and then cuts the line without an answer; `afterMs` only keeps it
 * waiting.
 */
export interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string | Uint8Array
  hangMs?: number
  afterMs?: number
}

/** True for the names and numbers of this machine itself. */
export function isLoopbackName(hostname: string): boolean {
  if (hostname.endsWith('.localhost')) return true
  return ['localhost', '::1', '[::1]'].includes(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

const BODY_LIMIT_BYTES = 64 * 1024
/** Letters travel inside calls of the digital mailbox. */
export const LETTER_LIMIT_BYTES = 10 * 1024 * 1024

/** An answer in JSON. */
export function answerJson(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(value),
  }
}

/** The same answer, after so many seconds. One that never comes stays so. */
export function answerAfter(seconds: number | null, answer: Answer): Answer {
  return seconds && answer.hangMs === undefined ? { ...answer, afterMs: seconds * 1_000 } : answer
}

/** A control call that cannot be done: the status and one sentence. */
export function answerSentence(status: number, sentence: string): Answer {
  return answerJson(status, { error: sentence })
}

/** Reads the request's body as a JSON object; an empty body is `{}`; undefined when it is something else. */
export function readJsonObject(body: string): Record<string, unknown> | undefined {
  if (body.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(body)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Makes a node:http listener out of a function from call to answer.
 * `after` is the clock's timer, used for calls that hang or come late; `saved` is what every answer waits for. Larger bodies than
 * `limitBytes` are refused.
 */
export function listener(
  answerCall: (call: Call) => Promise<Answer>,
  waits: { after(delayMs: number, act: () => void): () => void; saved(): Promise<void> },
  limitBytes = BODY_LIMIT_BYTES,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    void answerRequest(request, answerCall, { ...waits, limitBytes }).then((answer) => {
      if (answer.hangMs !== undefined) {
        const callOff = waits.after(answer.hangMs, () => response.destroy())
        response.once('close', callOff)
        return
      }
      const write = () => {
        response.writeHead(answer.status, { 'x-content-type-options': 'nosniff', ...answer.headers })
        response.end(answer.body)
      }
      if (answer.afterMs === undefined) return write()
      const callOff = waits.after(answer.afterMs, write)
      response.once('close', callOff)
    })
  }
}

async function answerRequest(
  request: IncomingMessage,
  answerCall: (call: Call) => Promise<Answer>,
  { saved, limitBytes }: { saved(): Promise<void>; limitBytes: number },
): Promise<Answer> {
  try {
    const body = await readBody(request, limitBytes)
    if (body === undefined) return answerSentence(413, `The body is larger than ${limitBytes / 1024} kB.`)
    const url = new URL(request.url ?? '/', 'http://sandbox')
    const answer = await answerCall({
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body,
    })
    await saved()
    return answer
  } catch (error) {
    if (!request.complete) return answerSentence(400, 'The request broke off.')
    process.stderr.write(`${describeFailure(error)}\n`)
    return answerSentence(500, 'The sandbox failed on this call.')
  }
}

/** Of which sort, and where. The message may repeat what the product has sent of its debtors. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return `a ${typeof error} was thrown`
  const frames = error.stack?.split('\n').filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line)) ?? []
  return [error.name, ...frames].join('\n')
}

async function readBody(request: IncomingMessage, limitBytes: number): Promise<string | undefined> {
  const parts: Buffer[] = []
  let sizeBytes = 0
  for await (const part of request) {
    sizeBytes += (part as Buffer).length
    if (sizeBytes <= limitBytes) parts.push(part as Buffer)
  }
  return sizeBytes > limitBytes ? undefined : Buffer.concat(parts).toString('utf8')
}
