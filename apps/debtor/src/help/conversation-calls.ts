/** What a debtor has asked about a debt, as it is read. */
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { listInvoiceConversations } from '@kvitt/domain/conversations/conversation.contract.ts'
import { queries, readDebt } from '../calls.ts'
import type { DebtKey } from '../session.ts'

export type Thread = AnswerOf<typeof listInvoiceConversations>[number]

export const conversationsQuery = (key: DebtKey) => readDebt(key, 'conversations', '/conversations')

/** What can be asked for now. */
export const requestTermsQuery = (key: DebtKey) => readDebt(key, 'request-terms', '/conversations/terms')

type Sought = { readonly amount: string; readonly day: string } | { readonly conversation: string }

/** What a plan comes to: one's own before it is proposed, or the creditor's. */
export const ownPlanQuery = (key: DebtKey, sought: Sought) =>
  readDebt(key, `own-plan ${Object.values(sought).join(' ')}`, '/conversations/plan', sought)

export function reloadConversations(key: DebtKey): Promise<void> {
  return queries.invalidateQueries({ queryKey: conversationsQuery(key).queryKey })
}
