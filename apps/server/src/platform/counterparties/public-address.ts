/** Which addresses are anybody's on the internet: none of this machine, of its network, or of a special purpose (IANA). */
import { BlockList, isIP } from 'node:net'

const NOT_PUBLIC = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16], ['172.16.0.0', 12],
  ['192.0.0.0', 24], ['192.0.2.0', 24], ['192.31.196.0', 24], ['192.52.193.0', 24], ['192.88.99.0', 24],
  ['192.168.0.0', 16], ['192.175.48.0', 24], ['198.18.0.0', 15], ['198.51.100.0', 24], ['203.0.113.0', 24],
  ['224.0.0.0', 4], ['240.0.0.0', 4],
] as const) NOT_PUBLIC.addSubnet(network, bits, 'ipv4') // biome-ignore format: a list

/** All that is assigned of IPv6, and what inside of it is not public or hides an address of IPv4. */
const ASSIGNED = new BlockList()
ASSIGNED.addSubnet('2000::', 3, 'ipv6')
const HIDES = new BlockList()
for (const [network, bits] of [
  ['2001::', 23], ['2001:db8::', 32], ['2002::', 16], ['2620:4f:8000::', 48], ['3fff::', 20],
] as const) HIDES.addSubnet(network, bits, 'ipv6') // biome-ignore format: a list

/** @param address an IPv4 or IPv6 address as text; anything else is not public */
export function isPublicAddress(address: string): boolean {
  const kind = isIP(address)
  if (kind === 4) return !NOT_PUBLIC.check(address, 'ipv4')
  return kind === 6 && ASSIGNED.check(address, 'ipv6') && !HIDES.check(address, 'ipv6')
}
