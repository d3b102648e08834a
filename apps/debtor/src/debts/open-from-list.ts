/** From a list to one of its rows. */
import { goTo } from '@kvitt/ui/routes.ts'
import type { MouseEvent } from 'react'
import type { FromState } from '../views.ts'

/** Follows a link of the list by telling the page where one came from; a new tab is left to the browser. */
export function openFromList(event: MouseEvent, hash: string): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  event.preventDefault()
  goTo(hash, { state: { from: 'dashboard' } satisfies FromState })
}

/** A press anywhere on a row, unless it was on a link of it or marked some text. */
export function openFromRow(event: MouseEvent, hash: string): void {
  const isLink = event.target instanceof Element && event.target.closest('a') !== null
  if (isLink || getSelection()?.type === 'Range') return
  openFromList(event, hash)
}
