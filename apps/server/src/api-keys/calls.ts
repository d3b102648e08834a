/** The calls about a creditor's keys. */
import * as contract from '@kvitt/domain/staff/api-key.contract.ts'
import type { Binding } from '../platform/http/call.ts'
import { bind, bindRow } from '../sign-in/bind.ts'
import { findKey, makeKey, revokeKey } from './api-keys.ts'
import { searchKeyRows } from './api-keys.queries.ts'

export const API_KEY_BINDINGS: readonly Binding[] = [
  bind(contract.searchApiKeys, ({ context, principal, query, body }) =>
    searchKeyRows(context, principal, query, body),
  ),
  bind(contract.makeApiKey, ({ context, principal, body }) => makeKey(context, principal, body)),
  bindRow(contract.revokeApiKey, findKey, ({ context, principal, row }) =>
    revokeKey(context, principal, row.id),
  ),
]
