import { expect, test } from 'vitest'
import { changed, pagingOf, readListQuery, sortedBy, toggled, writeListQuery } from './list-query.ts'

const read = (address: Record<string, string> = {}) => readListQuery(address, 'id')

test('a bare address is the first page, the newest first', () => {
  expect(read()).toEqual({ tab: '', text: '', page: 1, limit: 20, orderBy: 'id', order: 'desc', filters: {} })
})

test.each([
  [{ page: '0' }, { page: 1 }],
  [{ page: '-3' }, { page: 1 }],
  [{ page: 'x' }, { page: 1 }],
  [{ page: '7' }, { page: 7 }],
  [{ limit: '-1' }, { limit: -1 }],
  [{ limit: '100' }, { limit: 100 }],
  [{ limit: '7' }, { limit: 20 }],
  [{ order: 'sideways' }, { order: 'desc' }],
])('%j', (address, expected) => {
  expect(read(address)).toMatchObject(expected)
})

test('another filter, text, length or order begins at the first page; another page does not', () => {
  const seventh = read({ page: '7' })
  expect(changed(seventh, { tab: 'late' }).page).toBe(1)
  expect(changed(seventh, { text: 'Alva' }).page).toBe(1)
  expect(changed(seventh, { limit: 50 }).page).toBe(1)
  expect(sortedBy(seventh, 'balance').page).toBe(1)
  expect(changed(seventh, { page: 8 }).page).toBe(8)
})

test('a second press on the same column turns the order round', () => {
  const once = sortedBy(read(), 'balance')
  expect(once).toMatchObject({ orderBy: 'balance', order: 'asc' })
  expect(sortedBy(once, 'balance')).toMatchObject({ orderBy: 'balance', order: 'desc' })
  expect(sortedBy(sortedBy(once, 'balance'), 'due')).toMatchObject({ orderBy: 'due', order: 'asc' })
})

test('what is written into the address is read as it was', () => {
  const query = {
    tab: 'late',
    text: 'Å & b',
    page: 3,
    limit: -1,
    orderBy: 'due',
    order: 'asc',
    filters: { from: '2026-01-01' },
  } as const
  const address = writeListQuery(query, 'id') as Record<string, string>
  expect(readListQuery(address, 'id', ['from', 'to'])).toEqual(query)
  // What no view has told of is left out.
  expect(read(address).filters).toEqual({})
  expect(writeListQuery(read(), 'id')).toEqual({})
})

test('the call is asked with text', () => {
  expect(pagingOf(read({ page: '2' }))).toEqual({ limit: '20', page: '2', orderBy: 'id', order: 'desc' })
})

test('one is selected and left, and a range is selected in either direction', () => {
  const ids = ['a', 'b', 'c', 'd']
  const b = toggled(new Set(), 'b')
  expect([...b]).toEqual(['b'])
  expect([...toggled(b, 'b')]).toEqual([])
  expect([...toggled(b, 'd', { from: 'b', ids })]).toEqual(['b', 'c', 'd'])
  expect([...toggled(new Set(['d']), 'b', { from: 'd', ids })].toSorted()).toEqual(['b', 'c', 'd'])
  expect([...toggled(new Set(), 'c', { from: 'gone', ids })]).toEqual(['c'])
})
