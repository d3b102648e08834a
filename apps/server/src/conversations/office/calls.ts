/** The calls about what debtors ask a creditor, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/conversations/office-conversation.contract.ts'
import { openAct, type OfficeAct } from '../../acts/acts.ts'
import type { Binding } from '../../platform/http/call.ts'
import { bind, bindRow } from '../../sign-in/bind.ts'
import { askedBy } from '../../staff/staff.ts'
import { decideRequest } from './decide-request.ts'
import { readOfficePlan } from './office-plan.ts'
import {
  answerOffice,
  findOfficeConversation,
  presentOfficeConversation,
  searchOfficeConversations,
} from './office-conversations.ts'

/** Answers: at once, or later. */
export const OFFICE_CONVERSATION_ACTS: readonly OfficeAct[] = [
  openAct(contract.answerConversation, findOfficeConversation, ({ context, principal, row, body, request }) =>
    answerOffice(context, principal, row, {
      body,
      asked: askedBy(request, 'answer', row.id, body),
    }),
  ),
  openAct(contract.decideConversation, findOfficeConversation, ({ context, principal, row, body, request }) =>
    decideRequest(context, principal, row, {
      body,
      asked: askedBy(request, 'decide', row.id, body),
    }),
  ),
]

export const OFFICE_CONVERSATION_BINDINGS: readonly Binding[] = [
  bind(contract.searchOfficeConversations, ({ context, principal, query, body }) =>
    searchOfficeConversations(context, principal, query, body),
  ),
  bindRow(contract.getOfficeConversation, findOfficeConversation, ({ context, principal, row }) =>
    presentOfficeConversation(context, principal, row),
  ),
  bindRow(contract.getOfficeOwnPlan, findOfficeConversation, ({ context, principal, row, query }) =>
    readOfficePlan(context, principal, row, query),
  ),
  ...OFFICE_CONVERSATION_ACTS.map(({ binding }) => binding),
]
