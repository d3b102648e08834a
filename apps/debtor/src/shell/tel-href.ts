/** A `tel:` link for a number as people write it. */
export function telHref(phone: string): string {
  return `tel:${phone.replaceAll(/[^\d+]/g, '')}`
}
