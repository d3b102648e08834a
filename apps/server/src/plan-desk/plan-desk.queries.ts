/** The SQL of what plans and accounts are offered on, as a provider's people see and change it. */
import type { WrittenSetting } from '@kvitt/domain/part-payments/setting-version.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { instantText } from '../platform/database/sql-json.ts'

const nameOf = (column: string): string => `(select p.name from person p where p.id = ${column})`
const amount = (column: string): string => `(s.${column} / 100.0)::numeric(20, 2)::text`

/** As it is written; `s` is the setting. */
const WRITTEN = `s.code, s.variant, s.currency, s.months, ${amount('start_fee_minor')} as "startFee",
  ${amount('monthly_fee_minor')} as "monthlyFee", s.percent::text as percent, s.interest_free_days as "interestFreeDays",
  s.terms_days as "termsDays", s.threshold_percent::text as "thresholdPercent", s.add_to_existing as "addToExisting",
  s.legal_visible as "legalVisible", s.terms_visible as "termsVisible", ${amount('smallest_balance_minor')} as "smallestBalance",
  s.is_offered as "isOffered", s.valid_from::text as "from"`

/** By first day, and of one day in the order of their agreement: the last that has begun counts. */
const ORDER = 's.valid_from, s.position'

const listed = statement(
  'planDesk.listed',
  `select s.id, s.creditor_id as "creditorId", ${WRITTEN}, coalesce(r.running, 0)::int as running,
     ${nameOf('x.proposed_by')} as "proposedBy", ${nameOf('x.decided_by')} as "agreedBy", ${instantText('x.decided_at')} as "agreedAt"
   from part_payment_setting s
   left join proposal x on x.instance_id = s.instance_id and x.id = s.proposal_id
   left join (select p.setting_id, count(*) as running from part_payment p
     where p.instance_id = $1 and p.status = 'ACTIVE' group by 1) r on r.setting_id = s.id
   where s.instance_id = $1 and s.conversation_id is null order by s.code, ${ORDER}`,
)

export type ListedVersion = WrittenSetting & {
  readonly id: string
  readonly creditorId: string | null
  readonly running: number
  readonly proposedBy: string | null
  readonly agreedBy: string | null
  readonly agreedAt: string | null
}

/** Versions in the order in which they count, of whichever kind: a code that was of another kind before is past there. */
export function readListed(db: Connection, instanceId: string): Promise<ListedVersion[]> {
  return db.rows<ListedVersion>(listed, [instanceId])
}

const proposed = statement(
  'planDesk.proposed',
  `select x.id, x.creditor_id as "creditorId", x.after, ${nameOf('x.proposed_by')} as "proposedBy",
     ${instantText('x.proposed_at')} as "proposedAt"
   from proposal x where x.instance_id = $1 and x.kind = 'plan_setting' and x.status = 'OPEN' and x.after ->> 'variant' = any($2)
   order by x.proposed_at, x.id`,
)

export type ProposedVersion = {
  readonly id: string
  readonly creditorId: string | null
  readonly after: WrittenSetting
  readonly proposedBy: string
  readonly proposedAt: string
}

export function readProposed(
  db: Connection,
  instanceId: string,
  variants: readonly string[],
): Promise<ProposedVersion[]> {
  return db.rows<ProposedVersion>(proposed, [instanceId, variants])
}

const creditors = statement(
  'planDesk.creditors',
  'select id, name, country from creditor where instance_id = $1 order by name, id',
)

export type OwnerRow = { readonly id: string; readonly name: string; readonly country: string }

export function readOwners(db: Connection, instanceId: string): Promise<OwnerRow[]> {
  return db.rows<OwnerRow>(creditors, [instanceId])
}

const lock = statement(
  'planDesk.lock',
  `select pg_advisory_xact_lock(hashtextextended('plan-settings ' || $1::text, 0))`,
)

/** Whoever else proposes or agrees to a version of the provider waits until the transaction ends. */
export async function lockVersions(tx: Transaction, instanceId: string): Promise<void> {
  await tx.rows(lock, [instanceId])
}

const ofCode = statement(
  'planDesk.ofCode',
  `select s.id, s.creditor_id as "creditorId", ${WRITTEN} from part_payment_setting s
   where s.instance_id = $1 and s.code = $2 and s.conversation_id is null order by ${ORDER}`,
)

export type CodeVersion = WrittenSetting & { readonly id: string; readonly creditorId: string | null }

/** Every version of a code at the provider, of whichever owner, in the order in which they count. */
export function readVersionsOf(db: Connection, instanceId: string, code: string): Promise<CodeVersion[]> {
  return db.rows<CodeVersion>(ofCode, [instanceId, code])
}

const countries = statement(
  'planDesk.countries',
  `select c.country, n.mode = 'live' as "isLive",
     (select o.payment_methods from creditor o where o.instance_id = $1 and o.id = $2) as methods
   from instance n
   left join (select country, count(*) as count from creditor where instance_id = $1 and ($2::uuid is null or id = $2)
     group by country) c on true
   where n.id = $1 order by c.count desc nulls last, c.country`,
)

/** Countries of the creditors that it is for, where most are first; whether debts are real; and the ways to pay that the creditor takes, null for all. */
export async function readPlaces(
  db: Connection,
  { instanceId, creditorId }: { readonly instanceId: string; readonly creditorId: string | null },
): Promise<{ countries: string[]; isLive: boolean; methods: string[] | null }> {
  const rows = await db.rows<{ country: string | null; isLive: boolean; methods: string[] | null }>(
    countries,
    [instanceId, creditorId],
  )
  return {
    countries: rows.flatMap(({ country }) => (country === null ? [] : [country])),
    isLive: rows[0]?.isLive ?? false,
    methods: rows[0]?.methods ?? null,
  }
}
