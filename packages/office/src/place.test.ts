import { expect, test } from 'vitest'
import { hashOf, readPlace } from './place.ts'

test.each([
  ['', { view: '', id: '', subview: '' }],
  ['#/todo', { view: 'todo', id: '', subview: '' }],
  ['#/invoices/7/postings', { view: 'invoices', id: '7', subview: 'postings' }],
  ['#/invoices/7?lng=fi', { view: 'invoices', id: '7', subview: '', language: 'fi' }],
  ['#/fi/todo', { view: 'todo', id: '', subview: '', language: 'fi' }],
  ['#/fi/todo?lng=da', { view: 'todo', id: '', subview: '', language: 'da' }],
  ['#/todo?lng=xx', { view: 'todo', id: '', subview: '' }],
  ['#/invoices/a%2Fb', { view: 'invoices', id: 'a/b', subview: '' }],
  ['#/invoices/%E0%A4%A', { view: 'invoices', id: '%E0%A4%A', subview: '' }],
])('%s is read', (hash, expected) => {
  expect(readPlace(hash)).toMatchObject(expected)
})

test('what a view keeps in its address is apart from the language', () => {
  expect(readPlace('#/invoices?tab=late&page=2&lng=en')).toEqual({
    view: 'invoices',
    id: '',
    subview: '',
    query: { tab: 'late', page: '2' },
    language: 'en',
  })
})

test('a place that is written is read as it was', () => {
  const hash = hashOf({ view: 'invoices', id: 'a/b ö' }, { q: 'x & y=1', page: undefined })
  expect(readPlace(hash)).toMatchObject({ view: 'invoices', id: 'a/b ö', query: { q: 'x & y=1' } })
})
