/** The calls about settlements that are paid out, and the files that they leave in. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { Amount } from '@kvitt/domain/money.ts'
import * as contract from '@kvitt/domain/payouts/payout.contract.ts'
import type { Context } from '../context.ts'
import { AsFile, type Binding } from '../platform/http/call.ts'
import { JsonText, writeJson } from '../platform/http/json.ts'
import { openProposalOf, presentProposal } from '../proposals/proposals.ts'
import { bind, bindSharedRow } from '../sign-in/bind.ts'
import { formatAccepted } from '../staff/office-export.ts'
import { numberFor, rightsOf, type OperatorMember } from '../staff/staff.ts'
import {
  isSettlementRow,
  readContent,
  readFileJson,
  readPayoutsOfFile,
  searchFileRows,
  type PayoutOfFile,
} from './payout-files.queries.ts'
import {
  isOpenRow,
  notExecutedAbout,
  previewNotExecutedRows,
  proposeNotExecutedRows,
} from './not-executed.ts'
import { proposeFile, proposeSettlementOf } from './propose-payouts.ts'
import { receiveAnswer } from './receive-answer.ts'

type FileJson = { readonly id: string; readonly messageId: string; readonly [name: string]: unknown }

/** Refuses `not_found`: another provider's file does not exist. */
async function findFile(
  { db }: Pick<Context, 'db'>,
  principal: OperatorMember,
  id: string,
): Promise<FileJson> {
  const json = await readFileJson(db, principal, { id })
  if (json === undefined) throw new Refusal('not_found')
  return JSON.parse(json)
}

function presentPayout(row: PayoutOfFile, principal: OperatorMember) {
  const { settlementId, settlementNumber, creditorId, creditor, taskId, taskKind, amountMinor, ...payout } =
    row
  return {
    ...payout,
    number: taskId === null ? payout.number : numberFor(principal)(payout.number),
    settlement: settlementId === null ? null : { id: settlementId, number: settlementNumber ?? 0 },
    creditor: creditorId === null ? null : { id: creditorId, name: creditor ?? '' },
    refund: taskId === null ? null : { id: taskId, kind: taskKind ?? 'refund' },
    amount: new Amount(amountMinor),
    isOpen: isOpenRow(row),
  }
}

/** Refuses `not_found`: another provider's settlement does not exist. */
async function findSettlement(
  { db }: Pick<Context, 'db'>,
  { instance }: OperatorMember,
  id: string,
): Promise<string> {
  if (!(await isSettlementRow(db, instance.id, id))) throw new Refusal('not_found')
  return id
}

export const PAYOUT_BINDINGS: readonly Binding[] = [
  bindSharedRow(contract.proposeSettlement, findSettlement, async ({ context, principal, row }) =>
    presentProposal(context, principal, await proposeSettlementOf(context, principal, row)),
  ),
  bind(contract.proposePayouts, async ({ context, principal, body }) =>
    presentProposal(context, principal, await proposeFile(context, principal, body)),
  ),
  bind(contract.searchPayouts, ({ context, principal, query, body }) =>
    searchFileRows(context, principal, query, body),
  ),
  bindSharedRow(contract.getPayout, findFile, async ({ context, principal, row, request }) => {
    const { id: instanceId } = principal.instance
    if (formatAccepted(request.headers.accept, { xml: contract.PAIN_001 }) !== undefined) {
      // What goes back names private persons with their whole accounts.
      if (row['kind'] === 'REFUND' && !rightsOf(principal).includes('payouts'))
        throw new Refusal('not_allowed')
      return new AsFile({
        bytes: Buffer.from(await readContent(context.db, instanceId, row.id)),
        mimeType: contract.PAIN_001,
        name: `${row.messageId}.xml`,
        isPublic: false,
      })
    }
    const payouts = await readPayoutsOfFile(context.db, instanceId, row.id)
    const proposal = await openProposalOf(context.db, instanceId, notExecutedAbout(row.id))
    return new JsonText(
      `${JSON.stringify(row).slice(0, -1)},"proposal":${writeJson(proposal)},"payouts":${writeJson(payouts.map((payout) => presentPayout(payout, principal)))}}`,
    )
  }),
  bindSharedRow(contract.proposeNotExecuted, findFile, async ({ context, principal, row, body }) => {
    const wish = { fileId: row.id, payouts: body?.payouts }
    return presentProposal(context, principal, await proposeNotExecutedRows(context, principal, wish))
  }),
  bindSharedRow(contract.previewNotExecuted, findFile, ({ context, principal, row, body }) =>
    previewNotExecutedRows(context, principal, { fileId: row.id, payouts: body?.payouts }),
  ),
  bind(contract.putPayoutAnswer, async ({ context, principal, receive }) => {
    const { file } = await receive()
    return receiveAnswer(context, principal, file)
  }),
]
