/** Since when a creditor's customers have agreed to a reminder fee, and where that is written. Without both none is charged. */
import { parseDate } from '@kvitt/domain/calendar.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { findNamedCreditor } from './named-creditor.ts'
import {
  readFeeAgreement,
  readFeeAgreements,
  setFeeAgreementRow,
  type FeeAgreementRow,
} from './reminder-fee.queries.ts'

/** Why nothing has changed, for a person to read. */
export class AgreementRefused extends Error {
  override name = 'AgreementRefused'
}

export type FeeAgreement = {
  /** The creditor's number, name or id. */
  readonly creditor: string
  /** Null: there is no such agreement any more, for debts that arise from now on and for those that there are. */
  readonly agreed: { readonly on: string; readonly source: string } | null
  readonly by: string
}

/** Writes the agreement down; the same again changes nothing. Throws AgreementRefused, or CreditorUnknown. */
export async function agreeReminderFee(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { instanceId, timeZone }: { readonly instanceId: string; readonly timeZone: string },
  { creditor, agreed, by }: FeeAgreement,
): Promise<FeeAgreementRow> {
  if (by.trim() === '') throw new AgreementRefused('Say who enters it.')
  if (agreed && !parseDate(agreed.on))
    throw new AgreementRefused(`${agreed.on} is no day such as 2026-01-31.`)
  if (agreed && agreed.on > clock.today(timeZone))
    throw new AgreementRefused(`${agreed.on} is still to come: nothing has been agreed yet.`)
  if (agreed && agreed.source.trim() === '')
    throw new AgreementRefused('Say where the agreement is written, such as "General terms 2024, section 7".')
  return db.transaction(async (tx) => {
    const found = await readFeeAgreement(tx, instanceId, await findNamedCreditor(tx, instanceId, creditor))
    const source = agreed?.source.trim() ?? null
    const agreedOn = agreed?.on ?? null
    if (found.agreed_on === agreedOn && found.source === source) return found
    await setFeeAgreementRow(tx, { instanceId, creditorId: found.id, agreedOn, source, by: by.trim() })
    const about = `creditor:${found.id}`
    const before = { agreedOn: found.agreed_on, source: found.source }
    const deed = { instanceId, kind: 'reminder_fee_agreed', by: by.trim(), about } as const
    await noteDeed(tx, { ...deed, before, after: { agreedOn, source } })
    return { ...found, agreed_on: agreedOn, source }
  })
}

export { readFeeAgreement, readFeeAgreements, type FeeAgreementRow }
