/** The calls about what ran, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/runs/run.contract.ts'
import type { Binding } from '../platform/http/call.ts'
import { bind, bindSharedRow } from '../sign-in/bind.ts'
import { searchRunRows } from './run-list.queries.ts'
import { askForRun, findRun } from './runs.ts'

export const RUN_BINDINGS: readonly Binding[] = [
  bind(contract.searchRuns, ({ context, principal, query, body }) =>
    searchRunRows(context, principal, query, body),
  ),
  bind(contract.askForRun, ({ context, principal, body }) => askForRun(context, principal, body.work)),
  bindSharedRow(contract.getRun, findRun, async ({ row }) => row),
]
