import { expect, test } from 'vitest'
import { readUndoSeconds } from './act.ts'

test.each<[string | undefined, number | undefined]>([
  [undefined, 0],
  ['0', 0],
  ['1', 1],
  [' 10 ', 10],
  ['11', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['1e1', undefined],
  ['0x5', undefined],
  ['', undefined],
  ['ten', undefined],
  ['10, 10', undefined],
])('Undo-Seconds %j is %s', (header, seconds) => {
  expect(readUndoSeconds(header)).toBe(seconds)
})
