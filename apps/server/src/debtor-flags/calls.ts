/** The calls about what is known of a debtor, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/people/debtor-flag.contract.ts'
import * as representative from '@kvitt/domain/people/representative.contract.ts'
import { findOfficeDebtor } from '../creditor-desk/creditor-desk.ts'
import type { Binding } from '../platform/http/call.ts'
import { Replayed } from '../platform/http/replayed.ts'
import { bindSharedRow } from '../sign-in/bind.ts'
import { askedBy } from '../staff/staff.ts'
import {
  endRepresentative,
  enterRepresentative,
  findRepresentative,
} from '../representatives/representatives.ts'
import { tellProtected } from './protected.ts'
import { answerFlag, endFlag, findFlag, presentFlag, setFlag } from './debtor-flags.ts'

const answered = <Answer>({ isReplayed }: { readonly isReplayed: boolean }, answer: Answer) =>
  isReplayed ? new Replayed(answer) : answer

export const DEBTOR_FLAG_BINDINGS: readonly Binding[] = [
  bindSharedRow(
    contract.flagDebtor,
    async (context, principal, id) => {
      await findOfficeDebtor(context, principal, id)
      return { id }
    },
    async ({ context, principal, row, body, request }) => {
      const asked = askedBy(request, 'flagDebtor', row.id, body)
      const done = await setFlag(context, principal, { debtorId: row.id, asked, wanted: body })
      return answered(done, await findOfficeDebtor(context, principal, row.id))
    },
  ),
  bindSharedRow(
    contract.seeProtected,
    async (context, principal, id) => {
      await findOfficeDebtor(context, principal, id)
      return { id }
    },
    ({ context, principal, row, body }) =>
      tellProtected(context, principal, { debtorId: row.id, reason: body.reason }),
  ),
  bindSharedRow(
    representative.enterRepresentative,
    async (context, principal, id) => {
      await findOfficeDebtor(context, principal, id)
      return { id }
    },
    async ({ context, principal, row, body, request }) => {
      const asked = askedBy(request, 'enterRepresentative', row.id, body)
      const done = await enterRepresentative(context, principal, { debtorId: row.id, asked, body })
      return answered(done, await findOfficeDebtor(context, principal, row.id))
    },
  ),
  bindSharedRow(
    representative.endRepresentative,
    findRepresentative,
    async ({ context, principal, row, body, request }) => {
      const asked = askedBy(request, 'endRepresentative', row.id, body)
      const done = await endRepresentative(context, principal, { row, asked, reason: body.reason })
      return answered(done, await findOfficeDebtor(context, principal, row.debtorId))
    },
  ),
  bindSharedRow(contract.getDebtorFlag, findFlag, ({ context, principal, row }) =>
    presentFlag(context, principal, row.id),
  ),
  bindSharedRow(contract.answerDebtorFlag, findFlag, async ({ context, principal, row, body, request }) => {
    const asked = askedBy(request, 'answerDebtorFlag', row.id, body)
    const done = await answerFlag({ context, principal, row, asked }, body)
    return answered(done, await presentFlag(context, principal, row.id))
  }),
  bindSharedRow(contract.endDebtorFlag, findFlag, async ({ context, principal, row, body, request }) => {
    const asked = askedBy(request, 'endDebtorFlag', row.id, body)
    const done = await endFlag({ context, principal, row, asked }, body.reason)
    return answered(done, await presentFlag(context, principal, row.id))
  }),
]
