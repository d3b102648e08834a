/** Answers as the server gives them, of the demo's people and invoices. */
import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import type { ClientAnswer, EventAnswer, InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { PaymentAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import type { PageInstance } from '../src/instance.ts'
import type { DebtKey, InvoiceKey } from '../src/session.ts'

export const TODAY = '2026-11-19'
export const ENERGY = 'Fjällström Demo Energi AB'
export const ENERGY_LOGO = 'creditor-fjallstrom.svg'
export const GYM = 'Pulsverket Demo Gym AB'

/** The pair of every sample; what tells one from another is its number. */
const PAIR = { reference: '260115774523', zip: '11122' }

export const keyOf = (invoiceNumber: string): InvoiceKey => ({ ...PAIR, invoiceNumber })
export const claimKeyOf = (claimNumber: string): DebtKey => ({
  reference: '770231451327',
  zip: '11122',
  claimNumber,
})

export const INSTANCE: PageInstance = {
  name: 'Nordklar Demo Inkasso AB',
  shortName: 'Nordklar',
  homepage: 'https://nordklar.example',
  identificationNumber: '559999-0016',
  clientAnalyticsCode: 'lab',
  isProductOwner: true,
  contactInformation: { phone: '031-390 06 10', email: 'kundservice@nordklar.example' },
  fileInformation: {
    debtorPortalLogotypeFileName: 'nordklar-logo.svg',
    debtorPortalBackgroundFileName: null,
    debtorPortalLoginBackgroundFileName: null,
  },
  helpdeskChatHtml: null,
  serviceTexts: { sv: 'Vi svarar i telefon vardagar 9–16.' },
  adLinks: {
    sv: [
      { text: 'För företag: skicka fakturor med Kvitt', url: 'https://kvitt.example/business' },
      { text: 'Samla alla dina fakturor på ett ställe', url: 'https://kvitt.example/overview' },
    ],
  },
}

type InvoiceChange = Partial<
  Omit<InvoiceAnswer, 'statuses' | 'dates' | 'balances' | 'totals' | 'currency'>
> & {
  status?: InvoiceAnswer['statuses']['main']
  due?: string
  /** In kronor or euros, as on the wire. */
  owed?: number
  asked?: number
  currency?: string
}

/** Of 842 kronor, due in a fortnight, unless told otherwise. */
export function invoice(change: InvoiceChange = {}): InvoiceAnswer {
  const {
    status = 'ACTIVATED',
    due = '2026-12-04',
    owed = 842,
    asked = 842,
    currency = 'SEK',
    ...rest
  } = change
  return {
    id: rest.invoiceNumber ?? '261185',
    invoiceNumber: '261185',
    paymentReference: PAIR.reference,
    originalReference: null,
    zipCode: PAIR.zip,
    clientName: ENERGY,
    type: 'INVOICE',
    statuses: { main: status },
    dates: { invoiceDate: '2026-11-04', sentDate: '2026-11-04', expireDate: due, today: TODAY },
    balances: { total: owed, principal: owed, costs: 0, interest: 0 },
    totals: { totalToPay: asked },
    currency: { invoiceCurrency: currency },
    documents: { invoiceWithAttachments: null },
    document: { invoiceWithAttachments: null },
    isCredited: false,
    isPartPayment: false,
    partPaymentVariant: null,
    debtor: {
      name: 'Alva Provlund',
      email: 'alva.provlund@example.com',
      invoiceAddress: { zip: PAIR.zip, countryCode: 'SE' },
    },
    property: null,
    collectionBatchNumber: null,
    collection_batch_payment_reference: null,
    collection_batch_zip: null,
    collection_batch_number: null,
    ...rest,
  }
}

/** How an invoice can stand. */
export const INVOICES: Readonly<Record<string, InvoiceAnswer>> = {
  due: invoice({ invoiceNumber: '261185' }),
  overdue: invoice({ invoiceNumber: '261222', due: '2026-10-11', owed: 2377.5, asked: 2317.5 }),
  disputed: invoice({ invoiceNumber: '261259', status: 'DISPUTED' }),
  paused: invoice({ invoiceNumber: '261296', status: 'PAUSED', due: '2026-11-12', clientName: GYM }),
  pending: invoice({ invoiceNumber: '261333', status: 'PENDING_AUTHORIZATION' }),
  'in a plan': invoice({
    invoiceNumber: '261370',
    isPartPayment: true,
    partPaymentVariant: 'PART_PAYMENT',
    owed: 1930,
    asked: 2317.5,
  }),
  'in an ongoing plan': invoice({
    invoiceNumber: '261407',
    isPartPayment: true,
    partPaymentVariant: 'ONGOING_PAYMENT',
    owed: 0,
  }),
  paid: invoice({ invoiceNumber: '261444', status: 'CLOSED', owed: 0 }),
  'nothing left to pay': invoice({ invoiceNumber: '261481', owed: 0 }),
  'in a claim': invoice({
    invoiceNumber: '261518',
    status: 'CLOSED',
    owed: 0,
    collectionBatchNumber: '702369',
    collection_batch_number: '702369',
  }),
  credited: invoice({ invoiceNumber: '261555', status: 'CLOSED', owed: 0, isCredited: true }),
  stopped: invoice({
    invoiceNumber: '261592',
    status: 'STOPPED',
    asked: 131330,
    owed: 131330,
    clientName: GYM,
  }),
}

/** Of 2 317,50 kronor with costs and interest, to be paid in twelve days, unless told otherwise. */
export function claim(change: Partial<ClaimAnswer> = {}): ClaimAnswer {
  const { balanceTotal = 2642.26 } = change
  return {
    id: change.collectionBatchNumber ?? '702369',
    collectionBatchNumber: '702369',
    paymentReference: '770231451327',
    zip: '11122',
    clientName: ENERGY,
    status: 'OPEN',
    currency: 'SEK',
    expireDate: '2026-12-01',
    today: TODAY,
    balanceTotal,
    balances: { total: balanceTotal, principal: balanceTotal - 324.76, costs: 300, interest: 24.76 },
    invoiceTotalToPay: 2317.5,
    isCredited: false,
    isPartPayment: false,
    partPaymentVariant: null,
    debtor: { name: 'Alva Provlund', email: null },
    document: { collection: { fileName: 'demand', fileNameRaw: 'Demand 702369.pdf' } },
    ...change,
  }
}

const NOTHING = { balanceTotal: 0, balances: { total: 0, principal: 0, costs: 0, interest: 0 } }

/** How a claim can stand. */
export const CLAIMS: Readonly<Record<string, ClaimAnswer>> = {
  open: claim(),
  'its last day is over': claim({
    collectionBatchNumber: '702406',
    expireDate: '2026-11-05',
    status: 'RESUME',
  }),
  disputed: claim({ collectionBatchNumber: '702443', status: 'DISPUTED' }),
  paused: claim({ collectionBatchNumber: '702480', status: 'PAUSED', clientName: GYM }),
  'in a plan': claim({
    collectionBatchNumber: '702517',
    isPartPayment: true,
    partPaymentVariant: 'PART_PAYMENT_ACCOUNT',
  }),
  paid: claim({ collectionBatchNumber: '702554', status: 'CLOSED', ...NOTHING }),
  credited: claim({ collectionBatchNumber: '702591', status: 'CLOSED', isCredited: true, ...NOTHING }),
  stopped: claim({ collectionBatchNumber: '702628', status: 'STOPPED' }),
}

/** Of the whole of an invoice through the bank, signed, unless told otherwise. */
export function payment(change: Partial<PaymentAnswer> = {}): PaymentAnswer {
  return {
    id: 'payment',
    status: 'AUTHORIZED',
    amount: 842,
    receivedAmount: 0,
    moved: false,
    currency: 'SEK',
    paymentDate: TODAY,
    paymentOption: 'pay-now',
    externalLink: null,
    qrCode: null,
    serviceProviderCode: 'DIRECT_BANK',
    createdAt: '2026-11-19T09:00:00.000Z',
    stale: false,
    outcomeUnknown: false,
    ...change,
  }
}

export function event(type: string, day: string, change: Partial<EventAnswer> = {}): EventAnswer {
  return {
    topic: 'LEDGER',
    type,
    subType: null,
    date: day,
    amount: null,
    balance: null,
    status: null,
    interest: [],
    ...change,
  }
}

export const CLIENT: ClientAnswer = {
  name: ENERGY,
  logotypeDocumentFileName: ENERGY_LOGO,
  paymentAccounts: [],
  addressInformation: { address: 'Provgatan 1', address2: null, zip: '111 22', city: 'Stockholm' },
  contactInformation: { email: 'faktura@fjallstrom.example', phone: '08-465 004 10' },
}
