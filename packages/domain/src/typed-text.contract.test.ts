import { expect, test } from 'vitest'
import { invoiceDraft } from './invoices/draft.contract.ts'
import { typedLine, typedLines } from './typed-text.contract.ts'

test('what turns the direction, or cannot be seen, is kept in no name', () => {
  expect(typedLine(40).parse(' Anna\u202e Nord\u2028\u200b ')).toBe('Anna Nord')
  expect(typedLine(40).safeParse('\u202e\u200b').success).toBe(false)
  expect(typedLine(4).safeParse('12345').success).toBe(false)
  // Two letters each, once they are normalised.
  expect(typedLine(4).safeParse('\u0958'.repeat(4)).success).toBe(false)
  expect(typedLines(4).safeParse('\u0958'.repeat(4)).success).toBe(false)
})

test.each(['a\0b', 'a\ud800b'])('%j is refused, and not mended', (text) => {
  expect(typedLine(9).safeParse(text).success).toBe(false)
  expect(typedLines(9).safeParse(text).success).toBe(false)
})

test('a reason keeps its lines', () => {
  expect(typedLines(40).parse('paid\u2028 twice\u202e')).toBe('paid\n twice')
  expect(typedLines(40).parse('\u202e')).toBe('')
})

test('a draft’s names are such, and a break in one is a mistake', () => {
  const name = (sent: string) => invoiceDraft.shape.debtor.shape.name.safeParse(sent)
  expect(name('Anna\u202e Nord').data).toBe('Anna Nord')
  expect(name('Anna\nNord').success).toBe(false)
  expect(name('\u202e').success).toBe(false)
})
