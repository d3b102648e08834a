import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Answer, Call } from '../serve.ts'

/** What a receiver of webhooks may do with what comes. */
export const MODES = {
  takes: 'Takes it',
  slow: 'Slow: answers after 15 seconds',
  dead: 'Dead: hangs up without an answer',
  redirects: 'Redirects to another address',
  refuses: 'Answers 500',
  gone: 'Answers 410: nobody is here any more',
} as const
export type Mode = keyof typeof MODES

/** One message, and whether it is from whoever has the secret. */
export interface Received {
  atMs: number
  id: string
  type: string
  body: string
  signature: 'right' | 'wrong' | 'too old' | 'no secret yet'
}

export interface Receiver {
  mode(): Mode
  secret(): string
  /** Newest first. */
  received(): readonly Received[]
  set(change: { mode?: string | undefined; secret?: string | undefined }): void
  take(call: Call): Answer
}

export interface ReceiverParts {
  now(): number
  report(text: string): void
}

const KEPT = 50
const TOLERANCE_S = 300
const SLOW_MS = 15_000

const ANSWERS: Record<Mode, Answer> = {
  takes: { status: 204 },
  slow: { status: 204, afterMs: SLOW_MS },
  dead: { status: 0, hangMs: 0 },
  redirects: { status: 302, headers: { location: '/receiver/elsewhere' } },
  refuses: { status: 500, body: 'The receiver is out of order.' },
  gone: { status: 410, body: 'Nobody is here any more.' },
}

export function isMode(text: string | undefined): text is Mode {
  return text !== undefined && Object.hasOwn(MODES, text)
}

/** A creditor's program that receives webhooks. It knows of one secret, and remembers until the sandbox ends. */
export function openReceiver({ now, report }: ReceiverParts): Receiver {
  let mode: Mode = 'takes'
  let secret = ''
  let received: Received[] = []
  return {
    mode: () => mode,
    secret: () => secret,
    received: () => received,
    set(change) {
      if (isMode(change.mode)) mode = change.mode
      if (change.secret !== undefined) secret = change.secret.trim()
    },
    take({ headers, body }) {
      const atMs = now()
      const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
        (name) => String(headers[name] ?? ''),
      ) as [string, string, string]
      const type = typeOf(body)
      const signed = { id, timestamp, body, signatures }
      received = [{ atMs, id, type, body, signature: judge(signed, secret, atMs) }, ...received].slice(
        0,
        KEPT,
      )
      report(`A webhook has come: ${type}`)
      return ANSWERS[mode]
    },
  }
}

interface Signed {
  id: string
  timestamp: string
  body: string
  signatures: string
}

/** As the specification of Standard Webhooks has a receiver do it. */
function judge(
  { id, timestamp, body, signatures }: Signed,
  secret: string,
  nowMs: number,
): Received['signature'] {
  if (secret === '') return 'no secret yet'
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const mine = Buffer.from(
    `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  )
  const isRight = signatures.split(' ').some((text) => {
    const theirs = Buffer.from(text)
    return theirs.length === mine.length && timingSafeEqual(theirs, mine)
  })
  if (!isRight) return 'wrong'
  return Math.abs(nowMs / 1_000 - Number(timestamp)) <= TOLERANCE_S ? 'right' : 'too old'
}

function typeOf(body: string): string {
  try {
    const { type } = JSON.parse(body) as { type?: unknown }
    return typeof type === 'string' ? type : 'no type'
  } catch {
    return 'no JSON'
  }
}
