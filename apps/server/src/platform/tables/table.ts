/** A list as rows and columns, before it is known what kind of file it becomes. */
import type { Language } from '../texts.ts'

/** A text, a calendar day, or an amount in minor units. */
export type Cell = string | { readonly minor: number } | null

export type Row = readonly Cell[]

/** A table without its rows. */
export type TableHead = {
  readonly title: string
  readonly language: Language
  readonly instance: { readonly name: string }
  /** Amounts stand to the right. `share` is the part of a page's width in hundredths. */
  readonly columns: readonly { readonly label: string; readonly isAmount: boolean; readonly share: number }[]
}

/** Rows as they are read, some at a time. */
export type Rows = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>

/** What the thread is told first of a table; its rows follow. */
export type WantedTable = { readonly format: 'pdf' | 'xlsx'; readonly head: TableHead }

export function isAmount(cell: Cell): cell is { readonly minor: number } {
  return cell !== null && typeof cell === 'object'
}
