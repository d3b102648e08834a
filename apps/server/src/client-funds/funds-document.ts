/** The proof of a day as a PDF, and the confirmation that the auditor gets of the same figures. Nothing is counted here. */
import type { FastifyRequest } from 'fastify'
import { sideOf } from '@kvitt/domain/client-funds/proof.ts'
import type { FundsDocument } from '@kvitt/domain/client-funds/proof-item.ts'
import type { Context } from '../context.ts'
import { drawLetter, type FundsPaper } from '../documents/documents.ts'
import type { FileAnswer } from '../platform/http/send-file.ts'
import { printedAmount } from '../platform/printed-amount.ts'
import { languageFrom, textOf, type Language, type TextKey } from '../platform/texts.ts'
import { sidesOfOwed, type OwedSum } from '../receivables/receivables.ts'
import type { OperatorMember } from '../staff/staff.ts'
import type { ProvenDay } from './client-funds.ts'
import { readHeld } from './items.queries.ts'

export const PDF = 'application/pdf'

type DrawCall = {
  readonly context: Context
  readonly principal: OperatorMember
  readonly request: FastifyRequest
}

type Proven = ProvenDay['proofs'][number]

/** What came of it, in words. */
function verdictOf({ currency, proof }: Proven, language: Language): string {
  const { verdict, differenceMinor, since, lastCovered } = proof
  const say = (key: TextKey, params: Record<string, string> = {}): string => textOf(language, key, params)
  const isKnown = proof.terms.every(({ term }) => term !== 'before_books')
  if (verdict === 'AGREES') return say(isKnown ? 'funds.agrees' : 'funds.agrees_but')
  if (verdict === 'DIFFERS')
    return say('funds.differs', {
      amount: printedAmount(differenceMinor ?? 0, currency, language),
      since: since ?? '',
    })
  return lastCovered === null ? say('funds.never_covered') : say('funds.not_covered', { day: lastCovered })
}

/** Another amount than nought is said with its term; the bank's is missing without a statement. */
function termsOf({ currency, proof }: Proven, language: Language): FundsPaper['parts'][number]['sides'] {
  return (['HAVE', 'OWE'] as const).map((side) => {
    const terms = proof.terms.filter(({ term }) => sideOf(term) === side)
    const isKnown = terms.every(({ minor }) => minor !== null)
    const total = terms.reduce((sum, { minor }) => sum + (minor ?? 0), 0)
    const print = (minor: number): string => printedAmount(minor, currency, language)
    return {
      rows: terms.map(
        ({ term, minor }) =>
          [
            textOf(language, `funds.term.${term}`),
            minor === null ? textOf(language, 'funds.unknown') : print(minor),
          ] as const,
      ),
      total: isKnown
        ? ([textOf(language, side === 'HAVE' ? 'funds.have' : 'funds.owe'), print(total)] as const)
        : undefined,
    }
  })
}

/** Refuses nothing: a day without a statement says so on the paper, too. */
export async function drawFunds(
  { context, principal, request }: DrawCall,
  proven: ProvenDay,
  { wanted, owed }: { readonly wanted: FundsDocument; readonly owed: readonly OwedSum[] },
): Promise<FileAnswer> {
  const { instance } = principal
  const language = languageFrom(request.headers['accept-language'], instance.language)
  const title = textOf(language, `funds.title.${wanted}`)
  const { day, proofs, accounts, belowZero } = proven
  const print = (minor: number, currency: string): string => printedAmount(minor, currency, language)
  const of = (sums: readonly OwedSum[], currency: string): OwedSum | undefined =>
    sums.find((sum) => sum.currency === currency)
  const parts = await Promise.all(
    proofs.map(async (one) => {
      const { currency, proof } = one
      const held =
        wanted === 'confirmation'
          ? await readHeld(context.db, { instanceId: instance.id, currency, day })
          : []
      return {
        title: currency,
        verdict: [
          verdictOf(one, language),
          ...(one.waitingLines > 0 ? [textOf(language, 'funds.waiting', { count: one.waitingLines })] : []),
        ].join(' '),
        sides: [...termsOf(one, language), ...sidesOfOwed(of(owed, currency), language)],
        accounts: proof.accounts.map(
          ({ id, minor, statementOn }) =>
            [
              [accounts.get(id)?.number ?? '', statementOn ?? ''].filter((part) => part !== '').join(', '),
              minor === null ? textOf(language, 'funds.unknown') : print(minor, currency),
            ] as const,
        ),
        held: held.map(({ name, minor }) => [name ?? '', print(minor, currency)] as const),
      }
    }),
  )
  // Of a currency in which nothing was held, what debtors owe is all that there is to say.
  const others = owed
    .filter(({ currency }) => !proofs.some((proof) => proof.currency === currency))
    .map((sum) => ({
      title: sum.currency,
      verdict: '',
      sides: sidesOfOwed(sum, language),
      accounts: [],
      held: [],
    }))
  // What the bank has not said, or says otherwise, nobody confirms with their name.
  const isConfirmed = wanted === 'confirmation' && proofs.every(({ proof }) => proof.verdict === 'AGREES')
  const paper: FundsPaper = {
    instance: instance.row,
    language,
    title: `${title} ${day}`,
    madeOn: context.clock.today(instance.timeZone),
    opening: textOf(language, `funds.opening.${isConfirmed || wanted === 'proof' ? wanted : 'unproved'}`, {
      day,
      name: instance.row.name,
    }),
    parts: [...parts, ...others],
    belowZero: belowZero.map(({ creditor, currency, minor }) => [creditor, print(minor, currency)] as const),
    isSigned: isConfirmed,
  }
  const bytes = await drawLetter({ kind: 'funds', requester: `${instance.id} operator` }, paper)
  return { bytes, mimeType: PDF, name: `${title} ${day}.pdf`, isPublic: false }
}
