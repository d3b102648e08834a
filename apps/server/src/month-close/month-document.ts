/** A month's report as a PDF: of a closed one what was kept. Nothing is counted here. */
import { dayOf } from '@kvitt/domain/calendar.ts'
import { sideOf } from '@kvitt/domain/client-funds/proof.ts'
import type { Context } from '../context.ts'
import { drawLetter, type FundsPaper } from '../documents/documents.ts'
import { printedAmount } from '../platform/printed-amount.ts'
import { textOf, type Language, type TextKey } from '../platform/texts.ts'
import { sidesOfOwed } from '../receivables/receivables.ts'
import type { OperatorMember } from '../staff/staff.ts'
import type { ReadReport } from './month-close.ts'
import type { CurrencyReport } from './month-report.ts'

type Side = FundsPaper['parts'][number]['sides'][number]
type Line = readonly [string, string]

function sidesOf(one: CurrencyReport, language: Language): Side[] {
  const { currency, funds, receivables, settlements, vatInvoices } = one
  const say = (key: string, params: Record<string, string | number> = {}): string =>
    textOf(language, key as TextKey, params)
  const print = (minor: number | null): string =>
    minor === null ? say('funds.unknown') : printedAmount(minor, currency, language)
  const terms = (['HAVE', 'OWE'] as const).map((side): Side => {
    const own = (funds?.terms ?? []).filter(({ term }) => sideOf(term) === side)
    const isKnown = own.every(({ minor }) => minor !== null)
    return {
      rows: own.map(({ term, minor }): Line => [say(`funds.term.${term}`), print(minor)]),
      total: isKnown
        ? [
            say(side === 'HAVE' ? 'funds.have' : 'funds.owe'),
            print(own.reduce((sum, { minor }) => sum + (minor ?? 0), 0)),
          ]
        : undefined,
    }
  })
  return [
    ...(funds ? terms : []),
    ...sidesOfOwed(receivables, language),
    {
      rows: [
        [say('export.collected'), print(settlements.collectedMinor)],
        [say('export.fees'), print(settlements.feesMinor)],
        [say('export.vat'), print(settlements.vatMinor)],
        [say('export.corrections'), print(settlements.correctionsMinor)],
      ],
      total: [say('month.settlements', { count: settlements.count }), print(settlements.paidOutMinor)],
    },
    {
      rows: [
        [say('export.fees'), print(vatInvoices.feesMinor)],
        [say('export.vat'), print(vatInvoices.vatMinor)],
      ],
      total: [
        vatInvoices.count === 0
          ? say('month.vat_invoices_none')
          : say('month.vat_invoices', { first: vatInvoices.first ?? 0, last: vatInvoices.last ?? 0 }),
        print(vatInvoices.feesMinor + vatInvoices.vatMinor),
      ],
    },
  ]
}

export async function drawMonth(
  { clock }: Pick<Context, 'clock'>,
  { instance }: OperatorMember,
  report: ReadReport,
  language: Language,
): Promise<Uint8Array> {
  const { month, day, closed, checks, currencies } = report
  const named = checks
    .filter(({ state }) => state !== 'OK')
    .map(({ check, count }) => `${textOf(language, `month.check.${check}`)} (${count})`)
  const paper: FundsPaper = {
    instance: instance.row,
    language,
    title: `${textOf(language, 'month.title')} ${month}`,
    madeOn: clock.today(instance.timeZone),
    opening: [
      closed
        ? textOf(language, 'month.closed', {
            day,
            name: closed.closedBy,
            on: dayOf(Date.parse(closed.closedAt), instance.timeZone),
          })
        : textOf(language, 'month.not_closed', { day }),
      ...(named.length === 0 ? [] : [textOf(language, 'month.named', { points: named.join(', ') })]),
      ...(closed && closed.note !== '' ? [closed.note] : []),
    ].join(' '),
    parts: currencies.map((one) => ({
      title: one.currency,
      verdict: one.funds
        ? textOf(language, `month.verdict.${one.funds.verdict.toLowerCase()}` as TextKey)
        : '',
      sides: sidesOf(one, language),
      accounts: [],
      held: [],
    })),
    belowZero: [],
    isSigned: closed !== null,
  }
  return drawLetter({ kind: 'funds', requester: `${instance.id} operator` }, paper)
}
