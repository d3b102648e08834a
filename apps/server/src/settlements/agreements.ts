/** What the operator takes for its work for a creditor, from which day on, and where that is written. */
import { parseDate } from '@kvitt/domain/calendar.ts'
import { isCurrency } from '@kvitt/domain/money.ts'
import type { Agreement } from '@kvitt/domain/settlements/agreement.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { findNamedCreditor } from '../creditors/creditors.ts'
import {
  insertAgreementRow,
  listAgreements,
  readAgreements,
  type AgreementRow,
  type ListedAgreement,
} from './agreements.queries.ts'
import type { Connection } from '../platform/database/database.ts'

/** Why nothing has changed, for a person to read. */
export class AgreementNotEntered extends Error {
  override name = 'AgreementNotEntered'
}

export type WantedAgreement = Agreement & {
  /** The creditor's number, name or id. */
  readonly creditor: string
  readonly source: string
  readonly by: string
}

const MOST_BP = 10_000

export type Wrong = { readonly field: keyof Agreement | 'source'; readonly why: string }

/** What is wrong with it, and in which field; undefined when nothing is. */
export function whatIsWrong(
  { from, source, currency, ...agreed }: Omit<WantedAgreement, 'by' | 'creditor'>,
  today: string,
): Wrong | undefined {
  if (!parseDate(from)) return { field: 'from', why: `${from} is no day such as 2027-01-31.` }
  if (from < today) {
    const why = `${from} is past: what has been settled stays as it was agreed. Name today or a later day.`
    return { field: 'from', why }
  }
  if (source === '') {
    const why = 'Say where the agreement is written, such as "Agreement of 2026-11-01, section 6".'
    return { field: 'source', why }
  }
  if (!isCurrency(currency))
    return { field: 'currency', why: `${currency} is no currency that books are kept in.` }
  for (const field of ['invoiceCommissionBp', 'claimCommissionBp', 'vatBp'] as const) {
    const bp = agreed[field]
    if (!Number.isInteger(bp) || bp < 0 || bp > MOST_BP)
      return { field, why: 'A per cent is from 0 to 100, with at most two decimals.' }
  }
  for (const field of ['paymentPriceMinor', 'casePriceMinor', 'smallestPayoutMinor'] as const) {
    const minor = agreed[field]
    if (!Number.isSafeInteger(minor) || minor < 0)
      return { field, why: 'A price is an amount such as 2.50, not below zero.' }
  }
  return undefined
}

/**
 * Writes down what is agreed with a creditor from a day on; the same again changes nothing. Answers all that is agreed with it, in
 * the order of the days. Throws AgreementNotEntered, or CreditorUnknown.
 */
export async function enterAgreement(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { id: instanceId, timeZone }: { readonly id: string; readonly timeZone: string },
  { creditor, by, ...wanted }: WantedAgreement,
): Promise<AgreementRow[]> {
  const agreed = { ...wanted, source: wanted.source.trim() }
  const wrong = whatIsWrong(agreed, clock.today(timeZone))
  if (wrong !== undefined) throw new AgreementNotEntered(wrong.why)
  return db.transaction(async (tx) => {
    const creditorId = await findNamedCreditor(tx, instanceId, creditor)
    const row: AgreementRow = { ...agreed, creditorId }
    const all = await readAgreements(tx, instanceId, [creditorId])
    const before = all.findLast(({ from }) => from <= agreed.from)
    if (before?.from === agreed.from && isSame(before, row)) return all
    insertAgreementRow(tx, { ...row, instanceId, by })
    await noteDeed(tx, {
      instanceId,
      kind: 'agreement_entered',
      by,
      about: `creditor:${creditorId}`,
      before: before ?? {},
      after: row,
    })
    return readAgreements(tx, instanceId, [creditorId])
  })
}

function isSame(one: AgreementRow, other: AgreementRow): boolean {
  return (Object.keys(one) as (keyof AgreementRow)[]).every((key) => one[key] === other[key])
}

/** Each creditor by its name, with all that was agreed with it, the newest first. */
export function readAllAgreements(db: Connection, instanceId: string): Promise<ListedAgreement[]> {
  return listAgreements(db, instanceId)
}
