/** What the settings leave out, for whoever starts the program. */
import type { Config } from './config.ts'

/**
 * One sentence for what debtors are not offered and one for what stays unsent, because no setting tells where its
 * counterparty is; none when nothing is missing.
 */
export function whatIsMissing({ bank, swish, bankId, mail, stores }: Config): string[] {
  const listed = (parts: readonly (readonly [unknown, string])[]): string =>
    parts.flatMap(([part, name]) => (part === undefined ? [name] : [])).join(', ')
  const ways = listed([
    [bank, 'payments through the bank (BANK_BASE_URL)'],
    [swish, 'Swish (SWISH_BASE_URL)'],
    [bankId, 'BankID (BANKID_BASE_URL)'],
  ])
  const messages = listed([
    [mail.smtp, 'e-mail (SMTP_URL)'],
    [mail.sms, 'SMS (SMS_URL)'],
    [stores.letters, 'letters on paper (PRINT_QUEUE_DIR)'],
  ])
  return [
    ...(ways ? [`Not offered, as nothing is set for it: ${ways}. Debtors can always pay by transfer.`] : []),
    ...(messages ? [`Kept unsent, as nothing is set for it: ${messages}.`] : []),
  ]
}
