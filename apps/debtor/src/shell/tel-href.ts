import { callingCode } from '../instance.ts'

/** A `tel:` link for a number of the provider as people write it. It can be rung from every country. */
export function telHref(phone: string): string {
  return `tel:${dialled(phone).replace(/^0?(?=[1-9])/, callingCode)}`
}

/** What of a number is dialled. */
export function dialled(phone: string): string {
  return phone.replaceAll(/\(0\)|[^\d+]/g, '')
}
