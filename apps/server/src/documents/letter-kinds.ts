/** Every kind of letter, and what draws it from its facts. */
import { drawDemand } from './demand.ts'
import { drawFunds } from './papers/funds-paper.ts'
import { drawInvoiceCopy, drawReminder } from './letters.ts'
import { drawCreditInformation, drawPlanTerms } from './plan-letters.ts'
import { drawPayments, drawReceipt } from './receipt.ts'
import { drawSettlement } from './papers/settlement-statement.ts'
import { drawVatInvoice } from './papers/vat-invoice-paper.ts'

export const LETTERS = {
  copy: drawInvoiceCopy,
  receipt: drawReceipt,
  payments: drawPayments,
  reminder: drawReminder,
  demand: drawDemand,
  terms: drawPlanTerms,
  secci: drawCreditInformation,
  settlement: drawSettlement,
  vatInvoice: drawVatInvoice,
  funds: drawFunds,
} as const

export type LetterKind = keyof typeof LETTERS
export type FactsOf<Kind extends LetterKind> = Parameters<(typeof LETTERS)[Kind]>

/** A letter as its thread is told of it. */
export type WantedLetter = { readonly kind: LetterKind; readonly facts: readonly unknown[] }
