/** The animated code of BankID: a new one each second, so that a picture of it is soon worth nothing. */

/** HMAC-SHA256 of `message` under `key`, both ASCII, in small hexadecimal digits. */
export type Hmac = (key: string, message: string) => string

/**
 * What the code says `seconds` whole seconds after the provider's answer to the start:
 * `bankid.{token}.{seconds}.{HMAC of the seconds under the secret}` (BankID RP guidelines).
 */
export function animatedQr(
  { qrStartToken, qrStartSecret }: { readonly qrStartToken: string; readonly qrStartSecret: string },
  seconds: number,
  hmac: Hmac,
): string {
  return `bankid.${qrStartToken}.${seconds}.${hmac(qrStartSecret, String(seconds))}`
}
