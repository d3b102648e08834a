/** The calls about bank files and money in suspense, beside the use cases that answer them. */
import type { BankEntryKind } from '@kvitt/domain/bank-files/bank-entry.ts'
import * as account from '@kvitt/domain/bank-files/bank-account.contract.ts'
import * as batch from '@kvitt/domain/bank-files/payment-batch.contract.ts'
import * as twice from '@kvitt/domain/bank-files/paid-twice.contract.ts'
import * as suspense from '@kvitt/domain/bank-files/suspense.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Entered } from '@kvitt/domain/ledger/own-money.ts'
import * as payment from '@kvitt/domain/payments/payment-acts.contract.ts'
import type { Binding } from '../../platform/http/call.ts'
import { bind, bindSharedRow } from '../../sign-in/bind.ts'
import { askedBy } from '../../staff/staff.ts'
import {
  chooseFilesOf,
  confirmToldOf,
  findBankAccount,
  listBankAccounts,
  previewHolder,
  tellHolderOf,
} from './bank-accounts.ts'
import { enterFile, enterMoney, previewEntry } from './enter-suspense.ts'
import { findBatch, listBatchLines, presentWithLines, searchBatches } from './payment-batches.ts'
import { receiveBankFile } from './receive-bank-file.ts'
import { findPaid, move, preview, reverse } from './payment-acts.ts'
import { previewPaidTwice, proposePaidTwice } from '../late/paid-twice.ts'
import { previewTakeBack, takeMoneyBack } from '../late/take-back-act.ts'
import { findSuspense, presentCase } from './suspense-case.ts'
import { searchSuspenseRows } from './suspense-rows.queries.ts'
import { placeMoney, previewMoney, sendMoneyBack } from './work-suspense.ts'

/** Refuses an advance for nobody, and what comes back of nothing. */
function enteredAs({
  kind,
  creditor,
  payout,
}: {
  kind: BankEntryKind
  creditor?: string | null | undefined
  payout?: string | null | undefined
}): Entered {
  if (kind === 'PAID_BACK') {
    if (!payout) throw new Refusal('invalid_request', {}, ['payout'])
    return { kind, payoutId: payout }
  }
  if (kind !== 'ADVANCE') return { kind }
  if (!creditor) throw new Refusal('invalid_request', {}, ['creditor'])
  return { kind, creditorId: creditor }
}

export const BANK_DESK_BINDINGS: readonly Binding[] = [
  bind(batch.putPaymentBatch, async ({ context, principal, receive }) => {
    const { file } = await receive()
    return receiveBankFile(context, principal, file)
  }),
  bind(batch.searchPaymentBatches, ({ context, principal, query, body }) =>
    searchBatches(context, principal, query, body),
  ),
  bindSharedRow(batch.getPaymentBatch, findBatch, ({ context, principal, row }) =>
    presentWithLines(context, principal, row),
  ),
  bindSharedRow(batch.listPaymentBatchLines, findBatch, ({ context, principal, row, query }) =>
    listBatchLines(context, principal, { row, query }),
  ),
  bind(account.getBankAccounts, async ({ context, principal }) => ({
    accounts: await listBankAccounts(context, principal),
  })),
  bindSharedRow(account.chooseAccountFiles, findBankAccount, ({ context, principal, row, body }) =>
    chooseFilesOf({ context, principal, row }, body.files),
  ),
  bindSharedRow(account.confirmAccountTold, findBankAccount, ({ context, principal, row, body }) =>
    confirmToldOf({ context, principal, row }, body.to),
  ),
  bindSharedRow(account.tellAccountHolder, findBankAccount, ({ context, principal, row, body }) =>
    tellHolderOf({ context, principal, row }, body.holder),
  ),
  bindSharedRow(account.previewAccountHolder, findBankAccount, ({ context, principal, row, body }) =>
    previewHolder({ context, principal, row }, body.holder),
  ),
  bindSharedRow(payment.reversePayment, findPaid, ({ context, principal, row, body, request }) =>
    reverse({ context, principal, row, asked: askedBy(request, 'reverse', row.id, body) }, body.reason),
  ),
  bindSharedRow(payment.movePayment, findPaid, ({ context, principal, row, body, request }) =>
    move({ context, principal, row, asked: askedBy(request, 'move', row.id, body) }, body),
  ),
  bindSharedRow(payment.previewPaymentAct, findPaid, ({ context, principal, row, body }) =>
    preview({ context, principal, row }, body.to),
  ),
  bind(suspense.searchSuspense, ({ context, principal, query, body }) =>
    searchSuspenseRows(context, principal, query, body),
  ),
  bindSharedRow(suspense.getSuspense, findSuspense, ({ context, principal, row }) =>
    presentCase(context, principal, row),
  ),
  bindSharedRow(suspense.previewPlacement, findSuspense, ({ context, principal, row, body }) =>
    previewMoney({ context, principal, row }, body),
  ),
  bindSharedRow(suspense.placeSuspended, findSuspense, ({ context, principal, row, body, request }) =>
    placeMoney({ context, principal, row, asked: askedBy(request, 'place', row.id, body) }, body),
  ),
  bindSharedRow(suspense.sendSuspendedBack, findSuspense, ({ context, principal, row, body, request }) => {
    const asked = askedBy(request, 'send-back', row.id, body ?? null)
    return sendMoneyBack({ context, principal, row, asked }, body?.reason?.trim() || undefined)
  }),
  bindSharedRow(suspense.previewEntry, findSuspense, ({ context, principal, row, body }) =>
    previewEntry({ context, principal, row }, enteredAs(body)),
  ),
  bindSharedRow(suspense.enterBankCost, findSuspense, ({ context, principal, row, body, request }) =>
    enterMoney({ context, principal, row, asked: askedBy(request, 'bank-cost', row.id, body) }, body),
  ),
  bindSharedRow(suspense.enterAdvance, findSuspense, ({ context, principal, row, body, request }) =>
    enterMoney(
      { context, principal, row, asked: askedBy(request, 'advance', row.id, body) },
      { kind: 'ADVANCE', creditorId: body.creditor },
    ),
  ),
  bindSharedRow(suspense.enterFile, findSuspense, ({ context, principal, row, body, request }) =>
    enterFile({ context, principal, row, asked: askedBy(request, 'file', row.id, body) }, body.file),
  ),
  bindSharedRow(twice.proposePaidTwice, findSuspense, ({ context, principal, row, body, request }) =>
    proposePaidTwice(
      { context, principal, row, asked: askedBy(request, 'paid-twice', row.id, body) },
      body.file ?? null,
    ),
  ),
  bindSharedRow(twice.previewPaidTwice, findSuspense, ({ context, principal, row, body }) =>
    previewPaidTwice({ context, principal, row }, body.file ?? null),
  ),
  bindSharedRow(suspense.enterPaidBack, findSuspense, ({ context, principal, row, body, request }) =>
    enterMoney(
      { context, principal, row, asked: askedBy(request, 'paid-back', row.id, body) },
      { kind: 'PAID_BACK', payoutId: body.payout },
    ),
  ),
  bindSharedRow(suspense.takeBackSuspended, findSuspense, ({ context, principal, row, request }) =>
    takeMoneyBack({ context, principal, row, asked: askedBy(request, 'take-back', row.id) }),
  ),
  bindSharedRow(suspense.previewTakeBack, findSuspense, ({ context, principal, row }) =>
    previewTakeBack({ context, principal, row }),
  ),
  bindSharedRow(suspense.enterFeesDrawn, findSuspense, ({ context, principal, row, request }) =>
    enterMoney(
      { context, principal, row, asked: askedBy(request, 'fees-drawn', row.id) },
      { kind: 'FEES_DRAWN' },
    ),
  ),
]
