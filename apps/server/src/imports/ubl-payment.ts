/** How and until when a UBL document is to be paid. */
import { accountKey, addressOf, ibanOfAccount } from '@kvitt/domain/account-address.ts'
import { formatBankgiro, formatPlusgiro, isBicValid, normaliseIban } from '@kvitt/domain/accounts.ts'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { ImportRefusal } from './import-refusal.ts'
import type { ParsedAccount } from './parsed-invoice.ts'
import { placeOf, type ReadElement } from './read-elements.ts'
import { childrenOf, codeOf, dateOf, find, findOnly, quoted, textOf } from './ubl-fields.ts'

type Numbers = Omit<ParsedAccount, 'receiverName' | 'bic'>

function giro(scheme: 'BANKGIRO' | 'PLUSGIRO', printed: string): Numbers {
  const format = scheme === 'BANKGIRO' ? formatBankgiro : formatPlusgiro
  const address = addressOf(scheme, printed) ?? null
  return {
    scheme,
    accountNumber: format(printed) ?? printed,
    iban: null,
    isUsable: address !== null,
    address,
    numberKey: `${scheme}${accountKey(printed)}`,
  }
}

function ibanAccount(printed: string): Numbers {
  const iban = normaliseIban(printed)
  const address = addressOf('IBAN', iban) ?? null
  return { scheme: 'IBAN', accountNumber: null, iban, isUsable: address !== null, address, numberKey: iban }
}

/** A Danish number without its zeros may be a number for slips (FIK), which is no account. */
const DANISH_DIGITS = 14

/**
 * A national number. In Norway (11 digits) and Denmark (registration number and account, 14 digits) the IBAN follows from
 * it, and banks can be told to pay that.
 */
function localAccount(country: string, printed: string): Numbers {
  const key = accountKey(printed)
  const isWhole = country !== 'DK' || key.length === DANISH_DIGITS
  const iban = isWhole ? ibanOfAccount(country, key) : undefined
  if (iban === undefined) {
    return {
      scheme: 'LOCAL',
      accountNumber: printed,
      iban: null,
      isUsable: false,
      address: null,
      numberKey: `${country}${key}`,
    }
  }
  return { ...ibanAccount(iban), accountNumber: printed }
}

function readAccount(means: ReadElement, country: string, payee: string): ParsedAccount | undefined {
  const account = find(means, 'PayeeFinancialAccount')
  const printed = codeOf(find(account, 'ID'), 50)
  if (!account || !printed || !/[0-9A-Za-z]/.test(printed)) return undefined
  const branch = codeOf(find(account, 'FinancialInstitutionBranch', 'ID'), 50)?.toUpperCase() ?? null
  const numbers =
    branch === 'SE:BANKGIRO'
      ? giro('BANKGIRO', printed)
      : branch === 'SE:PLUSGIRO'
        ? giro('PLUSGIRO', printed)
        : /^[A-Z]{2}\d{2}/.test(normaliseIban(printed))
          ? ibanAccount(printed)
          : localAccount(country, printed)
  const bic = branch !== null && isBicValid(branch) ? branch : null
  return { ...numbers, bic, receiverName: textOf(find(account, 'Name'), 200) ?? payee }
}

/**
 * The payment id as the payee's bank wants it. The Danish slip writes its code before the id ("71#..."): only
 * 71 is taken off, because only its ids can be our references (D-22).
 */
function readReference(means: ReadElement): string | null {
  const printed = codeOf(find(means, 'PaymentID'), 140)
  const slip = printed === null ? null : /^\+?71[#<](\d+)/.exec(printed.replace(/\s/g, ''))
  return slip?.[1] ?? printed
}

/** Account and reference of the first way to pay that has a usable account, else an account, else any. */
export function readPaymentMeans(
  document: ReadElement,
  creditor: { readonly country: string; readonly name: string },
): { account: ParsedAccount | null; reference: string | null; warnings: string[] } {
  const payee = textOf(find(document, 'PayeeParty', 'PartyName', 'Name'), 200) ?? creditor.name
  const ways = childrenOf(document, 'PaymentMeans').map((means) => ({
    account: readAccount(means, creditor.country, payee),
    reference: readReference(means),
  }))
  const chosen = ways.find((w) => w.account?.isUsable) ?? ways.find((w) => w.account) ?? ways[0]
  const reference = chosen?.reference ?? ways.find((w) => w.reference !== null)?.reference ?? null
  const account = chosen?.account ?? null
  const warnings =
    account && !account.isUsable
      ? [
          `The payee account ${quoted(account.accountNumber ?? account.iban ?? '')} does not pass its check digits ` +
            'or has none; it is kept as printed and bank payments go to the account of the provider.',
        ]
      : []
  return { account, reference, warnings }
}

const DAYS = /(?<![\d.,])(\d{1,3})\s?(?:days?|dagar|dag|dager|dage|päivää|pv|tage)(?!\p{L})/giu

/** The number of days in terms such as "30 dagar netto"; undefined unless they name exactly one. */
export function daysOfTerms(note: string): number | undefined {
  const found = [...note.matchAll(DAYS)]
  return found.length === 1 ? Number(found[0]?.[1]) : undefined
}

/**
 * The last day to pay: DueDate, else the day of the payment means or terms, else the days that the terms name
 * (D-21). Nobody pays a credit note, so one without a day is due when it is issued.
 */
export function readDueDate(document: ReadElement, issueDate: CalendarDate): CalendarDate {
  const terms = childrenOf(document, 'PaymentTerms')
  const day =
    dateOf(findOnly(document, 'DueDate')) ??
    firstDay(childrenOf(document, 'PaymentMeans'), 'PaymentDueDate') ??
    firstDay(terms, 'PaymentDueDate') ??
    firstDay(terms, 'SettlementPeriod', 'EndDate')
  if (day) return day
  const notes = terms.flatMap((t) => childrenOf(t, 'Note')).map((note) => note.text)
  const days = daysOfTerms(notes.join('\n'))
  if (days !== undefined) return addDays(issueDate, days)
  if (document.name === 'CreditNote') return issueDate
  throw notes.some((note) => note.trim() !== '')
    ? new ImportRefusal(
        `There is no DueDate, and the payment terms ${quoted(notes.join(' '))} do not name one number of days. Add a DueDate.`,
        placeOf(terms[0] ?? document),
      )
    : new ImportRefusal('There is neither a DueDate nor payment terms. Add a DueDate.', placeOf(document))
}

function firstDay(elements: readonly ReadElement[], ...path: readonly string[]): CalendarDate | undefined {
  for (const element of elements) {
    const day = dateOf(find(element, ...path))
    if (day) return day
  }
  return undefined
}
