import { expect, test } from 'vitest'
import { nameOfKey } from './keys.ts'

const press = (key: string, held: object = {}) =>
  nameOfKey({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held })

test.each([
  [press('j'), 'j'],
  [press('J', { shiftKey: true }), 'Shift+j'],
  [press('J'), 'j'],
  [press('?', { shiftKey: true }), '?'],
  [press('/', { shiftKey: true }), '/'],
  [press('Escape'), 'Escape'],
  [press('Enter', { ctrlKey: true }), 'Ctrl+Enter'],
  [press('Enter', { metaKey: true }), 'Ctrl+Enter'],
  [press('z', { ctrlKey: true }), 'Ctrl+z'],
  [press('c', { ctrlKey: true }), undefined],
  [press('j', { altKey: true }), undefined],
])('%s', (name, expected) => {
  expect(name).toBe(expected)
})
