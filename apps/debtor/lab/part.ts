/** What the lab shows of the debtor portal and the public sites: their parts, each in its states. */
import type { ReactNode } from 'react'

/** Answers by a piece of the address that they are asked for under; what has none is on its way for ever. */
export type Calls = Readonly<Record<string, unknown>>

/** As what the browser gives itself out. */
export type Guise = { readonly onLine?: false; readonly userAgent?: string }

export type State = {
  readonly show: () => ReactNode
  readonly calls?: Calls
  readonly guise?: Guise
}

export type Part = {
  readonly name: string
  /** In the column of facts or of the payment, around what a page is about, or as a whole page; else as wide as a page. */
  readonly place?: 'facts' | 'payment' | 'around' | 'whole'
  /** Its states may stand on one page; without this each has a page of its own, because of ids, groups of radios or dialogs. */
  readonly isTogether?: true
  readonly states: Readonly<Record<string, State | (() => ReactNode)>>
}

/** The server answers that it has failed, whatever it is asked. */
export const FAILED: Calls = {
  '/api/': Response.json({ code: 'internal', message: 'Something went wrong.' }, { status: 500 }),
}
