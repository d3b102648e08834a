/**
 * What the code says `seconds` whole seconds after the provider's answer to the start:
 * `bankid.{token}.{seconds}.{HMAC-SHA256 of the seconds under the secret, hexadecimal}` (BankID RP guidelines).
 */
export declare function animatedQr(qrStartToken: string, qrStartSecret: string, seconds: number): string
