/** Our payment id as it travels with the money (EndToEndId, ISO 20022): at most 35 characters, so without its hyphens. */

export function endToEndId(paymentId: string): string {
  return paymentId.replaceAll('-', '')
}

/** The payment id in what a bank says that the money was ordered as; undefined when it is not one of ours. */
export function paymentIdOfEndToEnd(text: string): string | undefined {
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(
    text.trim().toLowerCase(),
  )
  return parts?.slice(1).join('-')
}
