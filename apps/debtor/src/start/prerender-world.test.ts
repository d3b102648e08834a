import { afterEach, beforeEach, expect, test } from 'vitest'
import { standInForBrowser } from './prerender-world.ts'

const NAMES = [
  'location',
  'history',
  'navigator',
  'sessionStorage',
  'localStorage',
  'document',
  'window',
  'matchMedia',
]
let before: (PropertyDescriptor | undefined)[]

beforeEach(() => {
  before = NAMES.map((name) => Object.getOwnPropertyDescriptor(globalThis, name))
})
afterEach(() => {
  for (const [index, name] of NAMES.entries()) {
    Reflect.deleteProperty(globalThis, name)
    const descriptor = before[index]
    if (descriptor) Object.defineProperty(globalThis, name, descriptor)
  }
})

test('names that Node has itself, without a way to set them, are replaced', () => {
  for (const name of ['navigator', 'localStorage', 'sessionStorage'])
    Object.defineProperty(globalThis, name, { get: () => 'of Node', configurable: true })
  standInForBrowser()
  expect(navigator).toEqual({ userAgent: '', maxTouchPoints: 0 })
  expect(localStorage.getItem('any')).toBeNull()
  expect(sessionStorage.getItem('any')).toBeNull()
})

test('the build may change what it stands in for', () => {
  standInForBrowser()
  location.hash = '#/fi/'
  expect(location.hash).toBe('#/fi/')
})
