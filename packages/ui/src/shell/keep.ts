import { keepChosen } from './keep-chosen.ts'
import { keepFocus } from './keep-focus.ts'
import { keepPlace } from './keep-place.ts'

/** What a person keeps while the page changes under them. Not needed to show it, so it comes when that is done. */
export function keep(): void {
  keepChosen()
  keepFocus()
  keepPlace()
}
