/** The debtor's door: a reference and a zip code lead to an invoice. */
import { normaliseReference, normaliseZip } from '@kvitt/domain/references.ts'
import type { Language } from '@kvitt/ui/language/languages.ts'
import { type Child, el } from './element.ts'
import { field } from './fields.ts'
import { mark } from './marks.ts'
import type { WordKey, Words } from './words.ts'

/** What is wrong with a field of the door; left out where nothing is. */
export type DoorFaults = Readonly<Partial<Record<'paymentReference' | 'zip', WordKey>>>

/** What was typed, looked at as the portal's own form does. Says nothing about whether there is such an invoice. */
export function faultsOfDoor(typed: { readonly paymentReference: string; readonly zip: string }): DoorFaults {
  const [reference, zip] = [normaliseReference(typed.paymentReference), normaliseZip(typed.zip)]
  return {
    ...(reference === ''
      ? { paymentReference: 'door.reference_missing' }
      : !/^\d+$/.test(reference) && { paymentReference: 'door.reference_digits' }),
    ...(zip === ''
      ? { zip: 'door.zip_missing' }
      : !/^[\p{L}\p{N}]+$/u.test(zip) && { zip: 'door.zip_characters' }),
  }
}

/** The form, a plain one. A browser without a script says itself what is missing. */
export function doorForm(language: Language, t: Words, faults: DoorFaults = {}): Child {
  const of = (name: keyof DoorFaults, label: WordKey, attributes: Record<string, string>): Child => {
    const fault = faults[name]
    return field(name, t(label), { ...attributes, required: '' }, fault && t(fault))
  }
  return el(
    'form',
    { method: 'get', action: `${mark('debtor')}/${language}/`, id: 'door' },
    of('paymentReference', 'door.reference', { inputmode: 'numeric' }),
    of('zip', 'door.zip', { autocomplete: 'postal-code' }),
    el('button.button', { type: 'submit' }, t('door.open')),
  )
}
