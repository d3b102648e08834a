/** What a creditor, a debtor or an account is recognised by when it comes again. */

/**
 * A registration number without its decoration: hyphens, spaces, and what a VAT number puts around it. "SE559999002401",
 * "559999-0024" and "5599990024" are one company; so are "NO 999990029 MVA" and "999990029".
 */
export function registrationKey(country: string, number: string): string {
  const key = number.toUpperCase().replace(/[^0-9A-Z]/g, '')
  const body = key.startsWith(country) ? key.slice(country.length) : key
  switch (country) {
    case 'SE':
      return /^\d{10}01$/.test(body) ? body.slice(0, 10) : /^16\d{10}$/.test(body) ? body.slice(2) : body
    case 'NO':
      return /^\d{9}MVA$/.test(body) ? body.slice(0, 9) : body
    case 'FI':
      // An OVT identifier is 0037, the number, and perhaps an extension of the company's own.
      return /^0037\d{8}/.test(body) ? body.slice(4, 12) : body
    case 'DK':
      return body
    default:
      return key
  }
}

function plainName(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** `{country}:{registration number}`, else `{country}:name:{name}`. */
export function creditorIdentity(party: {
  readonly name: string
  readonly country: string
  readonly identificationNumber: string | null
}): string {
  return party.identificationNumber
    ? `${party.country}:${registrationKey(party.country, party.identificationNumber)}`
    : `${party.country}:name:${plainName(party.name)}`
}

/**
 * `{country}:{identification number}`, else `{country}:name:{zip}:{name}`. A debtor with a number keeps its
 * identity when it moves.
 */
export function debtorIdentity(party: {
  readonly name: string
  readonly country: string
  readonly identificationNumber: string | null
  readonly zip: string
}): string {
  return party.identificationNumber
    ? `${party.country}:${registrationKey(party.country, party.identificationNumber)}`
    : `${party.country}:name:${party.zip}:${plainName(party.name)}`
}
