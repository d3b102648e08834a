/** The books of a stage beside what the oracle makes of the same facts. */
import type { Fact, Owed } from '../oracle/facts.ts'
import { judge } from '../oracle/oracle.ts'
import type { Stage } from './stage.ts'

/** Letters that may cost something or ask for interest, and what hands an invoice over. */
const LETTERS = `('REMINDER', 'DELAYED_PENALTY_FEE', 'COLLECTION_NOTIFICATION', 'COLLECTION', 'COLLECTION_CLAIM', 'BAILIFF_PAYMENT_INJUCTION')`

type StepRow = {
  id: string
  debt: string
  type: string
  number: number
  day: string
  claim: string | null
  /** It posted no interest, as a letter had that was taken back since. */
  silent: boolean
}

/** Tells the oracle which letters there are by now, and forgets those that were never sent. */
export async function learnLetters({ test, instance, facts, seenSteps }: Stage): Promise<void> {
  const { rows } = await test.owner.query<StepRow>({
    name: 'judged letters',
    text: `select s.id, s.debt_id as debt, s.type, s.number, s.performed_date::text as day, i.claim_id as claim,
       s.rest_before is null and exists (
         select from collection_step r
         join ledger_transaction t on t.instance_id = r.instance_id and t.cause = 'interest:' || r.id
         join ledger_transaction b on b.instance_id = r.instance_id and b.cause = 'unsent:' || r.id
         where r.instance_id = s.instance_id and r.debt_id = s.debt_id and r.status = 'SKIPPED'
           and t.booked_on <= s.performed_date and b.booked_on > s.performed_date) as silent
     from collection_step s left join invoice i on i.instance_id = s.instance_id and i.id = s.invoice_id
     where s.instance_id = $1 and s.status = 'PERFORMED' and s.type in ${LETTERS} order by s.performed_date, s.id`,
    values: [instance.id],
  })
  const standing = new Set(rows.map(({ id }) => id))
  for (let index = facts.length - 1; index >= 0; index--) {
    const fact = facts[index] as Fact & { readonly stepId?: string }
    if (fact.stepId !== undefined && !standing.has(fact.stepId)) facts.splice(index, 1)
  }
  for (const { id, debt, type, number, day, claim, silent } of rows) {
    if (seenSteps.has(id)) {
      if (silent)
        Object.assign(facts.find((fact) => 'stepId' in fact && fact.stepId === id) ?? {}, { isSilent: true })
      continue
    }
    seenSteps.add(id)
    const fact: Fact =
      type === 'COLLECTION'
        ? { kind: 'joined', document: debt, claim: claim ?? debt, on: day }
        : { kind: 'step', debt, type, number, on: day, isSilent: silent }
    facts.push(Object.assign(fact, { stepId: id }))
  }
}

type GivenUpRow = {
  id: string
  debt: string
  minor: number
  paid: number
  valued: string
  booked: string
  /** The money was the first of its day and amount on the debt, or the second. */
  nth: number
}

/** Small rests that the house has given up since it was last asked, each right after the money that left it. */
export async function learnGivenUp({ test, instance, facts, seenSteps }: Stage): Promise<void> {
  const { rows } = await test.owner.query<GivenUpRow>({
    name: 'judged given up',
    text: `select t.id, coalesce(t.claim_id, t.invoice_id) as debt, l.amount_minor::int as paid,
       least(l.value_date, l.bank_date)::text as valued, t.booked_on::text as booked, sum(-p.amount_minor)::int as minor, (
         select count(*)::int from ledger_transaction e
         join bank_line o on o.instance_id = e.instance_id and e.cause = 'payment:' || o.id
         where e.instance_id = t.instance_id and e.id < t.id and o.amount_minor = l.amount_minor
           and least(o.value_date, o.bank_date) = least(l.value_date, l.bank_date)
           and (e.claim_id = t.claim_id or e.invoice_id = t.invoice_id or e.invoice_id in (
             select i.id from invoice i where i.instance_id = t.instance_id and i.claim_id = t.claim_id))) as nth
     from ledger_transaction t
     join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
     join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind in ('principal', 'costs', 'interest')
     join bank_line l on l.instance_id = t.instance_id and l.id = split_part(t.cause, ':', 3)::uuid
     where t.instance_id = $1 and t.cause like 'write-off:payment:%' and t.id <> all($2)
     group by t.instance_id, t.id, t.claim_id, t.invoice_id, t.booked_on, l.amount_minor, l.value_date, l.bank_date order by t.id`,
    values: [instance.id, [...seenSteps]],
  })
  for (const { id, debt, minor, paid, valued, booked, nth } of rows) {
    if (seenSteps.has(id)) continue
    seenSteps.add(id)
    const names = new Set([debt])
    for (const fact of facts) if (fact.kind === 'joined' && fact.claim === debt) names.add(fact.document)
    const equal = facts.flatMap((fact, index) =>
      fact.kind === 'payment' && names.has(fact.debt) && fact.minor === paid && fact.on === valued
        ? [index]
        : [],
    )
    const at = equal[nth - 1]
    if (at === undefined) throw new Error(`no money after which ${minor} of ${debt} were given up`)
    facts.splice(at + 1, 0, { kind: 'given-up', id, debt, minor, on: booked, owedTo: valued })
  }
}

type OwedRow = Owed & { readonly id: string }

const OWED = `select id, principal_minor::int as principal, costs_minor::int as costs, interest_minor::int as interest`

type Books = {
  readonly owed: readonly OwedRow[]
  readonly back: readonly { debtor: string; minor: number }[]
  readonly billed: readonly { debt: string; minor: number }[]
  readonly unplaced: number
  /** Debtors of claims over several invoices of which one was paid before the claim: a person puts those right. */
  readonly byHand: ReadonlySet<string>
}

async function readBooks({ test: { owner }, instance: { id } }: Stage): Promise<Books> {
  const ask = async <Row>(name: string, text: string): Promise<Row[]> =>
    (await owner.query({ name: `judged ${name}`, text, values: [id] })).rows as Row[]
  return {
    owed: await ask(
      'owed',
      `${OWED} from invoice where instance_id = $1 and type = 'INVOICE' union all ${OWED} from claim where instance_id = $1`,
    ),
    back: await ask(
      'back',
      `select debtor_id as debtor, -sum(balance_minor)::int as minor from ledger_account
       where instance_id = $1 and kind = 'credit' group by debtor_id`,
    ),
    billed: await ask(
      'billed',
      `select l.debt_id as debt, sum(i.total_minor)::int as minor
       from (select distinct instance_id, debt_id, bill_id from late_days where instance_id = $1 and bill_id is not null) l
       join invoice i on i.instance_id = l.instance_id and i.id = l.bill_id and i.balance_minor > 0 group by l.debt_id`,
    ),
    byHand: new Set(
      (
        await ask<{ debtor: string }>(
          'by hand',
          `select c.debtor_id as debtor from task k
           join claim c on c.instance_id = k.instance_id and c.claim_number = k.details ->> 'claimNumber'
           where k.instance_id = $1 and k.kind = 'restate_by_hand' and k.details ->> 'reason' = 'claim'`,
        )
      ).map(({ debtor }) => debtor),
    ),
    unplaced:
      (
        await ask<{ minor: number }>(
          'unplaced',
          `select coalesce(sum(balance_minor), 0)::int as minor from ledger_account where instance_id = $1 and kind = 'suspense'`,
        )
      )[0]?.minor ?? 0,
  }
}

export type Difference = {
  /** With the facts that it is about. */
  readonly what: string
  /** The debtor; undefined when nobody's. */
  readonly debtor: string | undefined
}

const NONE = { principal: 0, costs: 0, interest: 0 }
const inWords = ({ principal, costs, interest }: Owed = NONE): string => `${principal} ${costs} ${interest}`

/** The first thing about which books and oracle do not agree, by debt and bucket. */
export async function findDifference(stage: Stage): Promise<Difference | undefined> {
  const books = await readBooks(stage)
  const verdict = judge(stage.facts)
  stage.favours = verdict.favours
  stage.owed = owedByDocument(stage, books.owed)
  const { byHand } = books
  const byId = new Map<string, Owed>(books.owed.map((row) => [row.id, row]))
  const money = (minor: number | undefined): string => String(minor ?? 0)
  const back = new Map(books.back.map(({ debtor, minor }) => [debtor, minor]))
  const billed = new Map(books.billed.map(({ debt, minor }) => [debt, minor]))
  return (
    firstOf(stage, 'owes', { pairs: pairs(byId, verdict.owed, inWords), byHand }) ??
    firstOf(stage, 'is owed back', { pairs: pairs(back, verdict.owedBack, money), byHand }) ??
    firstOf(stage, 'is billed interest of', { pairs: pairs(billed, verdict.billed, money), byHand }) ??
    (books.unplaced === 0 ? undefined : { what: `${books.unplaced} are in suspense`, debtor: undefined })
  )
}

type Pair = { readonly id: string; readonly is: string; readonly should: string }

function pairs<Value>(
  is: ReadonlyMap<string, Value>,
  should: ReadonlyMap<string, Value>,
  text: (value: Value | undefined) => string,
): Pair[] {
  const ids = [...new Set([...is.keys(), ...should.keys()])]
  return ids.map((id) => ({ id, is: text(is.get(id)), should: text(should.get(id)) }))
}

type Compared = { readonly pairs: readonly Pair[] } & Pick<Books, 'byHand'>

function firstOf(stage: Stage, verb: string, { pairs: all, byHand }: Compared): Difference | undefined {
  const debtorOf = (id: string): string | undefined =>
    factsAbout(stage, id).find((fact) => fact.kind === 'document')?.debtor
  const found = all.find(({ id, is, should }) => is !== should && !byHand.has(debtorOf(id) ?? ''))
  if (!found) return undefined
  const { id, is, should } = found
  const facts = factsAbout(stage, id)
  const debtor = debtorOf(id)
  const lines = facts.map((fact) => `\n  ${JSON.stringify(fact)}`).join('')
  return { what: `${id} ${verb} ${is}, the oracle says ${should}${lines}`, debtor }
}

function owedByDocument({ facts }: Stage, rows: readonly OwedRow[]): Map<string, number> {
  const owed = new Map(rows.map((row) => [row.id, row.principal + row.costs + row.interest]))
  for (const fact of facts)
    if (fact.kind === 'joined') owed.set(fact.document, owed.get(fact.claim) ?? owed.get(fact.document) ?? 0)
  return owed
}

/** The facts about a debt or debtor, and of what is joined with it. */
function factsAbout({ facts }: Stage, id: string): Fact[] {
  const names = new Set([id])
  for (const fact of facts) if (fact.kind === 'document' && names.has(fact.debtor)) names.add(fact.id)
  for (const fact of facts)
    if (fact.kind === 'joined' && (names.has(fact.claim) || names.has(fact.document)))
      names.add(fact.claim).add(fact.document)
  for (const fact of facts) if (fact.kind === 'joined' && names.has(fact.claim)) names.add(fact.document)
  return facts.filter((fact) => Object.values(fact).some((value) => names.has(String(value))))
}
