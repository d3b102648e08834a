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

/** Signs that join letters are spelling, and one person is written with and without them. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u200c\u200d]/g, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
}

/** A number that tells one party from another: "-", "0000000000" and "saknas" are printed where there is none. */
function tells(number: string | null): number is string {
  return number !== null && /[1-9]/.test(number)
}

/** `{country}:{registration number}`, else `{country}:name:{name}`. */
export function creditorIdentity(party: {
  readonly name: string
  readonly country: string
  readonly identificationNumber: string | null
}): string {
  return tells(party.identificationNumber)
    ? `${party.country}:${registrationKey(party.country, party.identificationNumber)}`
    : `${party.country}:name:${plain(party.name)}`
}

/**
 * `{country}:{identification number}`: a debtor with a number is the same to every creditor, and after a move.
 *
 * Without one nobody is known but to the creditor, and what does not tell for certain makes a debtor of its own, since
 * debtors see and dispute what is theirs: one customer number and name, else one name, street, zip and country, else this
 * one document. The parts stand on lines of their own, and none of them has a line's end in it.
 */
export function debtorIdentity(
  party: {
    readonly name: string
    readonly country: string
    readonly identificationNumber: string | null
    readonly address: string | null
    readonly address2: string | null
    readonly zip: string
  },
  printed: {
    /** The creditor's identity. */
    readonly creditor: string
    /** What the creditor calls the debtor. */
    readonly customerNumber: string | null
    /** What no other document of the instance has. */
    readonly document: string
  },
): string {
  const { name, country, identificationNumber, address, address2, zip } = party
  if (tells(identificationNumber)) return `${country}:${registrationKey(country, identificationNumber)}`
  if (tells(printed.customerNumber)) {
    return ['customer', printed.creditor, printed.customerNumber, plain(name)].join('\n')
  }
  const street = [address ?? '', address2 ?? ''].map(plain)
  return address !== null && /[\p{L}\p{N}]/u.test(address)
    ? ['address', printed.creditor, country, zip, plain(name), ...street].join('\n')
    : ['document', printed.document].join('\n')
}
