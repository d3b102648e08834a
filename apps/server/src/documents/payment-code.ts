/** The square code of a letter, where the currency has one that banks' apps read. */
import { encode } from 'uqr'
import { epcPayload, usingQrPayload } from '@kvitt/domain/payment-codes.ts'
import { finnishRf, isFinnishReferenceValid } from '@kvitt/domain/references.ts'
import type { Letter } from './letter.ts'
import { INK, LEFT, type Page } from '../platform/files/pdf-page.ts'

const SIDE = 92

export type Asked = { readonly amountMinor: number; readonly dueDate: string }

/** What the code says: a SEPA transfer in euro, a Nordic invoice in kronor; undefined elsewhere. */
export function paymentCode({ invoice, payee, parties }: Letter, asked: Asked): string | undefined {
  if (!payee || asked.amountMinor <= 0) return undefined
  const { amountMinor, dueDate } = asked
  const { payment_reference: reference, currency } = invoice
  if (currency === 'EUR' && payee.iban) {
    const rf =
      isFinnishReferenceValid(reference) && parties.creditor_country === 'FI'
        ? finnishRf(reference)
        : undefined
    return epcPayload({
      name: payee.receiver_name,
      bic: payee.bic,
      iban: payee.iban,
      amountMinor,
      ...(rf ? { reference: rf } : { message: reference }),
    })
  }
  const scheme =
    payee.scheme === 'BANKGIRO'
      ? 'BG'
      : payee.scheme === 'PLUSGIRO'
        ? 'PG'
        : currency === 'NOK'
          ? 'BBAN'
          : undefined
  if (!payee.account_number || !scheme || (currency !== 'SEK' && currency !== 'NOK')) return undefined
  return usingQrPayload({
    name: payee.receiver_name,
    countryCode: parties.creditor_country,
    companyNumber: parties.creditor_number ?? '',
    reference,
    invoiceDate: invoice.issue_date,
    dueDate,
    amountMinor,
    currency,
    scheme,
    account: payee.account_number.replace(/\D/g, ''),
  })
}

/** Draws the code with a sentence beside it. A picture to a screen reader, with its name. */
export function drawPaymentCode(page: Page, letter: Letter, asked: Asked): void {
  const payload = paymentCode(letter, asked)
  if (payload === undefined) return
  const { data, size } = encode(payload, { ecc: 'M', border: 0 })
  page.makeRoom(SIDE + 24)
  page.y += 12
  const top = page.y
  const module = SIDE / size
  page.doc.addStructure(
    page.doc.struct('Figure', { alt: page.say('document.code') }, () => {
      page.doc.fillColor(INK)
      for (const [row, cells] of data.entries()) {
        for (const [column, isDark] of cells.entries()) {
          if (isDark) page.doc.rect(LEFT + column * module, top + row * module, module, module)
        }
      }
      page.doc.fill()
    }),
  )
  page.y = top + SIDE / 2 - 6
  page.write('P', page.say('document.scan'), { x: LEFT + SIDE + 16, width: 300, soft: true })
  page.y = top + SIDE + 8
}
