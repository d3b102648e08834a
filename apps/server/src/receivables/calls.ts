/** The calls about what debtors owed at the end of a day. */
import * as contract from '@kvitt/domain/receivables/receivables.contract.ts'
import { Amount } from '@kvitt/domain/money.ts'
import type { Binding } from '../platform/http/call.ts'
import { bind } from '../sign-in/bind.ts'
import { formatAccepted } from '../staff/office-export.ts'
import { TABLE_TYPES } from '../platform/tables/tables.ts'
import { fileOfReceivables } from './receivables-file.ts'
import { dayMeant, searchReceivables, sumUpReceivables } from './receivables.ts'

export const RECEIVABLES_BINDINGS: readonly Binding[] = [
  bind(contract.searchReceivables, (call) => {
    const format = formatAccepted(call.request.headers.accept, TABLE_TYPES)
    return format === undefined
      ? searchReceivables(call.context, call.principal, call.query, call.body)
      : fileOfReceivables(call, format)
  }),
  bind(contract.getReceivables, async ({ context, principal, query }) => {
    const day = await dayMeant(context, principal, query.day)
    const { creditorId, instance } = principal
    const of = { instanceId: instance.id, creditorId, day, chosen: query.creditor }
    return {
      day,
      sums: (await sumUpReceivables(context.db, of)).map((sum) => ({
        currency: sum.currency,
        count: sum.count,
        principal: new Amount(sum.principalMinor),
        costs: new Amount(sum.costsMinor),
        interest: new Amount(sum.interestMinor),
        total: new Amount(sum.totalMinor),
        ages: sum.ages.map(({ bucket, count, totalMinor }) => ({
          bucket,
          count,
          total: new Amount(totalMinor),
        })),
        kept: new Amount(sum.keptMinor),
        agrees: sum.keptMinor === sum.totalMinor,
      })),
    }
  }),
]
