import { expect, test } from 'vitest'
import { readHash, writeHash } from './routes.ts'

test('a hash is language, segments and query', () => {
  const address = readHash('#/sv/invoice/260101314920/41105?invoiceNumber=261037')
  expect(address.language).toBe('sv')
  expect(address.segments).toEqual(['invoice', '260101314920', '41105'])
  expect(address.query.get('invoiceNumber')).toBe('261037')
})

test('empty and broken hashes do not throw', () => {
  expect(readHash('').language).toBeUndefined()
  expect(readHash('#/').segments).toEqual([])
  expect(readHash('#/sv/%E0%A4%A').segments).toEqual(['%E0%A4%A'])
})

test('what is written is read back', () => {
  for (const odd of ['å/b', 'a?b=c', '#x', '..', '%2f', ' "><img>']) {
    const hash = writeHash('sv', ['invoice', odd, '111 22'], { invoiceNumber: odd })
    const address = readHash(hash)
    expect(address.segments).toEqual(['invoice', odd, '111 22'])
    expect(address.query.get('invoiceNumber')).toBe(odd)
  }
})

test('the start page ends with a slash', () => {
  expect(writeHash('nb', [])).toBe('#/nb/')
  expect(writeHash('nb', [], { zip: '' })).toBe('#/nb/')
})
