import { expect, test } from 'vitest'
import { LANGUAGES } from '@kvitt/ui/language/languages.ts'
import { doorForm, faultsOfDoor, pairOfDoor } from './door-form.ts'
import { htmlOf } from './element.ts'
import { checkForm } from './message-check.ts'
import { EXAMPLE_DEBT, waitingForm, waitingResult } from './waiting-steps.ts'
import { wordsOf } from './words.ts'

/** The field of this name, as it is written. */
const fieldIn = (html: string, name: string): string =>
  new RegExp(`<(?:input|textarea) id="${name}"[^>]*>`).exec(html)?.[0] ?? ''

const MARKED = /aria-invalid="true" aria-describedby="([\w-]+)" autofocus/

/** What stands in the place that describes a field. */
function faultOf(html: string, name: string): string | undefined {
  const [, place] = MARKED.exec(fieldIn(html, name)) ?? []
  return new RegExp(`id="${place}"[^>]*>(?:<[^>]*>)*([^<]*)<`).exec(html)?.[1]
}

test.each(LANGUAGES)('a field that is wrong is described by its fault, which names it: %s', (language) => {
  const t = wordsOf(language)
  const wrong = htmlOf(waitingForm({ ...EXAMPLE_DEBT, amount: 'x' }, t))
  expect(faultOf(wrong, 'amount')).toBe(t('waiting.wrong_amount'))
  expect(fieldIn(wrong, 'due')).not.toMatch(MARKED)
  expect(faultOf(htmlOf(waitingForm({ ...EXAMPLE_DEBT, due: '' }, t)), 'due')).toBe(t('waiting.wrong_due'))
  for (const answer of ['empty', 'long'] as const)
    expect(faultOf(htmlOf(checkForm(t, '', { answer, text: '' })), 'message')).toBe(t(`check.${answer}`))
  const door = htmlOf(doorForm(t, { faults: { zip: 'door.zip_missing' } }))
  expect(faultOf(door, 'zip')).toBe(t('door.zip_missing'))
  expect(t('door.zip_missing').toLowerCase()).toContain(t('door.zip').toLowerCase().slice(0, 7))
  expect(t('door.reference_missing').toLowerCase()).toContain(t('door.reference').toLowerCase())
})

test('nothing is wrong with a form that nobody has sent, and a "no" is no fault of the field', () => {
  const t = wordsOf('sv')
  for (const form of [
    waitingForm(EXAMPLE_DEBT, t),
    checkForm(t),
    checkForm(t, '1', { answer: 'no', text: '1' }),
    doorForm(t),
  ])
    expect(htmlOf(form)).not.toMatch(/aria-invalid|autofocus/)
  expect(fieldIn(htmlOf(checkForm(t, '1', { answer: 'no', text: '1' })), 'message')).toContain(
    'aria-describedby="answer"',
  )
})

test('a fault is spoken once: it is no alert, and the result beside it says nothing', () => {
  const t = wordsOf('sv')
  const typed = { ...EXAMPLE_DEBT, amount: '' }
  expect(htmlOf(waitingForm(typed, t))).not.toContain('role="alert"')
  expect(htmlOf(waitingResult(typed, 'sv', t))).toBe('')
})

test.each([
  [{ paymentReference: '2601 0131 4920', zip: 'se-411 05' }, {}],
  // As the check reads a reference: with hyphens, and in the frame of an RF reference.
  [{ paymentReference: '2601-0131\u20134920', zip: '411 05' }, {}],
  [{ paymentReference: 'rf18 5390 0754 7034', zip: '00100' }, {}],
  [
    { paymentReference: '1'.repeat(26), zip: '1'.repeat(21) },
    { paymentReference: 'door.reference_long', zip: 'door.zip_long' },
  ],
  [{ paymentReference: 'RF19 5390 0754 7034', zip: '00100' }, { paymentReference: 'door.reference_rf' }],
  [
    { paymentReference: ' ', zip: '' },
    { paymentReference: 'door.reference_missing', zip: 'door.zip_missing' },
  ],
  [
    { paymentReference: '26O1', zip: '411 05!' },
    { paymentReference: 'door.reference_digits', zip: 'door.zip_characters' },
  ],
])('the door reads %j', (typed, faults) => {
  expect(faultsOfDoor(typed)).toEqual(faults)
})

test('what is right leads on in the form in which the books have it', () => {
  expect(pairOfDoor({ paymentReference: ' RF18 5390 0754 7034', zip: 'se-411 05' })).toBe(
    'paymentReference=539007547034&zip=SE41105',
  )
})

test('the door that is sent anew shows what was typed, as text', () => {
  const typed = { paymentReference: '"><b>', zip: '411 05' }
  const html = htmlOf(doorForm(wordsOf('en'), { typed, faults: faultsOfDoor(typed) }))
  expect(fieldIn(html, 'zip')).toContain('value="411 05"')
  expect(html).toContain('value="&quot;&gt;&lt;b&gt;"')
  // A browser without a script would say in its own words what is missing.
  expect(html).not.toMatch(/ required/)
})

test('of several fields that are wrong the page begins at the first, and each is told', () => {
  const t = wordsOf('en')
  const faults = { paymentReference: 'door.reference_missing', zip: 'door.zip_missing' } as const
  const door = htmlOf(doorForm(t, { faults }))
  expect(door.match(/aria-invalid="true"/g)).toHaveLength(2)
  expect(door.match(/autofocus/g)).toHaveLength(1)
  expect(fieldIn(door, 'paymentReference')).toContain('autofocus')
  expect(fieldIn(htmlOf(doorForm(t, { faults: { zip: faults.zip } })), 'zip')).toContain('autofocus')
})
