/** What stands before a drawing or document takes as long as it is long, whatever it is made of. */
import { expect, test } from 'vitest'
import { recogniseFile } from '../../imports/office/recognise-file.ts'
import { readPictureType } from '../../instances/picture-type.ts'
import { afterProlog } from './xml-prolog.ts'

const within = (most: number, work: () => unknown): unknown => {
  const began = performance.now()
  const outcome = work()
  expect(performance.now() - began).toBeLessThan(most)
  return outcome
}
const COMMENTS = '<!---->'.repeat(585)

test('four thousand bytes of comments are looked at in no time', () => {
  expect(within(100, () => readPictureType(Buffer.from(`${COMMENTS}x`)))).toBeUndefined()
  expect(within(100, () => readPictureType(Buffer.from(`${COMMENTS}<svg>`)))).toMatchObject({
    ending: 'svg',
  })
  // The same before a document that is imported.
  const head = Buffer.from(`<?xml version="1.0"?>${'<!-- -->'.repeat(500)}<x>`)
  expect(within(100, () => recogniseFile(head))).toBe('XML')
  const page = Buffer.from(`<?xml version="1.0"?>${'<!-- -->'.repeat(500)}<html>`)
  expect(() => recogniseFile(page)).toThrow('import_unreadable')
})

test.each([
  ['<a/>', '<a/>'],
  ['\uFEFF <?xml version="1.0"?>\n<!-- <b/> -->\n<a/>', '<a/>'],
  ['<!-- a --> <!-- b --><a/><!-- c -->', '<a/><!-- c -->'],
  ['<!--> <a/>', ''],
  ['<?xml <a/>', ''],
  ['text <a/>', 'text <a/>'],
])('of %j what begins the document is %j', (text, expected) => {
  expect(afterProlog(text)).toBe(expected)
})
