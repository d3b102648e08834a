import { expect, test } from 'vitest'

const parts = import.meta.glob('../../../packages/ui/src/{components,form,shell}/*.tsx')
const sources = import.meta.glob<string>('./*.tsx', { eager: true, query: '?raw', import: 'default' })

test('every part of the ui package is in the lab', () => {
  const text = Object.values(sources).join('\n')
  const names = Object.keys(parts).map((file) => file.replace(/^.*\/src\//, '@kvitt/ui/'))
  expect(names.length).toBeGreaterThan(15)
  expect(names.filter((name) => !text.includes(`'${name}'`))).toEqual([])
})
