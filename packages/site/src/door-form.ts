/** The debtor's door: a reference and a zip code lead to an invoice. */
import { LONGEST_REFERENCE, normaliseZip, readReference } from '@kvitt/domain/references.ts'
import { type Child, el } from './element.ts'
import { field } from './fields.ts'
import type { WordKey, Words } from './words.ts'

/** Longer is no postal code of any country, and none that the portal takes. */
const LONGEST_ZIP = 20

/** What is wrong with a field of the door; left out where nothing is. */
export type DoorFaults = Readonly<Partial<Record<'paymentReference' | 'zip', WordKey>>>

/** What was typed, read as the portal and the check read it. Says nothing about whether there is such an invoice. */
export function faultsOfDoor(typed: { readonly paymentReference: string; readonly zip: string }): DoorFaults {
  const [reference, zip] = [readReference(typed.paymentReference), normaliseZip(typed.zip)]
  return {
    ...(reference === ''
      ? { paymentReference: 'door.reference_missing' }
      : !/^\d+$/.test(reference)
        ? { paymentReference: /^RF\d/i.test(reference) ? 'door.reference_rf' : 'door.reference_digits' }
        : reference.length > LONGEST_REFERENCE && { paymentReference: 'door.reference_long' }),
    ...(zip === ''
      ? { zip: 'door.zip_missing' }
      : !/^[\p{L}\p{N}]+$/u.test(zip)
        ? { zip: 'door.zip_characters' }
        : zip.length > LONGEST_ZIP && { zip: 'door.zip_long' }),
  }
}

/** The pair as the debtor portal takes it from an address. */
export function pairOfDoor(typed: { readonly paymentReference: string; readonly zip: string }): string {
  return String(
    new URLSearchParams({
      paymentReference: readReference(typed.paymentReference),
      zip: normaliseZip(typed.zip),
    }),
  )
}

type ShownDoor = { readonly typed?: Readonly<Record<string, string>>; readonly faults?: DoorFaults }

/** The form, a plain one: what is wrong with it is said by the page that it asks for. */
export function doorForm(t: Words, { typed = {}, faults = {} }: ShownDoor = {}): Child {
  const of = (name: keyof DoorFaults, label: WordKey, attributes: Record<string, string>): Child => {
    const fault = faults[name]
    const value = typed[name]
    const shown = { ...attributes, 'aria-required': 'true', ...(value && { value }) }
    // The page begins at the first field that is wrong.
    const isFirst = name === 'paymentReference' || faults.paymentReference === undefined
    return field(name, t(label), shown, { text: fault && t(fault), isFirst })
  }
  return el(
    'form',
    // Without a part of the page in the address: with one, no browser goes to the field that is wrong.
    { method: 'get', action: '?', id: 'door' },
    of('paymentReference', 'door.reference', { inputmode: 'numeric' }),
    of('zip', 'door.zip', { autocomplete: 'postal-code' }),
    el('button.button', { type: 'submit' }, t('door.open')),
  )
}
