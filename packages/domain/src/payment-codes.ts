/** Texts inside the square codes of invoices and letters, which a bank's app reads to fill in a payment. */
import { amountText } from './money.ts'

export type EpcPayment = {
  /** 001 wants a BIC; 002, within the EEA, does not. */
  readonly version?: '001' | '002'
  readonly name: string
  readonly bic: string | null
  readonly iban: string
  /** In euro cents, from 1 to 99,999,999,999. */
  readonly amountMinor: number
  /** An RF reference; excludes `message`. */
  readonly reference?: string
  readonly message?: string
}

const MOST_EPC_BYTES = 331
const MOST_EPC_CENTS = 99_999_999_999

/**
 * The code of a SEPA transfer (EPC069-12 version 2.1), or undefined when the payment does not fit it. The code is
 * drawn with error correction M.
 */
export function epcPayload(payment: EpcPayment): string | undefined {
  const { version = '002', name, bic, iban, amountMinor, reference = '', message = '' } = payment
  if (amountMinor < 1 || amountMinor > MOST_EPC_CENTS || (version === '001' && !bic)) return undefined
  if (reference !== '' && message !== '') return undefined
  const lines = [
    'BCD',
    version,
    '1',
    'SCT',
    bic ?? '',
    oneLine(name, 70),
    iban.replace(/\s/g, '').slice(0, 34),
    `EUR${amountText(amountMinor)}`,
    '',
    oneLine(reference, 35),
    oneLine(message, 140),
  ]
  const payload = lines.join('\n')
  return bytesOf(payload) <= MOST_EPC_BYTES ? payload : undefined
}

/** Bytes of a text in UTF-8. */
function bytesOf(text: string): number {
  const size = (code: number): number => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4)
  return Array.from(text, (c) => size(c.codePointAt(0) ?? 0)).reduce((sum, bytes) => sum + bytes, 0)
}

function oneLine(text: string, most: number): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, most)
}

export type UsingQrInvoice = {
  readonly name: string
  readonly countryCode: string
  readonly companyNumber: string
  readonly reference: string
  /** Calendar days. */
  readonly invoiceDate: string
  readonly dueDate: string
  readonly amountMinor: number
  readonly currency: string
  readonly scheme: 'BG' | 'PG' | 'IBAN' | 'BBAN' | 'SEPA'
  readonly account: string
  readonly bic?: string | null
  readonly address?: string | null
  /** VAT by high, medium and low rate, where it is known. */
  readonly vatMinor?: { readonly high: number; readonly medium: number; readonly low: number }
}

/** The code of a Nordic invoice (UsingQR version 1), JSON in which amounts are numbers with two decimals. */
export function usingQrPayload(invoice: UsingQrInvoice): string {
  const text = (value: string): string => JSON.stringify(oneLine(value, 100))
  const day = (value: string): string => text(value.replaceAll('-', ''))
  const fields: [string, string][] = [
    ['uqr', '1'],
    ['tp', '1'],
    ['nme', text(invoice.name)],
    ['cc', text(invoice.countryCode)],
    ['cid', text(invoice.companyNumber)],
    ['iref', text(invoice.reference)],
    ['idt', day(invoice.invoiceDate)],
    ['ddt', day(invoice.dueDate)],
    ['due', amountText(invoice.amountMinor)],
    ['cur', text(invoice.currency)],
    ['pt', text(invoice.scheme)],
    ['acc', text(invoice.account)],
    ...(invoice.bic ? [['bc', text(invoice.bic)] as [string, string]] : []),
    ...(invoice.address ? [['adr', text(invoice.address)] as [string, string]] : []),
    ...Object.entries(invoice.vatMinor ?? {}).map(([rate, minor]): [string, string] => [
      `v${rate.charAt(0)}`,
      amountText(minor),
    ]),
  ]
  return `{${fields.map(([name, value]) => `"${name}":${value}`).join(',')}}`
}
