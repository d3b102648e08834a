import { expect, test } from 'vitest'
import type { Letter } from './letter.ts'
import { paymentCode } from './payment-code.ts'

const letter = (wishes: {
  currency: string
  reference: string
  country?: string
  payee?: Partial<NonNullable<Letter['payee']>>
}): Letter =>
  ({
    language: 'sv',
    instance: { name: 'Nordklar' },
    invoice: {
      currency: wishes.currency,
      payment_reference: wishes.reference,
      issue_date: '2026-11-01',
      invoice_number: 'A-1',
    },
    parties: { creditor_country: wishes.country ?? 'SE', creditor_number: '559999-0032' },
    payee: {
      scheme: 'BANKGIRO', account_number: '9990-0334', receiver_name: 'Pulsverket', bank_name: null, iban: null, bic: null,
      ...wishes.payee,
    },
  }) as unknown as Letter // biome-ignore format: a record

const asked = { amountMinor: 45_900, dueDate: '2026-11-26' }
const iban = { scheme: 'IBAN', account_number: null, iban: 'FI2112345600000785', bic: 'NDEAFIHH' } as const

test('kronor: a Nordic invoice with the amount and the last day to pay', () => {
  const code = paymentCode(letter({ currency: 'SEK', reference: '260112159629' }), asked)
  expect(JSON.parse(code ?? '')).toMatchObject({
    due: 459,
    ddt: '20261126',
    iref: '260112159629',
    pt: 'BG',
    acc: '99900334',
  })
  const local = { scheme: 'LOCAL', account_number: '9999 12 34567' } as const
  const norwegian = letter({ currency: 'NOK', reference: '26019530232', country: 'NO', payee: local })
  expect(JSON.parse(paymentCode(norwegian, asked) ?? '')).toMatchObject({ pt: 'BBAN', acc: '99991234567' })
})

test('euro: a SEPA transfer, a Finnish reference as RF', () => {
  const finnish = letter({ currency: 'EUR', reference: '1234561', country: 'FI', payee: iban })
  expect(paymentCode(finnish, asked)?.split('\n').slice(6, 11)).toEqual([
    'FI2112345600000785', 'EUR459.00', '', 'RF341234561', '',
  ]) // biome-ignore format: a list
  const other = letter({ currency: 'EUR', reference: '26021699173', country: 'IE', payee: iban })
  expect(paymentCode(other, asked)?.split('\n').slice(9)).toEqual(['', '26021699173'])
})

test('none where no app reads one, and none for nothing', () => {
  const danish = letter({
    currency: 'DKK',
    reference: '000026020614702',
    country: 'DK',
    payee: { scheme: 'LOCAL' },
  })
  expect(paymentCode(danish, asked)).toBeUndefined()
  const paid = letter({ currency: 'SEK', reference: '260112159629' })
  expect(paymentCode(paid, { ...asked, amountMinor: 0 })).toBeUndefined()
})
