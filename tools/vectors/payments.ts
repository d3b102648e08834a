/** Vector files about payments at a bank. */
import { parseAmount } from '@kvitt/domain/money.ts'
import { epcPayload, usingQrPayload, type UsingQrInvoice } from '@kvitt/domain/payment-codes.ts'
import { readBankStatus } from '@kvitt/domain/payments/bank-status.ts'
import { isFinal } from '@kvitt/domain/payments/payment.ts'
import {
  isSwishInstructionId,
  readSwishStatus,
  SWISH_ERRORS,
  swishAppLink,
  swishMessage,
  swishQrText,
  swishTokenOf,
} from '@kvitt/domain/payments/swish.ts'
import type { Check } from './check.ts'

type BankStatusFile = { map: { iso: string; ours: string; final: boolean }[] }

/** A star in the file means: only once the payer has signed, IN_PROGRESS before that. */
export function checkBankStatuses(file: BankStatusFile): Check[] {
  return file.map.flatMap(({ iso, ours, final }): Check[] => {
    const afterSigning = ours.endsWith('*')
    const read = () => readBankStatus(iso, afterSigning)
    return [
      { id: `bank ${iso}`, expected: ours.replace('*', ''), actual: read },
      { id: `bank ${iso} final`, expected: final, actual: () => isFinal(read() ?? 'CREATED') },
      ...(afterSigning
        ? [{ id: `bank ${iso} unsigned`, expected: 'IN_PROGRESS', actual: () => readBankStatus(iso, false) }]
        : []),
    ]
  })
}

type SwishFile = {
  vectors: { token: string; returnUrl: string; appLink: string; qrContent: string }[]
  instructionUUID: { valid: string[]; invalid: string[] }
  message: { maxLength: number }
  statusMap: { swish: string; ours: string; except?: string }[]
  mss: { message: string }[]
}

/** An exception in the status map names the one error code that is no end. */
export function checkSwish(file: SwishFile): Check[] {
  const links = file.vectors.flatMap(({ token, returnUrl, appLink, qrContent }): Check[] => [
    { id: `link ${token}`, expected: appLink, actual: () => swishAppLink(token, returnUrl) },
    { id: `token ${token}`, expected: token, actual: () => swishTokenOf(appLink) },
    { id: `qr ${token}`, expected: qrContent, actual: () => swishQrText(token) },
  ])
  const ids = (['valid', 'invalid'] as const).flatMap((kind) =>
    file.instructionUUID[kind].map((text): Check => {
      return { id: `id ${text}`, expected: kind === 'valid', actual: () => isSwishInstructionId(text) }
    }),
  )
  const statuses = file.statusMap.flatMap(({ swish, ours, except }): Check[] => {
    const unknown = /^[A-Z0-9]+/.exec(except ?? '')?.[0]
    return [
      { id: `status ${swish}`, expected: ours, actual: () => readSwishStatus(swish, undefined) },
      ...(unknown === undefined
        ? []
        : [
            {
              id: `status ${swish} ${unknown}`,
              expected: 'IN_PROGRESS',
              actual: () => readSwishStatus(swish, unknown),
            },
          ]),
    ]
  })
  const errors = file.mss.map(({ message }): Check => {
    return { id: `error ${message}`, expected: true, actual: () => Object.hasOwn(SWISH_ERRORS, message) }
  })
  const { maxLength } = file.message
  const longest = { id: 'message', expected: maxLength, actual: () => swishMessage('x'.repeat(200)).length }
  return [...links, ...ids, ...statuses, ...errors, longest]
}

type EpcFile = { vectors: { payload: string }[] }

/** The payment is read from the code, and the code is made from the payment again. */
export function checkEpcCodes(file: EpcFile): Check[] {
  return file.vectors.map(({ payload }): Check => {
    const [, version, , , bic = '', name = '', iban = '', amount = '', , reference = '', message = ''] =
      payload.split('\n')
    const actual = () =>
      epcPayload({
        version: version === '001' ? '001' : '002',
        name,
        bic: bic === '' ? null : bic,
        iban,
        amountMinor: minorOf(amount.replace('EUR', '')),
        reference,
        message,
      })
    return { id: `epc ${name}`, expected: payload, actual }
  })
}

function minorOf(text: string): number {
  return parseAmount(text, 'EUR')?.minor ?? 0
}

type UsingQrFile = { vectors: { json: Record<string, string | number> }[] }

/** The order of the fields is free: the objects are compared. */
export function checkUsingQrCodes(file: UsingQrFile): Check[] {
  return file.vectors.map(({ json }): Check => {
    const text = (name: string): string => String(json[name] ?? '')
    const day = (name: string): string => text(name).replace(/(....)(..)(..)/, '$1-$2-$3')
    const invoice: UsingQrInvoice = {
      name: text('nme'),
      countryCode: text('cc'),
      companyNumber: text('cid'),
      reference: text('iref'),
      invoiceDate: day('idt'),
      dueDate: day('ddt'),
      amountMinor: minorOf(text('due')),
      currency: text('cur'),
      scheme: text('pt') as UsingQrInvoice['scheme'],
      account: text('acc'),
      bic: text('bc'),
      address: text('adr'),
      vatMinor: { high: minorOf(text('vh')), medium: minorOf(text('vm')), low: minorOf(text('vl')) },
    }
    const sorted = (value: object): string =>
      JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    return {
      id: `usingqr ${invoice.reference}`,
      expected: sorted(json),
      actual: () => sorted(JSON.parse(usingQrPayload(invoice)) as object),
    }
  })
}
