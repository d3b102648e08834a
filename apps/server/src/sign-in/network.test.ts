import { expect, test } from 'vitest'
import { areApart, guessNetworksOf, networkOf } from './network.ts'

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['::ffff:cb00:714d', '203.0.113.0/24'],
  ['2001:db8:1:2ab::1', '2001:db8:1:200::/56'],
  ['2001:db8:1:2ff:ffff:ffff:ffff:ffff', '2001:db8:1:200::/56'],
  ['2001:db8:1:300::1', '2001:db8:1:300::/56'],
  ['fe80::1%eth0', 'fe80:0:0:0::/56'],
  ['2001:db8::', '2001:db8:0:0::/56'],
  ['::1', '0:0:0:0::/56'],
  ['127.0.0.1', '127.0.0.0/24'],
  ['nonsense', 'unknown'],
  ['', 'unknown'],
])('%s calls from %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test.each([
  ['203.0.113.77', '203.0.113.200', false],
  ['::ffff:203.0.113.77', '203.0.113.200', false],
  ['203.0.113.77', '203.0.114.77', true],
  ['2001:db8:1:2ab::1', '2001:db8:1:2ff::9', false],
  ['2001:db8:1:2ab::1', '2001:db8:1:3ab::1', true],
  ['203.0.113.77', '2001:db8:1:2ab::1', false],
  ['203.0.113.77', 'nonsense', false],
  ['nonsense', '', false],
])('%s and %s are apart: %s', (one, other, isApart) => {
  expect([areApart(one, other), areApart(other, one)]).toEqual([isApart, isApart])
})

test.each([
  ['203.0.113.77', '203.0.113.0/24', undefined],
  ['::ffff:203.0.113.77', '203.0.113.0/24', undefined],
  ['2001:db8:1:2ab::1', '2001:db8:1:2ab::/64', '2001:db8:1::/48'],
  ['2001:db8:1:2ab:ffff:ffff:ffff:ffff', '2001:db8:1:2ab::/64', '2001:db8:1::/48'],
  ['2001:db8:2:2ab::1', '2001:db8:2:2ab::/64', '2001:db8:2::/48'],
  ['nonsense', 'unknown', undefined],
])('%s draws on the guesses of %s and %s', (address, network, site) => {
  expect(guessNetworksOf(address)).toEqual(site ? { network, site } : { network })
})
