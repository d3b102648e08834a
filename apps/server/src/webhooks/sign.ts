/** Signatures as Standard Webhooks has them: HMAC-SHA256 over id, time and body, under each secret that is valid. */
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** `whsec_` and 32 random bytes in base64. */
export function makeWebhookSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`
}

export type Signed = {
  readonly id: string
  /** Whole seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/** The headers of a message. Two secrets while one is exchanged: a receiver takes the message when it knows either. */
export function signatureHeaders(
  { id, timestamp, body }: Signed,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
