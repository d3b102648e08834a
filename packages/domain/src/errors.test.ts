import { expect, test } from 'vitest'
import { ERRORS, Refusal, errorTextKey, type ErrorCode } from './errors.ts'

const codes = Object.keys(ERRORS) as ErrorCode[]

test('a code is small letters with the noun first, and has one status', () => {
  for (const code of codes) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*(::[a-z]+(_[a-z]+)*)?$/)
    expect([400, 401, 403, 404, 405, 409, 413, 415, 429, 500, 503]).toContain(ERRORS[code])
  }
})

test('a refused login is something that the user can mend', () => {
  expect(ERRORS['login_error::invalid_data']).toBe(400)
})

test('every code has its own text key without colons', () => {
  const keys = codes.map(errorTextKey)
  expect(new Set(keys).size).toBe(codes.length)
  expect(errorTextKey('login_error::invalid_data')).toBe('error.login_error.invalid_data')
  expect(errorTextKey('not_found')).toBe('error.not_found')
  for (const key of keys) expect(key).not.toContain(':')
})

test('a refusal carries its code, its values and its fields', () => {
  const refusal = new Refusal('amount_changed', { amount: '842.00' }, ['amount'])
  expect(refusal).toBeInstanceOf(Error)
  expect(refusal).toMatchObject({ name: 'Refusal', code: 'amount_changed', message: 'amount_changed' })
  expect(refusal.params).toEqual({ amount: '842.00' })
  expect(refusal.fields).toEqual(['amount'])
  expect(new Refusal('not_found')).toMatchObject({ params: {}, fields: [] })
})
