/** The calls about people of a creditor or of the operator. */
import * as contract from '@kvitt/domain/staff/user.contract.ts'
import type { Binding } from '../platform/http/call.ts'
import { bind, bindRow, bindSharedRow } from '../sign-in/bind.ts'
import { resetUsersFactor } from './reset-second-factor.ts'
import { approveUser, findUser, giveRole, invite, removeUser, resetUser } from './users.ts'
import { searchUserRows } from './users.queries.ts'

export const USER_BINDINGS: readonly Binding[] = [
  bind(contract.searchUsers, ({ context, principal, query, body }) =>
    searchUserRows(context, principal, query, body),
  ),
  bind(contract.inviteUser, ({ context, principal, body }) => invite(context, principal, body)),
  bindSharedRow(contract.changeUser, findUser, ({ context, principal, body, row }) =>
    giveRole(context, principal, { ...body, id: row.id }),
  ),
  bindRow(contract.approveUser, findUser, ({ context, principal, row }) =>
    approveUser(context, principal, row.id),
  ),
  bindSharedRow(contract.resetSecondFactor, findUser, ({ context, principal, row }) =>
    resetUsersFactor(context, principal, row.id),
  ),
  bindSharedRow(contract.resetUser, findUser, ({ context, principal, row }) =>
    resetUser(context, principal, row.id),
  ),
  bindSharedRow(contract.removeUser, findUser, ({ context, principal, row }) =>
    removeUser(context, principal, row.id),
  ),
]
