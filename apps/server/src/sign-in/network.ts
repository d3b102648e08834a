/** Which network somebody calls from. One subscriber can change addresses within it at will. */
import { isIP } from 'node:net'

/** The eight groups of an IPv6 address as numbers. */
function groupsOf(address: string): number[] {
  // The last four bytes may be written as in IPv4.
  const [, before = address, bytes = ''] = /^(.*:)([\d.]+)$/.exec(address) ?? []
  const [a = 0, b = 0, c = 0, d = 0] = bytes.split('.').map(Number)
  const isMixed = bytes.includes('.')
  const plain = isMixed ? `${before}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}` : address
  const [head = '', tail] = plain.split('::')
  const read = (part: string | undefined): number[] =>
    part ? part.split(':').map((group) => Number.parseInt(group, 16)) : []
  const [first, last] = [read(head), read(tail)]
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
}

/** The address in numbers: four bytes, or eight groups. IPv4 written as IPv6 is IPv4. */
function partsOf(address: string): number[] {
  const plain = address.split('%', 1)[0] ?? ''
  if (isIP(plain) === 4) return plain.split('.').map(Number)
  if (isIP(plain) !== 6) return []
  const groups = groupsOf(plain)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  const [high = 0, low = 0] = groups.slice(6)
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255] : groups
}

/** Who counts as one starter of orders: an IPv4 address, or the /56 that an IPv6 subscriber has. */
export function starterOf(address: string): string {
  const parts = partsOf(address)
  return parts.length === 4 ? parts.join('.') : networkOf(address)
}

/** The /24 or /56 that an address belongs to, as text; what is no address is a network of its own. */
export function networkOf(address: string): string {
  const parts = partsOf(address)
  if (parts.length === 4) return `${parts.slice(0, 3).join('.')}.0/24`
  if (parts.length !== 8) return 'unknown'
  const prefix = [...parts.slice(0, 3), (parts[3] ?? 0) & 0xff00].map((group) => group.toString(16))
  return `${prefix.join(':')}::/56`
}

/**
 * Whose budgets of guesses an address draws on, as text: the /24 of an IPv4 address; the /64 of an IPv6 address, which one
 * line has, and the /48 around it, which one customer of a provider may have whole.
 */
export function guessNetworksOf(address: string): { readonly network: string; readonly site?: string } {
  const parts = partsOf(address)
  if (parts.length !== 8) return { network: networkOf(address) }
  const prefix = (groups: number) => parts.slice(0, groups).map((group) => group.toString(16))
  return { network: `${prefix(4).join(':')}::/64`, site: `${prefix(3).join(':')}::/48` }
}

/** Two addresses of one kind in different networks. IPv4 and IPv6 of one home cannot be compared. */
export function areApart(one: string, other: string): boolean {
  const isComparable = partsOf(one).length > 0 && partsOf(one).length === partsOf(other).length
  return isComparable && networkOf(one) !== networkOf(other)
}
