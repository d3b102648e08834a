import { i18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { beforeAll, expect, test } from 'vitest'
import ui from '@kvitt/ui/language/en.json'
import texts from '../language/en.json'
import { stateText } from './flag-state.ts'

beforeAll(() => {
  const all = Object.entries({ ...ui, ...texts })
  i18n.load('en', Object.fromEntries(all.map(([id, text]) => [id, compileMessage(text)])))
  i18n.activate('en')
})

const OPEN = { kind: 'DECEASED', answer: null, filedWith: null, filedOn: null, endedOn: null } as const

test.each([
  [OPEN, 'Waits for an answer'],
  // Nothing rests: nobody has to answer it.
  [{ ...OPEN, kind: 'PROTECTED' }, 'Stands'],
  [
    { ...OPEN, answer: 'FILED', filedWith: 'ESTATE', filedOn: '2026-11-20' },
    'Filed: The estate, 20 November 2026',
  ],
  // A creditor is not told with whom.
  [{ ...OPEN, answer: 'FILED' }, 'Filed'],
  [{ ...OPEN, answer: 'GO_ON' }, 'Collection goes on'],
  [{ ...OPEN, answer: 'STOP', endedOn: '2026-11-21' }, 'Ended 21 November 2026'],
] as const)('%o is told as %s', (flag, told) => {
  expect(stateText(flag).replaceAll('\u00a0', ' ')).toBe(told)
})
