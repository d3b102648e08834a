/** The calls about somebody's own account, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/staff/account.contract.ts'
import type { Binding } from '../platform/http/call.ts'
import { bind } from '../sign-in/bind.ts'
import { changePassword, endOthers, listSessions } from './account.ts'

export const ACCOUNT_BINDINGS: readonly Binding[] = [
  bind(contract.listOwnSessions, ({ context, principal }) => listSessions(context, principal)),
  bind(contract.endOtherSessions, ({ context, principal }) => endOthers(context, principal)),
  bind(contract.changePassword, ({ context, principal, body }) => changePassword(context, principal, body)),
]
