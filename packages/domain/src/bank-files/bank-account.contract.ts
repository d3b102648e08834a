/** The accounts that money comes to: how the bank's files of each come, and up to when it is told of (docs/setup.md). */
import { z } from 'zod'
import { adminCall, amount, day } from '../contract.ts'
import { creditorOfRow } from '../creditors/creditor-of-row.contract.ts'
import { ACCOUNT_FILES } from './told-days.ts'

const span = z.strictObject({ first: day, last: day })

const bankAccount = z.strictObject({
  id: z.uuid(),
  scheme: z.string(),
  /** Letters and digits only. */
  number: z.string(),
  currency: z.string().nullable(),
  receiverName: z.string(),
  /** Null: the provider's own, for all of its creditors. */
  creditor: creditorOfRow.nullable(),
  /** Who has a creditor's account at the bank; null: nobody has said it yet, and of the provider's own. */
  holder: z.enum(['INSTANCE', 'CREDITOR']).nullable(),
  /** Null: nobody has said it yet. */
  files: z.enum(ACCOUNT_FILES).nullable(),
  /** From this day on its bank days have to be told of. */
  since: day.nullable(),
  /** All that came up to and with this day is here. */
  toldTo: day.nullable(),
  /** Bank days that the daily run waits for, and those that it goes on without. */
  awaited: z.array(span),
  missing: z.array(span),
})
export type BankAccount = z.output<typeof bankAccount>

export const getBankAccounts = adminCall({
  name: 'bankAccounts',
  right: 'see',
  path: '/bank-accounts',
  response: z.strictObject({ accounts: z.array(bankAccount) }),
})

const acting = { right: 'bank_files', method: 'POST', response: bankAccount } as const

/** From today on, or from when files were asked for first. The same again changes nothing. */
export const chooseAccountFiles = adminCall({
  ...acting,
  name: 'chooseAccountFiles',
  path: '/bank-accounts/:id/files',
  body: z.strictObject({ files: z.enum(ACCOUNT_FILES) }),
  refusals: ['invalid_request'],
})

/** All money of the account up to and with `to` is here: a file that is missing is none. `invalid_request` where no files are asked for. */
export const confirmAccountTold = adminCall({
  ...acting,
  name: 'confirmAccountTold',
  path: '/bank-accounts/:id/told',
  body: z.strictObject({ to: day }),
  refusals: ['invalid_request', 'day_out_of_reach'],
})

const holder = z.strictObject({ holder: z.enum(['INSTANCE', 'CREDITOR']) })

/**
 * Who has a creditor's account at the bank. Said for the first time, it is true of all that came to it; later, of what comes from then
 * on. The same again changes nothing. `invalid_request` for the provider's own account; `holder_above_limit` where it would book more
 * anew than one person may do alone (M-30): nothing undoes it.
 */
export const tellAccountHolder = adminCall({
  ...acting,
  name: 'tellAccountHolder',
  path: '/bank-accounts/:id/holder',
  body: holder,
  refusals: ['invalid_request', 'holder_above_limit'],
})

/** What telling it would book anew as paid to the creditor. Nothing changes. */
export const previewAccountHolder = adminCall({
  right: 'bank_files',
  method: 'POST',
  name: 'previewAccountHolder',
  path: '/bank-accounts/:id/holder/preview',
  body: holder,
  response: z.strictObject({
    payments: z.number().int(),
    sums: z.array(z.strictObject({ amount, currency: z.string() })),
    /** More than one person does alone. */
    isAbove: z.boolean(),
  }),
  refusals: ['invalid_request'],
})
