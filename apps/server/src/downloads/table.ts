/** A list as rows and columns, before it is known what kind of file it becomes. */
import type { Language } from '../platform/texts.ts'

/** A text, a calendar day, or an amount in minor units. */
export type Cell = string | { readonly minor: number } | null

export type Table = {
  readonly title: string
  readonly language: Language
  readonly instance: { readonly name: string }
  /** Amounts stand to the right. `share` is the part of a page's width in hundredths. */
  readonly columns: readonly { readonly label: string; readonly isAmount: boolean; readonly share: number }[]
  readonly rows: readonly (readonly Cell[])[]
}

export function isAmount(cell: Cell): cell is { readonly minor: number } {
  return cell !== null && typeof cell === 'object'
}
