import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchesSearch, readSearch, type Search } from './search.ts'

const SEARCHABLE = { targets: ['number', 'name'], filters: ['statuses.main', 'type', 'enabled'] }
const read = (body: Record<string, unknown> | undefined) => readSearch(body, SEARCHABLE)
const filtersOf = (body: Record<string, unknown>) => Object.fromEntries((read(body) as Search).filters)

describe('a search', () => {
  test('of nothing finds everything by the first target', () => {
    expect(read(undefined)).toEqual({ text: '', target: 'number', filters: new Map() })
    expect(read({})).toEqual(read(undefined))
  })

  test.each([
    [{ statuses: { main: 'A[OR]B' } }],
    [{ 'statuses.main': 'A[OR]B' }],
    [{ filters: { statuses: { main: 'A[OR]B' } } }],
    [{ filters: { 'statuses.main': ['A', 'B'] } }],
    [{ 'filters.statuses.main': 'A[OR]B' }],
    [{ 'filters.statuses': { main: 'A[OR]B' } }],
    [{ filters: [{ key: 'statuses.main', search: 'A[OR]B' }] }],
    [{ filters: { statuses: { main: 'A[OR]B' } }, 'filters.statuses.main': ['A', 'B'] }],
  ])('%j filters in each of its spellings', (body) => {
    expect(filtersOf(body)).toEqual({ 'statuses.main': ['A', 'B'] })
  })

  test('for what no text has is a mistake', () => {
    expect(read({ query: 'a\0' })).toEqual({ field: 'query' })
  })

  test('booleans and numbers are values, nothing is none', () => {
    expect(filtersOf({ enabled: true, filters: { type: 7, 'statuses.main': null } })).toEqual({
      enabled: ['true'],
      type: ['7'],
    })
  })

  test.each([
    [{ queryTarget: '' }],
    [{ query: ' ', queryTarget: '*' }],
    [{ query: null, queryTarget: null, filters: null, type: null }],
    [{ filters: [] }],
  ])('%j asks for everything', (body) => {
    expect(read(body)).toEqual(read({}))
  })

  test('an unknown field beside the text is ignored, below filters it is a mistake', () => {
    expect(filtersOf({ password: 'x' })).toEqual({})
    expect(read({ filters: { password: 'x' } })).toEqual({ field: 'password' })
    expect(read({ filters: { statuses: { secret: 'x' } } })).toEqual({ field: 'statuses.secret' })
  })

  test.each([
    [{ query: 1 }, 'query'],
    [{ query: 'x'.repeat(201) }, 'query'],
    [{ queryTarget: 'secret' }, 'queryTarget'],
    [{ queryTarget: '__proto__' }, 'queryTarget'],
    [{ query: 'x', queryTarget: '*' }, 'queryTarget'],
    [{ query: 'x', queryTarget: '' }, 'queryTarget'],
    [{ filters: 'type' }, 'filters'],
    [{ filters: ['type'] }, 'filters'],
    [{ filters: [{ search: 'A' }] }, 'filters'],
    [{ filters: Array.from({ length: 51 }, () => ({ key: 'type', search: 'A' })) }, 'filters'],
    [{ filters: [{ key: 'secret', search: 'A' }] }, 'secret'],
    [{ 'filters.secret': 'A' }, 'secret'],
    [{ type: 'A', filters: { type: 'B' } }, 'type'],
    [{ filters: { statuses: { main: 'A' }, 'statuses.main': 'B' } }, 'statuses.main'],
    [{ filters: { type: '' } }, 'type'],
    [{ filters: { type: 'A[OR]' } }, 'type'],
    [{ filters: { type: [] } }, 'type'],
    [{ filters: { type: Array.from({ length: 51 }, () => 'A') } }, 'type'],
    [{ filters: { type: { a: 'b' } } }, 'type.a'],
  ])('sqli.filters: %j is a mistake in %s', (body, field) => {
    expect(read(body)).toEqual({ field })
  })

  test('never throws, whatever the body', () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.anything()), (body) => read(body) !== undefined))
  })
})

describe('an item', () => {
  const item = { number: 'A-17', name: 'Åsa', type: 'X', statuses: { main: 'A' }, enabled: true }
  test.each([
    [{}, true],
    [{ query: 'a-1' }, true],
    [{ query: ' A-17 ' }, true],
    [{ query: 'b' }, false],
    [{ query: 'ås', queryTarget: 'name' }, true],
    [{ type: 'X[OR]Y', enabled: true }, true],
    [{ type: 'Y' }, false],
    [{ 'statuses.main': 'A' }, true],
    [{ enabled: false }, false],
  ])('for %j: %s', (body, found) => {
    expect(matchesSearch(item, read(body) as Search)).toBe(found)
  })
})
