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

function refusalOf(
  { from, source, currency, ...agreed }: Omit<WantedAgreement, 'by' | 'creditor'>,
  today: string,
): string | undefined {
  if (!parseDate(from)) return `${from} is no day such as 2027-01-31.`
  if (from < today)
    return `${from} is past: what has been settled stays as it was agreed. Name today or a later day.`
  if (source === '')
    return 'Say where the agreement is written, such as "Agreement of 2026-11-01, section 6".'
  if (!isCurrency(currency)) return `${currency} is no currency that books are kept in.`
  for (const bp of [agreed.invoiceCommissionBp, agreed.claimCommissionBp, agreed.vatBp])
    if (!Number.isInteger(bp) || bp < 0 || bp > MOST_BP)
      return 'A per cent is from 0 to 100, with at most two decimals.'
  for (const minor of [agreed.paymentPriceMinor, agreed.casePriceMinor, agreed.smallestPayoutMinor])
    if (!Number.isSafeInteger(minor) || minor < 0) return 'A price is an amount such as 2.50, not below zero.'
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
  const refusal = refusalOf(agreed, clock.today(timeZone))
  if (refusal !== undefined) throw new AgreementNotEntered(refusal)
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
