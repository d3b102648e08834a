/**
 * One act for many rows: those that are named, or all that a search finds. How many they are and what they come to is
 * said along, so that nobody acts on what they have not seen.
 */
import { z } from 'zod'
import * as claim from '../claims/claim-acts.contract.ts'
import { amount, amountIn, clientCall, instant } from '../contract.ts'
import * as invoice from '../invoices/invoice-acts.contract.ts'
import type { StaffRight } from '../staff/roles.ts'
import * as task from '../tasks/office-task.contract.ts'
import { MOST_ROWS } from './act.ts'
import { typedLines } from '../typed-text.contract.ts'

/** Which rows: `ids` or `search`, as the list's own call has it. */
const rows = {
  ids: z.array(z.uuid()).min(1).max(MOST_ROWS).nullish(),
  search: z.record(z.string(), z.unknown()).nullish(),
}
/** The sum is of what the list shows of each row; amounts of several currencies are added as they stand. */
const expected = { expectedCount: z.number().int().min(0).nullish(), expectedSum: amountIn.nullish() }

const bulk = z.strictObject({
  id: z.uuid(),
  /** How many rows it has been done with, and how many are left to be done. */
  done: z.number().int(),
  left: z.number().int(),
  refused: z.array(z.strictObject({ id: z.uuid(), code: z.string() })),
  /** What the codes of `refused` mean, in the language of whoever asks. */
  reasons: z.array(z.strictObject({ code: z.string(), message: z.string() })),
  /** What the rows came to with which it has been done, as it was when it was asked for. */
  currencies: z.array(z.strictObject({ currency: z.string(), sum: amount })),
  /** When it is begun, where it was asked for with `Undo-Seconds`. */
  dueAt: instant.nullable(),
  /** It was taken back before it was begun: nothing of it is done. */
  isTakenBack: z.boolean(),
})

function manyCall<const Path extends string, B extends z.ZodRawShape>(
  path: Path,
  right: StaffRight,
  {
    name,
    body,
    takesUndo = false,
  }: { readonly name: string; readonly body: B; readonly takesUndo?: boolean },
) {
  return clientCall({
    name,
    right,
    method: 'POST',
    path,
    status: 202,
    takesKey: true,
    takesUndo,
    body: z.strictObject({ ...rows, ...expected, ...body }),
    response: bulk,
    refusals: [
      'selection_changed',
      'amount_malformed',
      'invalid_filter',
      'list_too_long',
      'why_required',
      'day_out_of_reach',
      'idempotency_key_reused',
    ],
  })
}

/** What each act takes besides the rows; an amount would be the same for each of them, and is left out. */
const reason = { reason: typedLines(500) }
const pause = invoice.pauseInvoice.body.shape
const resume = { reason: typedLines(500).nullish() }
const waive = { ...reason, costs: z.boolean().nullish(), interest: z.boolean().nullish() }

export const approveInvoices = manyCall('/invoices/acts/approve', 'approve', {
  name: 'approveOfficeInvoices',
  takesUndo: true,
  body: {},
})
export const pauseInvoices = manyCall('/invoices/acts/pause', 'pause', {
  name: 'pauseOfficeInvoices',
  takesUndo: true,
  body: pause,
})
export const resumeInvoices = manyCall('/invoices/acts/resume', 'pause', {
  name: 'resumeOfficeInvoices',
  body: resume,
})
/** All that is left of each. */
export const creditInvoices = manyCall('/invoices/acts/credit', 'credit', {
  name: 'creditOfficeInvoices',
  takesUndo: true,
  body: reason,
})
export const sendInvoicesToCollection = manyCall('/invoices/acts/to-collection', 'to_collection', {
  name: 'sendOfficeInvoicesToCollection',
  body: invoice.sendToCollection.body.shape,
})
export const waiveOnInvoices = manyCall('/invoices/acts/waive', 'waive', {
  name: 'waiveOnOfficeInvoices',
  body: waive,
})
export const stopInvoices = manyCall('/invoices/acts/stop', 'stop', {
  name: 'stopOfficeInvoices',
  body: invoice.stopInvoice.body.shape,
})
export const writeOffInvoices = manyCall('/invoices/acts/write-off', 'write_off', {
  name: 'writeOffOfficeInvoices',
  body: reason,
})

export const pauseClaims = manyCall('/collection-batches/acts/pause', 'pause', {
  name: 'pauseOfficeClaims',
  takesUndo: true,
  body: pause,
})
export const resumeClaims = manyCall('/collection-batches/acts/resume', 'pause', {
  name: 'resumeOfficeClaims',
  body: resume,
})
export const stopClaims = manyCall('/collection-batches/acts/stop', 'stop', {
  name: 'stopOfficeClaims',
  body: claim.stopClaim.body.shape,
})
export const writeOffClaims = manyCall('/collection-batches/acts/write-off', 'write_off', {
  name: 'writeOffOfficeClaims',
  body: reason,
})

export const assignTasks = manyCall('/tasks/acts/assign', 'answer', {
  name: 'assignOfficeTasks',
  body: task.assignOfficeTask.body.shape,
})
export const snoozeTasks = manyCall('/tasks/acts/snooze', 'answer', {
  name: 'snoozeOfficeTasks',
  body: task.snoozeOfficeTask.body.shape,
})

export const getBulk = clientCall({
  name: 'bulk',
  right: 'own_acts',
  path: '/bulk/:id',
  response: bulk,
})

/** Nothing of it is done. Asked again it answers the same. Refuses `act_done` once somebody has begun with it. */
export const takeBackBulk = clientCall({
  name: 'takeBackBulk',
  right: 'own_acts',
  method: 'DELETE',
  path: '/bulk/:id',
  response: bulk,
  refusals: ['act_done'],
})

/** How many rows these are, and what they come to: what is to be expected when something is done with all of them. */
const selected = z.strictObject({
  count: z.number().int(),
  sum: amount,
  currencies: z.array(z.strictObject({ currency: z.string(), sum: amount })),
})

function sumCall<const Path extends string>(path: Path, name: string) {
  return clientCall({
    name,
    right: 'see',
    method: 'POST',
    path,
    body: z.strictObject(rows),
    response: selected,
    refusals: ['invalid_filter', 'list_too_long'],
  })
}

export const sumInvoices = sumCall('/invoices/sum', 'sumOfficeInvoices')
export const sumClaims = sumCall('/collection-batches/sum', 'sumOfficeClaims')
