import { expect, test } from 'vitest'
import { failureOf, refusalOf } from './check.ts'

test('an equal answer is no failure, whatever its shape', () => {
  expect(failureOf({ id: 'a', expected: '1230', actual: () => '1230' })).toBeUndefined()
  expect(failureOf({ id: 'a', expected: ['1', undefined], actual: () => ['1', undefined] })).toBeUndefined()
})

test('another answer, none, and a throw are failures that name the vector', () => {
  expect(failureOf({ id: 'ocr 123', expected: '1230', actual: () => '1231' })).toBe(
    'ocr 123: expected "1230", got "1231"',
  )
  expect(failureOf({ id: 'a', expected: '1', actual: () => 1 })).toBeDefined()
  expect(failureOf({ id: 'a', expected: '1', actual: () => undefined })).toBeDefined()
  const thrown = failureOf({
    id: 'a',
    expected: '1',
    actual: () => {
      throw new Error('broken')
    },
  })
  expect(thrown).toContain('broken')
})

test('a refusal of the domain is an answer, every other error is not', () => {
  const refuse = () => {
    throw new RangeError('too long')
  }
  const break_ = () => {
    throw new TypeError('bug')
  }
  expect(refusalOf(refuse)).toBe('refused')
  expect(refusalOf(() => '1230')).toBe('1230')
  expect(() => refusalOf(break_)).toThrow(TypeError)
})
