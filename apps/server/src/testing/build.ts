/** Builders: the smallest world a test needs, each part with a plain default. */
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { computePalette } from '@kvitt/domain/instances/palette.ts'
import { makeReference, normaliseZip } from '@kvitt/domain/references.ts'
import type { GuessSettings } from '../instances/guess-limits.ts'
import { insertInstanceRow } from '../instances/instances.queries.ts'
import { distributeInvoice } from '../invoices/lifecycle.ts'
import type { Clock } from '../platform/clock.ts'
import { insertSettingRow } from '../part-payments/part-payments.ts'
import { newId, newReferenceDigits } from '../platform/identity.ts'
import type { TestDatabase } from './test-database.ts'

export const TODAY = date('2026-11-20')

/** A clock whose business day stands still until a test moves it. */
export function testClock(day: CalendarDate = TODAY): Clock & { moveTo(day: CalendarDate): void } {
  let today = day
  return {
    now: () => Date.now(),
    today: () => today,
    moveTo: (next) => {
      today = next
    },
  }
}

/** Tests guess wrong all the time, and all from one address. Those of the guard ask for its limits. */
const UNGUARDED: GuessSettings = {
  referencePerDay: null,
  referencePerMonth: null,
  zipPerHour: null,
  networkPerHour: null,
  instancePerTenMinutes: null,
  eidStartsPerTenMinutes: null,
  questionsPerHour: null,
}

export async function buildInstance(
  { db }: TestDatabase,
  {
    alias = 'nordklar',
    domain = 'portal.test',
    isDefault = true,
    guessLimits = UNGUARDED,
    reach = 'instance',
  }: {
    alias?: string
    domain?: string
    isDefault?: boolean
    guessLimits?: GuessSettings
    reach?: 'creditor' | 'instance'
  } = {},
): Promise<{ id: string; host: string }> {
  const id = newId(Date.now())
  await insertInstanceRow(db, {
    id,
    name: `${alias} AB`,
    country: 'SE',
    language: 'sv',
    time_zone: 'Europe/Stockholm',
    identification_number: '559999-0016',
    url_alias: alias,
    url_domain: domain,
    is_default: isDefault,
    is_product_owner: isDefault,
    mode: 'test',
    homepage: null,
    phone: '031-390 06 10',
    email: `kundservice@${alias}.example`,
    primary_colour: '#0b5c6b',
    secondary_colour: '#f2b84b',
    button_colour: '#0b5c6b',
    palette: computePalette({ primary: '#0b5c6b', button: '#0b5c6b' }),
    logo_name: null,
    favicon_name: null,
    background_name: null,
    login_background_name: null,
    guess_limits: guessLimits,
    public_session_reach: reach,
  })
  return { id, host: `${alias}.${domain}` }
}

/** What an instance offers: months, fees in öre, and rate of each plan, and an account. */
export async function buildPlanSettings({ db }: TestDatabase, instanceId: string): Promise<void> {
  const common = {
    currency: 'SEK',
    interestFreeDays: 0,
    termsDays: 14,
    thresholdPercent: null,
    addToExisting: false,
    legalVisible: true,
    termsVisible: true,
    smallestBalanceMinor: 30_000,
    creditorId: null,
    validFrom: '2020-01-01',
    isOffered: true,
  }
  const plan = (code: string, months: number | null, fees: readonly [number, number], percent = '0') => ({
    ...common,
    id: newId(Date.now()),
    code,
    months,
    startFeeMinor: fees[0],
    monthlyFeeMinor: fees[1],
    percent,
  })
  await insertSettingRow(db, instanceId, {
    ...plan('PLAN_3', 3, [0, 2900]),
    variant: 'PART_PAYMENT',
    legalVisible: false,
  })
  await insertSettingRow(db, instanceId, { ...plan('PLAN_6', 6, [9500, 2900]), variant: 'PART_PAYMENT' })
  await insertSettingRow(db, instanceId, {
    ...plan('PLAN_12', 12, [19_500, 2900], '19.90'),
    variant: 'PART_PAYMENT',
  })
  await insertSettingRow(db, instanceId, {
    ...plan('ONGOING_6', 6, [9500, 2900]),
    variant: 'ONGOING_PAYMENT',
    legalVisible: false,
  })
  await insertSettingRow(db, instanceId, {
    ...plan('ACCOUNT', null, [0, 2900], '19.90'),
    variant: 'PART_PAYMENT_ACCOUNT',
    thresholdPercent: '10',
    addToExisting: true,
  })
}

export type BuiltInvoice = {
  readonly instanceId: string
  readonly id: string
  readonly reference: string
  readonly zip: string
  readonly number: string
  readonly creditorId: string
  readonly debtorId: string
}

export type InvoiceWishes = {
  readonly totalMinor?: number
  readonly dueDate?: CalendarDate
  readonly zip?: string
  readonly number?: string
  readonly type?: 'INVOICE' | 'CREDIT_INVOICE' | 'PART_INVOICE' | 'INTEREST_INVOICE' | 'MEMBERSHIP_FEE'
  /** How far it should come: a draft, waiting for its send date, or sent and owed. */
  readonly status?: 'CREATED' | 'PENDING' | 'ACTIVATED'
  readonly currency?: string
  readonly reference?: string
  /** Another invoice whose creditor, debtor and reference this one shares. */
  readonly beside?: BuiltInvoice
  /** Another invoice whose creditor this one shares, with a debtor of its own. */
  readonly ofCreditorOf?: BuiltInvoice
  readonly hasAccount?: boolean
  readonly debtorName?: string
  readonly debtorKind?: 'PERSON' | 'COMPANY'
}

let counter = 100_000

/** The bank account behind the bankgiro that every creditor of the tests prints: money on it may be for any of them. */
export async function buildSharedAccount(
  { db }: Pick<TestDatabase, 'db'>,
  instanceId: string,
): Promise<void> {
  await db.rows(
    {
      name: 'build.sharedAccount',
      text: `with made as (
          insert into payment_account (instance_id, id, scheme, account_number, receiver_name, is_usable, number_key)
          values ($1, $2, 'BANKGIRO', '9990-0227', 'Every creditor', false, 'shared')
          on conflict do nothing returning instance_id, id)
        insert into account_address (instance_id, account_id, address)
        select instance_id, id, 'SE BANKGIRO 99900227' from made on conflict do nothing`,
    },
    [instanceId, newId(Date.now())],
  )
}

async function buildParties({ db }: TestDatabase, instanceId: string, wishes: InvoiceWishes) {
  const { ofCreditorOf: other } = wishes
  const creditorId = other?.creditorId ?? newId(Date.now())
  const hasAccount = other === undefined && (wishes.hasAccount ?? true)
  const ids = { creditorId, debtorId: newId(Date.now()), accountId: other ? null : newId(Date.now()) }
  const zip = normaliseZip(wishes.zip ?? '11122')
  const number = ++counter
  await db.rows(
    {
      name: 'build.creditor',
      text: `insert into creditor (instance_id, id, identity, name, country, zip, city, email, reminder_fee_agreed_on, reminder_fee_source)
    values ($1, $2, $3, $4, 'SE', '111 22', 'Stockholm', 'faktura@fjallstrom.example', '2000-01-01', 'General terms, 7') on conflict (instance_id, id) do nothing`,
    },
    [instanceId, ids.creditorId, `creditor-${number}`, 'Fjällström Demo Energi AB'],
  )
  await db.rows(
    {
      name: 'build.debtor',
      text: `insert into debtor (instance_id, id, identity, kind, name, country, zip, city, email)
    values ($1, $2, $3, $6, $4, 'SE', $5, 'Stockholm', 'alva.provlund@example.com')`,
    },
    [
      instanceId,
      ids.debtorId,
      `debtor-${number}`,
      wishes.debtorName ?? 'Alva Provlund',
      zip,
      wishes.debtorKind ?? 'PERSON',
    ],
  )
  if (hasAccount) {
    await buildSharedAccount({ db }, instanceId)
    await db.rows(
      {
        name: 'build.account',
        text: `insert into payment_account (instance_id, id, creditor_id, scheme, account_number, receiver_name, bank_name, is_usable, number_key, holder)
      values ($1, $2, $3, 'BANKGIRO', '9990-0227', 'Fjällström Demo Energi AB', 'Demobanken', true, $4, 'INSTANCE')`,
      },
      [instanceId, ids.accountId, ids.creditorId, `BANKGIRO${number}`],
    )
  }
  return { ...ids, zip }
}

/** The creditors that came with a file have agreed on a reminder fee with their customers, as those built here have. */
export async function agreeReminderFees(
  { owner }: Pick<TestDatabase, 'owner'>,
  instanceId: string,
): Promise<void> {
  await owner.query(
    `update creditor set reminder_fee_agreed_on = '2000-01-01', reminder_fee_source = 'General terms, 7'
     where instance_id = $1 and reminder_fee_agreed_on is null`,
    [instanceId],
  )
}

/** An invoice of its own creditor and debtor, brought to its status by the product's own functions. */
export async function buildInvoice(
  test: TestDatabase,
  instanceId: string,
  clock: Clock,
  wishes: InvoiceWishes = {},
): Promise<BuiltInvoice> {
  const { beside } = wishes
  const parties = beside
    ? { creditorId: beside.creditorId, debtorId: beside.debtorId, accountId: null, zip: beside.zip }
    : await buildParties(test, instanceId, wishes)
  const id = newId(Date.now())
  const reference = beside?.reference ?? wishes.reference ?? makeReference('SE', newReferenceDigits())
  const number = wishes.number ?? String(++counter)
  const today = clock.today('Europe/Stockholm')
  if (!beside) {
    await test.db.rows(
      {
        name: 'build.reference',
        text: 'insert into payment_reference (instance_id, reference, debtor_id, creditor_id) values ($1, $2, $3, $4)',
      },
      [instanceId, reference, parties.debtorId, parties.creditorId],
    )
  }
  const first = wishes.status === 'CREATED' ? 'CREATED' : 'PENDING'
  await test.db.rows({ name: 'build.invoice', text: `insert into invoice (instance_id, id, creditor_id, debtor_id, type, status, invoice_number, payment_reference, zip,
      issue_date, expire_date, currency, total_minor, payment_account_id, rows)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)` }, [
    instanceId, id, parties.creditorId, parties.debtorId, wishes.type ?? 'INVOICE', first, number, reference, parties.zip, today,
    wishes.dueDate ?? addDays(today, 14), wishes.currency ?? 'SEK', wishes.totalMinor ?? 84_200,
    (wishes.hasAccount ?? true) ? parties.accountId : null,
    JSON.stringify([{ line: '1', name: 'El', description: null, quantity: '1', unit: 'C62', amountMinor: wishes.totalMinor ?? 84_200, accountNumber: null }]),
  ]) // biome-ignore format: in the order of the columns
  if ((wishes.status ?? 'ACTIVATED') === 'ACTIVATED') {
    await distributeInvoice({ db: test.db, clock }, { instanceId, invoiceId: id }, today)
  }
  return {
    instanceId,
    id,
    reference,
    zip: parties.zip,
    number,
    creditorId: parties.creditorId,
    debtorId: parties.debtorId,
  }
}
