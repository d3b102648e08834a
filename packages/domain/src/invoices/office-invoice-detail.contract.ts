/** What stands behind one of a creditor's invoices: its rows, its story, why it is what it is, and what can be done with it. */
import { z } from 'zod'
import { amount, officeCall, day } from '../contract.ts'
import { sentMessage } from '../messages/office-message.contract.ts'
import { INVOICE_ACTS } from './acts.ts'
import { documentAnswer, eventAnswer, interestPeriodAnswer } from './invoice.contract.ts'

const officeInvoiceRow = z.strictObject({
  line: z.string(),
  description: z.string(),
  quantity: z.string().nullable(),
  unit: z.string().nullable(),
  /** Without value added tax; null where the creditor's file did not say it. */
  unitPrice: z.string().nullable(),
  vatPercent: z.string().nullable(),
  vatReason: z.string().nullable(),
  /** As the creditor's document has it: without tax where it says the tax apart. */
  amount,
})

export const listOfficeInvoiceRows = officeCall({
  name: 'officeInvoiceRows',
  right: 'see',
  path: '/invoices/:id/rows',
  response: z.array(officeInvoiceRow),
})

/** What has happened, the oldest first, and the step that is planned. */
export const getOfficeInvoiceEvents = officeCall({
  name: 'officeInvoiceEvents',
  right: 'see',
  path: '/invoices/:id/events',
  response: z.strictObject({
    events: z.array(eventAnswer),
    planned: z.array(z.strictObject({ type: z.string(), plannedDate: day, status: z.string() })),
  }),
})

/** Everything that moved the balance: the lines add up to it, part by part. */
export const explainOfficeInvoice = officeCall({
  name: 'officeInvoiceExplanation',
  right: 'see',
  path: '/invoices/:id/explanation',
  response: z.strictObject({
    balances: z.strictObject({ total: amount, principal: amount, costs: amount, interest: amount }),
    lines: z.array(
      z.strictObject({
        /** When it was booked, and from when it counts. */
        date: day,
        valueDate: day,
        type: z.string(),
        /** WAIVED: a person has let the debtor off. */
        subType: z.string().nullable(),
        /** The step that a fee or interest has as its ground. */
        step: z.string().nullable(),
        principal: amount,
        costs: amount,
        interest: amount,
        /** What interest was counted on: rate × days. */
        periods: z.array(interestPeriodAnswer),
      }),
    ),
  }),
})

const offeredAct = z.strictObject({
  act: z.enum(INVOICE_ACTS),
  isOpen: z.boolean(),
  /** Why it is not open to this person now: a code, and a sentence in their language. */
  reason: z.string().nullable(),
  message: z.string().nullable(),
  /** What it does, in the reader's language. */
  consequence: z.string(),
  /** What the creditor gives up, and what the debtor owes more (or less), when all of it is done now. */
  cost: z.strictObject({ creditor: amount, debtor: amount }),
})

export const listOfficeInvoiceActs = officeCall({
  name: 'officeInvoiceActs',
  right: 'see',
  path: '/invoices/:id/acts',
  response: z.array(offeredAct),
})

const comingStep = z.strictObject({
  type: z.string(),
  /** 1 for the first of its type. */
  number: z.int(),
  date: day,
  /** What it adds to what is owed; null where it is not known yet. */
  fee: amount.nullable(),
  /** The last day to pay that it gives. */
  lastPayDate: day.nullable(),
})

/**
 * The steps to come if nothing is paid, until the schedule ends; and the same if it is handed to collection today, where that can
 * be done. Interest goes on besides.
 */
export const getOfficeInvoiceOutlook = officeCall({
  name: 'officeInvoiceOutlook',
  right: 'see',
  path: '/invoices/:id/outlook',
  response: z.strictObject({
    steps: z.array(comingStep),
    toCollection: z.array(comingStep).nullable(),
  }),
})

/** What the debtor was sent, each with a name below `storage/` that opens it for a short time. None before it was sent. */
export const listOfficeInvoiceDocuments = officeCall({
  name: 'officeInvoiceDocuments',
  right: 'see',
  path: '/invoices/:id/documents',
  response: z.array(documentAnswer),
})

export const listOfficeInvoiceMessages = officeCall({
  name: 'officeInvoiceMessages',
  right: 'see',
  path: '/invoices/:id/messages',
  response: z.array(sentMessage),
})
