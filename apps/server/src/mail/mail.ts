/** Messages to debtors: written down in the transaction of what they tell of, and sent afterwards. */
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database.ts'
import { newId } from '../platform/identity.ts'
import { textOf, type Language } from '../platform/texts.ts'
import { composeMail, type MailKind } from './compose-mail.ts'
import { languageOfCountry, letterhead } from './letterhead.ts'
import { insertMailRow, readAddressee } from './outbox.queries.ts'
import { phoneOf } from './sms.ts'

export { deliverMail } from './deliver-mail.ts'
export { openPrintQueue } from './print-queue.ts'
export { queueStepMail, type DrawLetter, type PerformedStep } from './step-mail.ts'
export { openSms } from './sms.ts'
export { openSmtp } from './smtp.ts'

export type MailWish = {
  readonly kind: MailKind
  /** What it tells of, such as `payment:<id>`: told once, however often it is asked for. */
  readonly cause: string
  readonly instanceId: string
  /** The invoice or claim that it is about. */
  readonly debt: Debt
  /** Another address than the debtor's own. */
  readonly to?: string
  /** What the kind's sentences name besides the debt and the creditor, in the reader's language. */
  readonly params?: (language: Language) => Readonly<Record<string, string>>
}

/**
 * Writes a message about an invoice or claim down, to be sent when this transaction is in the books: an e-mail, else
 * an SMS that only says that there is something to read, else nothing.
 */
export async function queueMail(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  wish: MailWish,
): Promise<void> {
  const { instanceId, debt, kind, cause } = wish
  const who = await readAddressee(tx, instanceId, debt)
  const language = languageOfCountry(who.debtor_country)
  const head = letterhead(context, who)
  const shared = { instanceId, id: newId(context.clock.now()), kind, cause, debt, language }
  const address = wish.to ?? who.email
  if (address) {
    const params = {
      // Whoever typed an address need not be the debtor, and learns no name from us.
      ...(wish.to === undefined ? { name: who.name } : {}),
      about: textOf(language, 'claimId' in debt ? 'mail.about_claim' : 'mail.about_invoice', {
        number: who.number,
      }),
      creditor: who.creditor_name,
      ...wish.params?.(language),
    }
    await insertMailRow(tx, {
      ...shared,
      channel: 'EMAIL',
      recipient: address,
      ...composeMail(kind, language, params, head),
    })
    return
  }
  const phone = phoneOf(who.phone ?? '', who.debtor_country)
  if (phone === undefined) return
  const text = textOf(language, 'mail.sms', { instance: head.name, url: head.portalUrl })
  await insertMailRow(tx, { ...shared, channel: 'SMS', recipient: phone, subject: '', text, html: null })
}
