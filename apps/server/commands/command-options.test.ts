import { expect, test } from 'vitest'
import { readId, readOptions } from './command-options.ts'

const USAGE = 'Usage: this'
const OPTIONS = { line: { type: 'string' }, back: { type: 'boolean' } } as const
const read = (args: string[], takesFiles = false) =>
  readOptions(args, { options: OPTIONS, usage: USAGE, takesFiles })

test('values behind a blank or an equals sign, flags, and files', () => {
  expect(read([])).toEqual({ values: {}, files: [] })
  expect(read(['--line', '1', '--back'])).toEqual({ values: { line: '1', back: true }, files: [] })
  expect(read(['a', '--line=--x=y', 'b', '--', '--back'], true)).toEqual({
    values: { line: '--x=y' },
    files: ['a', 'b', '--back'],
  })
  expect(read(['--line', '-5']).values).toEqual({ line: '-5' })
})

test.each([
  [['--all'], '--all is not an option.'],
  [['--constructor'], '--constructor is not an option.'],
  [['-l'], '-l is not an option.'],
  [['somewhere'], 'somewhere is not an option.'],
  [['--line'], '--line needs a value.'],
  [['--line='], '--line needs a value.'],
  [['--line', '--back'], '--line needs a value.'],
  [['--back=yes'], '--back takes no value.'],
  [['--line', '1', '--line', '2'], '--line is there twice.'],
])('%j: %s', (args, sentence) => {
  expect(() => read(args)).toThrow(`${sentence} ${USAGE}`)
})

test('an id, in any case, and nothing else', () => {
  const id = '0198e1c0-5a1b-7c3d-8e4f-0123456789ab'
  expect(readId(` ${id.toUpperCase()}`, 'payment', USAGE)).toBe(id)
  for (const text of ['', 'nonsense', id.slice(1), `${id}0`])
    expect(() => readId(text, 'payment', USAGE)).toThrow(`"${text}" is no id of a payment`)
})
