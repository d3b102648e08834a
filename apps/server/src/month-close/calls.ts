/** The calls about the closing of months. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { Amount, CURRENCIES } from '@kvitt/domain/money.ts'
import * as contract from '@kvitt/domain/month-close/month-close.contract.ts'
import { noteAccess } from '../audit/audit.ts'
import { AsFile, type Binding } from '../platform/http/call.ts'
import { languageFrom } from '../platform/texts.ts'
import { bind } from '../sign-in/bind.ts'
import { formatAccepted } from '../staff/office-export.ts'
import { actorOf } from '../staff/staff.ts'
import { closeMonth, listClosings, readReport, versionOf, type ReadReport } from './month-close.ts'
import { drawMonth } from './month-document.ts'
import { writeMonthSie } from './month-sie.ts'

const FILES = { pdf: 'application/pdf', sie: 'application/x-sie' } as const

const amountOf = (minor: number | null): Amount | null => (minor === null ? null : new Amount(minor))

function present(report: ReadReport) {
  const { month, day, checks, currencies, closed } = report
  return {
    month,
    day,
    version: versionOf(report),
    checks: [...checks],
    closed,
    currencies: currencies.map(
      ({ currency, funds, heldMinor, receivables, settlements, vatInvoices, suspense }) => ({
        currency,
        funds: funds && {
          verdict: funds.verdict,
          difference: amountOf(funds.differenceMinor),
          terms: funds.terms.map(({ term, minor }) => ({ term, amount: amountOf(minor) })),
        },
        held: new Amount(heldMinor),
        receivables: {
          count: receivables.count,
          total: new Amount(receivables.totalMinor),
          ages: receivables.ages.map(({ bucket, count, totalMinor }) => ({
            bucket,
            count,
            total: new Amount(totalMinor),
          })),
          kept: new Amount(receivables.keptMinor),
        },
        settlements: {
          count: settlements.count,
          collected: new Amount(settlements.collectedMinor),
          fees: new Amount(settlements.feesMinor),
          vat: new Amount(settlements.vatMinor),
          corrections: new Amount(settlements.correctionsMinor),
          paidOut: new Amount(settlements.paidOutMinor),
        },
        vatInvoices: {
          count: vatInvoices.count,
          first: vatInvoices.first,
          last: vatInvoices.last,
          fees: new Amount(vatInvoices.feesMinor),
          vat: new Amount(vatInvoices.vatMinor),
        },
        suspense: { count: suspense.count, total: new Amount(suspense.minor) },
      }),
    ),
  }
}

export const MONTH_CLOSE_BINDINGS: readonly Binding[] = [
  bind(contract.listMonthClosings, ({ context, principal }) => listClosings(context, principal)),
  bind(contract.getMonthReport, async ({ context, principal, query, request }) => {
    const report = await readReport(context, principal, query.month)
    const format = formatAccepted(request.headers.accept, FILES)
    if (format === undefined) return present(report)
    const { instance } = principal
    await noteAccess(context, {
      instanceId: instance.id,
      kind: 'staff_exported',
      actor: actorOf(principal),
      about: 'month-closings',
      details: { file: FILES[format], month: report.month },
    })
    const name = `${report.month}.${format === 'sie' ? 'si' : 'pdf'}`
    const answer = (bytes: Uint8Array) =>
      new AsFile({ bytes, mimeType: FILES[format], name, isPublic: false })
    if (format === 'pdf') {
      const language = languageFrom(request.headers['accept-language'], instance.language)
      return answer(await drawMonth(context, principal, report, language))
    }
    // Until the month is closed its sums may change: then there is no SIE file.
    if (report.closed === null) throw new Refusal('month_not_closable', {}, ['month'])
    const currency = CURRENCIES.find((one) => one === (query.currency ?? report.currencies[0]?.currency))
    if (!currency) throw new Refusal('invalid_request', {}, ['currency'])
    return answer(
      await writeMonthSie(context.db, {
        instanceId: instance.id,
        name: instance.row.name,
        version: context.version,
        madeOn: context.clock.today(instance.timeZone),
        month: report.month,
        currency,
      }),
    )
  }),
  bind(contract.closeMonth, async ({ context, principal, body }) =>
    present(await closeMonth(context, principal, body)),
  ),
]
