import { isUuid } from '@kvitt/domain/ids.ts'
import { expect, test } from 'vitest'
import { newId } from './identity.ts'

test('identifiers of one moment are all different and sort as they were made', () => {
  const made = Array.from({ length: 5000 }, () => newId(1_800_000_000_000))
  expect(new Set(made).size).toBe(made.length)
  expect([...made].sort()).toEqual(made)
  expect(made.every(isUuid)).toBe(true)
})
