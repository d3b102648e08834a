/** Vector files about Vipps MobilePay. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import {
  isVippsCallGenuine,
  vippsAuthorization,
  vippsStringToSign,
  type VippsDigests,
} from './vipps-webhook.ts'
import type { Check } from './check.ts'

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()
const DIGESTS: VippsDigests = {
  sha256: (bytes) => sha256(bytes).toString('base64'),
  hmacSha256: (key, message) => createHmac('sha256', key).update(message).digest('base64'),
  isSame: (given, expected) => timingSafeEqual(sha256(given), sha256(expected)),
}

type WebhookFile = {
  vectors: {
    body: string
    xMsContentSha256: string
    xMsDate: string
    host: string
    pathAndQuery: string
    secret: string
    stringToSign: string
    authorization: string
  }[]
}

/** Each part of the signature, and that a call with all of them is believed: on time, and with no byte changed. */
export function checkVippsWebhooks(file: WebhookFile): Check[] {
  return file.vectors.flatMap((vector, index) => {
    const {
      xMsContentSha256: contentSha256,
      xMsDate: date,
      host,
      pathAndQuery,
      secret,
      authorization,
    } = vector
    const body = Buffer.from(vector.body)
    const call = { pathAndQuery, host, date, contentSha256, authorization, body }
    const id = `vipps ${index + 1}`
    const isGenuine = (change: object = {}) =>
      isVippsCallGenuine({ ...call, ...change }, [secret], { ...DIGESTS, nowMs: Date.parse(date) })
    return [
      { id: `${id} content`, expected: contentSha256, actual: () => DIGESTS.sha256(body) },
      { id: `${id} string`, expected: vector.stringToSign, actual: () => vippsStringToSign(call) },
      {
        id: `${id} header`,
        expected: authorization,
        actual: () => vippsAuthorization(call, secret, DIGESTS),
      },
      { id: `${id} genuine`, expected: true, actual: () => isGenuine() },
      {
        id: `${id} forged`,
        expected: false,
        actual: () => isGenuine({ body: Buffer.from(`${vector.body} `) }),
      },
    ]
  })
}
