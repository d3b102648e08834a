/**
 * Whether a webhook call comes from Vipps MobilePay (Webhooks API v1): an HMAC-SHA256 under the secret of the webhook,
 * over path, date, host and the hash of the body. What it tells is a hint all the same; the payment is then read.
 */

/** A call as it arrived: the address as the caller used it, headers as sent, the body byte for byte. */
export type VippsCall = {
  readonly pathAndQuery: string
  readonly host: string
  /** `x-ms-date`, such as `Fri, 20 Nov 2026 12:00:00 GMT`. */
  readonly date: string
  /** `x-ms-content-sha256`, base64. */
  readonly contentSha256: string
  readonly authorization: string
  readonly body: Uint8Array
}

/** What the platform brings along. Both digests are base64; texts are UTF-8. */
export type VippsDigests = {
  readonly sha256: (bytes: Uint8Array) => string
  readonly hmacSha256: (key: string, message: string) => string
  /** Compares in the same time, however much of it is right. */
  readonly isSame: (given: string, expected: string) => boolean
}

type Signed = Pick<VippsCall, 'pathAndQuery' | 'host' | 'date' | 'contentSha256'>

/** An older call, or one from further ahead, may be somebody's copy. */
const MOST_AGE_MS = 300_000
const SCHEME = 'HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature='

/** What is signed: method and address, then the three headers that the scheme names. */
export function vippsStringToSign({ pathAndQuery, host, date, contentSha256 }: Signed): string {
  return `POST\n${pathAndQuery}\n${date};${host};${contentSha256}`
}

/** The header that a genuine call carries under `secret`. */
export function vippsAuthorization(call: Signed, secret: string, digests: VippsDigests): string {
  return `${SCHEME}${digests.hmacSha256(secret, vippsStringToSign(call))}`
}

/**
 * True when the body is the one that was signed, the signature is of one of our secrets (two while they are being
 * changed), and the call was made within five minutes of `nowMs`.
 */
export function isVippsCallGenuine(
  call: VippsCall,
  secrets: readonly string[],
  { nowMs, ...digests }: VippsDigests & { readonly nowMs: number },
): boolean {
  const isNow = Math.abs(Date.parse(call.date) - nowMs) <= MOST_AGE_MS
  const isWhole = digests.isSame(call.contentSha256, digests.sha256(call.body))
  const isSigned = secrets
    .filter((secret) => secret !== '')
    .map((secret) => digests.isSame(call.authorization, vippsAuthorization(call, secret, digests)))
  return isNow && isWhole && isSigned.includes(true)
}
