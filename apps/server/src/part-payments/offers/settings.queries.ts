/** The SQL of what is offered, and of what decides whether it may be. */
import type { PlanSetting } from '@kvitt/domain/part-payments/offer.ts'
import { statement, type Connection, type Transaction } from '../../platform/database/database.ts'

/** As offers are made of it; `s` is the setting. */
export const SETTING_COLUMNS = `s.id, s.code, s.variant, s.currency, s.months, s.start_fee_minor as "startFeeMinor",
  s.monthly_fee_minor as "monthlyFeeMinor", s.percent::text as percent, s.interest_free_days as "interestFreeDays",
  s.terms_days as "termsDays", s.threshold_percent::text as "thresholdPercent",
  s.add_to_existing as "addToExisting", s.legal_visible as "legalVisible", s.terms_visible as "termsVisible",
  s.smallest_balance_minor as "smallestBalanceMinor", s.monthly_minor as "monthlyMinor", s.first_in_days as "firstInDays"`

const settingsOn = statement(
  'partPayments.settingsOn',
  `select ${SETTING_COLUMNS}
   from (
     select distinct on (code) * from part_payment_setting
     where instance_id = $1 and (creditor_id is null or creditor_id = $2) and valid_from <= $3::date
       and conversation_id is null
     order by code, creditor_id nulls last, valid_from desc, position desc
   ) s where s.is_offered order by s.code`,
)

/** What the creditor offers on a day: of each code the newest row, its own before its instance's. Null: whoever has none of its own. */
export function readSettings(
  db: Connection,
  { instanceId, creditorId }: { instanceId: string; creditorId: string | null },
  day: string,
): Promise<PlanSetting[]> {
  return db.rows<PlanSetting>(settingsOn, [instanceId, creditorId, day])
}

const settingsById = statement(
  'partPayments.setting',
  `select ${SETTING_COLUMNS} from part_payment_setting s where s.instance_id = $1 and s.id = any($2)`,
)

/** Settings by their identifiers, in any order. */
export function readSettingsById(
  db: Connection,
  instanceId: string,
  settingIds: readonly string[],
): Promise<PlanSetting[]> {
  return db.rows<PlanSetting>(settingsById, [instanceId, settingIds])
}

export async function readSetting(
  db: Connection,
  instanceId: string,
  settingId: string,
): Promise<PlanSetting | undefined> {
  return (await readSettingsById(db, instanceId, [settingId]))[0]
}

const insertSetting = statement(
  'partPayments.insertSetting',
  `insert into part_payment_setting (instance_id, id, creditor_id, code, variant, currency, months, start_fee_minor,
     monthly_fee_minor, percent, interest_free_days, terms_days, threshold_percent, add_to_existing, legal_visible,
     terms_visible, smallest_balance_minor, valid_from, is_offered, conversation_id, monthly_minor, first_in_days, proposal_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)`,
)

export type NewSetting = PlanSetting & {
  /** Null: for every creditor of the instance without a row of its own. */
  readonly creditorId: string | null
  readonly validFrom: string
  readonly isOffered: boolean
  /** Agreed in this conversation, for one debt: nobody else is offered it. */
  readonly conversationId?: string
  /** What two people agreed to. */
  readonly proposalId?: string
}

export async function insertSettingRow(db: Connection, instanceId: string, s: NewSetting): Promise<void> {
  await db.rows(insertSetting, [
    instanceId, s.id, s.creditorId, s.code, s.variant, s.currency, s.months, s.startFeeMinor, s.monthlyFeeMinor,
    s.percent, s.interestFreeDays, s.termsDays, s.thresholdPercent, s.addToExisting, s.legalVisible, s.termsVisible,
    s.smallestBalanceMinor, s.validFrom, s.isOffered, s.conversationId ?? null, s.monthlyMinor ?? null, s.firstInDays ?? null,
    s.proposalId ?? null,
  ]) // biome-ignore format: in the order of the columns
}

const anySetting = statement(
  'partPayments.anySetting',
  'select exists (select from part_payment_setting where instance_id = $1 and conversation_id is null) as is_there',
)

/** Has anything ever been offered here? */
export async function hasSettings(db: Connection, instanceId: string): Promise<boolean> {
  return (await db.rows<{ is_there: boolean }>(anySetting, [instanceId]))[0]?.is_there ?? false
}

const factsOf = statement(
  'partPayments.facts',
  `select d.kind, c.country, c.name as creditor_name,
     exists (select from payment p where p.instance_id = i.instance_id
       and (p.status = 'AUTHORIZED' or p.is_outcome_unknown)
       and p.debt_id in (select i.id union all
         select x.id from invoice x where x.instance_id = i.instance_id and x.claim_id = i.id)) as has_authorized,
     (select coalesce(array_agg(p.id), '{}') from payment p where p.instance_id = i.instance_id
       and p.status in ('CREATED', 'IN_PROGRESS') and not p.is_outcome_unknown
       and p.debt_id in (select i.id union all
         select x.id from invoice x where x.instance_id = i.instance_id and x.claim_id = i.id)) as open_payments,
     coalesce(i.payment_methods, c.payment_methods) as methods,
     exists (select from part_payment_member m where m.instance_id = i.instance_id and m.debt_id = i.id)
       as had_plan,
     (select n.mode = 'live' from instance n where n.id = $1) as is_live
   from (
     select instance_id, id, creditor_id, debtor_id, payment_methods from invoice where instance_id = $1 and id = $2
     union all
     select instance_id, id, creditor_id, debtor_id, null from claim where instance_id = $1 and id = $2) i
   join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
   join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id`,
)

export type FactsRow = {
  kind: 'PERSON' | 'COMPANY'
  country: string
  creditor_name: string
  has_authorized: boolean
  /** Payments that somebody may be about to sign. */
  open_payments: string[]
  /** The ways to pay that its creditor takes; null takes all. */
  methods: string[] | null
  had_plan: boolean
  /** The instance's debts are real. */
  is_live: boolean
}

/** What besides the row of an invoice or claim decides about an offer. */
export async function readFacts(db: Connection, instanceId: string, debtId: string): Promise<FactsRow> {
  const row = (await db.rows<FactsRow>(factsOf, [instanceId, debtId]))[0]
  if (!row) throw new Error(`debt ${debtId} does not exist`)
  return row
}

const runningAccounts = statement(
  'partPayments.runningAccounts',
  `select p.id, p.setting_id, s.code, coalesce((
       select sum(i.balance_minor) from part_payment_member m
       join invoice i on i.instance_id = m.instance_id and i.id = m.invoice_id and i.status = 'ACTIVATED'
       where m.instance_id = p.instance_id and m.part_payment_id = p.id), 0)::bigint as left_minor
   from part_payment p
   join part_payment_setting s on s.instance_id = p.instance_id and s.id = p.setting_id
   where p.instance_id = $1 and p.debtor_id = $2 and p.creditor_id = $3 and p.currency = $4 and p.status = 'ACTIVE'
     and s.variant = 'PART_PAYMENT_ACCOUNT' and s.add_to_existing
   order by p.started_on, p.id`,
)

export type RunningAccount = { id: string; setting_id: string; code: string; left_minor: number }

/** The debtor's accounts with this creditor that take more up, each on the terms on which it began; the oldest first. */
export function readRunningAccounts(
  db: Connection,
  of: { instanceId: string; debtorId: string; creditorId: string; currency: string },
): Promise<RunningAccount[]> {
  return db.rows<RunningAccount>(runningAccounts, [of.instanceId, of.debtorId, of.creditorId, of.currency])
}

const agreedTerms = statement(
  'partPayments.agreedTerms',
  `select agreement->>'offerVersion' as "offerVersion" from part_payment where instance_id = $1 and id = $2`,
)

/** Which version of the offers a plan was agreed on. */
export async function readAgreedTerms(
  tx: Transaction,
  plan: { instance_id: string; id: string },
): Promise<{ offerVersion: string | null }> {
  const row = (await tx.rows<{ offerVersion: string | null }>(agreedTerms, [plan.instance_id, plan.id]))[0]
  if (!row) throw new Error(`plan ${plan.id} does not exist`)
  return row
}
