/** The SQL of the creditors of the instance $1, with what is agreed with each. */
import { needsReminderAgreement } from '@kvitt/domain/collection/country-params.ts'
import { courtInstructionsOf } from '../staff/office-debtor.queries.ts'
import { asWritten, instantText, sqlJson, word } from '../platform/database/sql-json.ts'
import { openOfficeList, openOfficeRow, type OfficeListShape } from '../staff/office-list.ts'

/** Hundredths, as a number. */
const hundredths = (column: string) => asWritten(`${column} * 0.01`)

/** Where a reminder fee is charged only when it was agreed. */
const FEE_COUNTRIES = ['SE', 'NO', 'DK', 'FI']
  .filter(needsReminderAgreement)
  .map((code) => `'${code}'`)
  .join(', ')

/** Who entered it: a person by name, or whoever a command was told. */
const enteredBy = (column: string): string =>
  `coalesce((select p.name from person p where p.id = (select r[1]::uuid from regexp_match(${column}, '^person:([0-9a-f-]{36})') r)),
    regexp_replace(${column}, '^person:', ''))`

/** An agreement `g` as the wire has it. */
const AGREEMENT = sqlJson({
  from: word('g.from_day'),
  invoiceCommissionPercent: hundredths('g.invoice_commission_bp'),
  claimCommissionPercent: hundredths('g.claim_commission_bp'),
  currency: word('g.currency'),
  paymentPrice: hundredths('g.payment_price_minor'),
  casePrice: hundredths('g.case_price_minor'),
  vatPercent: hundredths('g.vat_bp'),
  period: word('g.period'),
  smallestPayout: hundredths('g.smallest_payout_minor'),
  source: 'g.source',
  enteredAt: instantText('g.entered_at'),
  enteredBy: enteredBy('g.entered_by'),
})

const CHARGE_OWNER = sqlJson({
  from: word('o.from_day'),
  fees: word('o.fees'),
  interest: word('o.interest'),
  source: 'o.source',
  enteredAt: instantText('o.entered_at'),
  enteredBy: enteredBy('o.entered_by'),
})

const OF_CREDITOR = 'from creditor_agreement g where g.instance_id = c.instance_id and g.creditor_id = c.id'

const LISTED = {
  id: word('c.id'),
  version: asWritten('c.xmin::text'),
  name: 'c.name',
  identificationNumber: 'c.identification_number',
  countryCode: word('c.country'),
  email: 'c.email',
  phone: 'c.phone',
  address: 'c.address',
  zip: 'c.zip',
  city: 'c.city',
  agreement: asWritten(
    `coalesce((select ${AGREEMENT} ${OF_CREDITOR} and g.from_day <= $3::date order by g.from_day desc, g.id desc limit 1), 'null')`,
  ),
}

const SHAPE: OfficeListShape = {
  name: 'clients.office',
  from: (whose) => `creditor c where c.instance_id = $1 and ${whose('c.id')}`,
  json: sqlJson(LISTED),
  targets: { name: 'c.name', identificationNumber: `coalesce(c.identification_number, '')` },
  filters: {
    id: { kind: 'id', sql: 'c.id::text' },
    countryCode: { kind: 'text', sql: 'c.country::text' },
    /** Whether anything has been agreed. */
    agreed: { kind: 'flag', sql: `(exists (select ${OF_CREDITOR}))::text` },
  },
  orders: { id: 'c.created_at', name: 'c.name' },
  tie: 'c.id',
}

export const searchClientRows = openOfficeList(SHAPE)
export const readClientJson = openOfficeRow({
  ...SHAPE,
  name: 'clients.detail',
  json: sqlJson({
    ...LISTED,
    address2: 'c.address2',
    agreements: asWritten(
      `concat('[', (select string_agg(${AGREEMENT}, ',' order by g.from_day desc, g.id desc) ${OF_CREDITOR}), ']')`,
    ),
    reminderFee: asWritten(
      `case when c.reminder_fee_agreed_on is null then 'null'
        else ${sqlJson({ agreedOn: word('c.reminder_fee_agreed_on'), source: 'c.reminder_fee_source' })} end`,
    ),
    chargeOwners: asWritten(
      `concat('[', (select string_agg(${CHARGE_OWNER}, ',' order by o.from_day desc, o.id desc)
        from (select distinct on (from_day) * from charge_owner where instance_id = c.instance_id and creditor_id = c.id
          order by from_day, id desc) o), ']')`,
    ),
    feeNeedsAgreement: asWritten(`(c.country in (${FEE_COUNTRIES}))::text`),
    openProposals: asWritten(
      `concat('[', (select string_agg(${sqlJson({ id: word('q.id'), kind: word('q.kind') })}, ',' order by q.proposed_at)
        from proposal q where q.instance_id = c.instance_id and q.creditor_id = c.id and q.status = 'OPEN'
          and q.kind in ('agreement', 'reminder_fee', 'charge_owner')), ']')`,
    ),
    courtInstructions: asWritten(courtInstructionsOf('c')),
    hasManager: asWritten(
      `(exists (select from membership m join person p on p.id = m.person_id
        where m.instance_id = c.instance_id and m.creditor_id = c.id and m.role = 'manager' and m.ended_at is null
          and (m.signed_in_at is not null or p.password_hash is not null)))::text`,
    ),
  }),
})
