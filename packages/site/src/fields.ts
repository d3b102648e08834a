/** A field with its label and the place of its fault: in the built page, in the server's answer, in the browser. */
import { type Child, el } from './element.ts'

/** The id of the place where the fault of a field stands. */
export function faultPlace(name: string): string {
  return `${name}-fault`
}

/** How a field is told from others that something is wrong with it: its fault is read with it, and the first one gets the focus. */
export function faultMarks(place: string, isFirst = true): Readonly<Record<string, string | true>> {
  return { 'aria-invalid': 'true', 'aria-describedby': place, ...(isFirst && { autofocus: true }) }
}

/** What is wrong, in words, and whether nothing before it is. */
type Fault = { readonly text?: string | undefined; readonly isFirst?: boolean }

/** A label, its field, and what is wrong with what was typed. The place is there from the start: what comes into it is spoken. */
export function field(
  name: string,
  label: string,
  attributes: Record<string, string>,
  { text: fault = '', isFirst = true }: Fault = {},
): Child {
  const place = faultPlace(name)
  return el(
    'div.field',
    {},
    el('label', { for: name }, label),
    el('p.fault', { id: place, 'aria-live': 'polite' }, fault),
    el('input', {
      id: name,
      name,
      type: 'text',
      autocomplete: 'off',
      ...attributes,
      ...(fault === '' ? {} : faultMarks(place, isFirst)),
    }),
  )
}
