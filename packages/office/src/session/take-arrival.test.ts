import { expect, test } from 'vitest'
import { takeArrival } from './take-arrival.ts'

test('a route is left as it is', () => {
  expect(takeArrival('/client/', '', '#/invoices?tab=late')).toEqual({ arrival: {}, address: undefined })
  expect(takeArrival('/client/', '?interaction=abc', '')).toEqual({ arrival: {}, address: undefined })
})

test('code and state leave the address, and with them what the provider says besides', () => {
  expect(takeArrival('/client/', '?code=C&state=S&iss=http%3A%2F%2Fx&keep=1', '#/todo')).toEqual({
    arrival: { code: 'C', state: 'S' },
    address: '/client/?keep=1#/todo',
  })
})

test('tokens in the hash leave no hash behind', () => {
  expect(takeArrival('/client/', '', '#access_token=A&id_token=I&state=S&token_type=Bearer')).toEqual({
    arrival: { accessToken: 'A', idToken: 'I', state: 'S' },
    address: '/client/',
  })
})

test('a login link', () => {
  expect(takeArrival('/', '?id_token=I&user_email=clerk%40kvitt.example', '')).toEqual({
    arrival: { idToken: 'I', userEmail: 'clerk@kvitt.example' },
    address: '/',
  })
})

test('a refusal of the provider', () => {
  expect(takeArrival('/', '?error=access_denied&error_description=No&state=S', '')).toEqual({
    arrival: { error: 'access_denied', state: 'S' },
    address: '/',
  })
})
