/** What is wrong with a form, shown at its fields. */
import { faultPlace } from '../fields.ts'

/**
 * Says in `place`, a live region, what is wrong with a field. It is spoken once: by the region where the focus is in the field already,
 * else by the field, which is read with it when the focus moves there.
 */
export function tellFault(
  input: HTMLElement,
  place: HTMLElement,
  { nodes, isFocused }: { readonly nodes: readonly (Node | string)[]; readonly isFocused: boolean },
): void {
  place.setAttribute('aria-live', isFocused && document.activeElement !== input ? 'off' : 'polite')
  place.replaceChildren(...nodes)
  input.setAttribute('aria-invalid', 'true')
  input.setAttribute('aria-describedby', place.id)
  if (isFocused) input.focus()
}

/** Nothing is wrong with the field any more. */
export function clearFault(input: HTMLElement, place: HTMLElement): void {
  if (!input.hasAttribute('aria-invalid')) return
  place.replaceChildren()
  place.setAttribute('aria-live', 'polite')
  input.removeAttribute('aria-invalid')
  input.removeAttribute('aria-describedby')
}

/**
 * Shows at the fields of a form what is wrong with them, in words, and at the others nothing. `isSent` when the button was pressed: then
 * the first of them gets the focus.
 */
export function showFaults(
  form: HTMLFormElement,
  faults: Readonly<Record<string, string>>,
  isSent: boolean,
): void {
  let isFirst = isSent
  for (const input of form.querySelectorAll('input')) {
    const place = document.getElementById(faultPlace(input.name))
    if (!place) continue
    const fault = faults[input.name]
    if (fault === undefined) clearFault(input, place)
    // What stands there already is not said again for a letter that was typed elsewhere.
    else if (isSent || place.textContent !== fault)
      tellFault(input, place, { nodes: [fault], isFocused: isFirst })
    if (fault !== undefined) isFirst = false
  }
}
