/** The place of a story: an instance with its accounts, creditors and debtors, and what has been delivered to it so far. */
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { makeReference } from '@kvitt/domain/references.ts'
import { readConfig } from '../../../config/config.ts'
import type { Context } from '../../context.ts'
import { chooseOwnAccount } from '../../creditors/creditors.ts'
import { openInstances, type Instance } from '../../instances/instances.ts'
import { distributeInvoice } from '../../invoices/lifecycle.ts'
import { newId, newReferenceDigits } from '../../platform/identity.ts'
import { openLog } from '../../platform/log.ts'
import type { Database } from '../../platform/database/database.ts'
import { buildInstance, testClock } from '../build.ts'
import { MANY_STARTS } from '../many-starts.ts'
import type { Fact, Favour } from '../oracle/facts.ts'
import type { TestDatabase } from '../test-database.ts'
import { countryOf, DEBTORS, type Act, type Country, type Story } from './story.ts'
import { ACCOUNTS, CURRENCIES, type Money, type Told } from './tell.ts'
import { NO_JOURNAL } from '../store/no-journal.ts'

export type Sent = {
  readonly id: string
  readonly number: string
  readonly reference: string
  readonly debtor: Debtor
  readonly minor: number
}

type Debtor = {
  readonly id: string
  readonly zip: string
  readonly country: Country
  readonly kind: 'PERSON' | 'COMPANY'
  readonly isAgreed: boolean
}

export type Stage = {
  readonly test: TestDatabase
  readonly story: Story
  readonly context: Context
  readonly instance: Instance
  readonly clock: ReturnType<typeof testClock>
  /** By country, and whether reminder fees are agreed. */
  readonly creditors: ReadonlyMap<string, string>
  readonly debtors: readonly Debtor[]
  /** By their numbers in the story. */
  readonly documents: Map<number, Sent>
  /** In the order in which they became known. */
  readonly facts: Fact[]
  /** What banks are still to tell, by day. */
  readonly toTell: Map<CalendarDate, Told[]>
  /** Letters and hand-overs that the oracle knows of. */
  /** What banks have got today. */
  money: Money[]
  readonly seenSteps: Set<string>
  readonly seenMoney: Set<string>
  /** What each debt owed after the last night. */
  owed: ReadonlyMap<string, number>
  /** What the debtors have been let off so far. */
  favours: readonly Favour[]
  /** What has happened: acts, facts that were told, nights. */
  counted: number
  moneys: number
  nights: number
}

const insertCreditor = {
  name: 'judged.creditor',
  text: `insert into creditor (instance_id, id, identity, name, country, zip, city, email, reminder_fee_agreed_on, reminder_fee_source)
    values ($1, $2, $3, 'Fjällström Demo Energi AB', $4, '111 22', 'Stockholm', 'faktura@fjallstrom.example',
      case when $5::boolean then date '2000-01-01' end, case when $5::boolean then 'General terms, 7' end)`,
}
const insertDebtors = {
  name: 'judged.debtors',
  text: `insert into debtor (instance_id, id, identity, kind, name, country, zip, city, email)
    select $1, n.id, n.id::text, n.kind, 'Alva Provlund', n.country, n.zip, 'Stockholm', case when n.zip like '%0' then 'alva.provlund@example.com' end
    from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as n (id, kind, zip, country)`,
}
let stages = 0

/** An empty stage on the story's first day. `troubled` is the database as the product sees it. */
export async function setStage(
  test: TestDatabase,
  story: Story,
  troubled: Database = test.db,
): Promise<Stage> {
  stages += 1
  const alias = `judged${stages}`
  const clock = testClock(story.firstDay)
  const { id } = await buildInstance(test, { alias, isDefault: false })
  const instance = await openInstances(test.db, clock).ofHost(`${alias}.portal.test`)
  if (!instance) throw new Error('the story has no instance')
  const creditors = new Map<string, string>()
  for (const country of story.countries) {
    for (const isAgreed of [true, false]) {
      const name = `${country} ${isAgreed}`
      creditors.set(name, newId(Date.now()))
      await test.db.rows(insertCreditor, [id, creditors.get(name), name, country, isAgreed])
    }
    const { form, number } = ACCOUNTS[country]
    const account = {
      by: 'person:anna',
      form,
      number,
      currency: CURRENCIES[country],
      receiver: 'Nordklar AB',
    }
    await chooseOwnAccount({ db: test.db, clock }, id, { ...account, bank: undefined, bic: undefined })
  }
  const debtors = Array.from(
    { length: DEBTORS },
    (_, n): Debtor => ({
      id: newId(Date.now()),
      zip: String(10_000 + n),
      country: countryOf(story, n),
      kind: n % 5 === 0 ? 'COMPANY' : 'PERSON',
      isAgreed: n % 7 !== 1,
    }),
  )
  await test.db.rows(insertDebtors, [
    id,
    debtors.map((debtor) => debtor.id),
    debtors.map(({ kind }) => kind),
    debtors.map(({ zip }) => zip),
    debtors.map(({ country }) => country),
  ])
  return {
    test, story, clock, instance, creditors, debtors,
    context: contextOf(troubled, clock),
    documents: new Map(), facts: [], toTell: new Map(), money: [], seenSteps: new Set(), seenMoney: new Set(), owed: new Map(), favours: [], counted: 0, moneys: 0, nights: 0,
  } // biome-ignore format: a list of parts
}

function contextOf(db: Database, clock: Stage['clock']): Context {
  return {
    config: readConfig(MANY_STARTS),
    db,
    clock,
    log: openLog('silent'),
    gateways: [],
    identityProvider: undefined,
    journal: NO_JOURNAL,
    starterKey: new Uint8Array(32),
    fileKey: new Uint8Array(32),
    guessKey: new Uint8Array(32),
    version: 'judged',
  }
}

const insertInvoice = {
  name: 'judged.invoice',
  text: `with named as (
     insert into payment_reference (instance_id, reference, debtor_id, creditor_id) values ($1, $6, $4, $3)
   )
   insert into invoice (instance_id, id, creditor_id, debtor_id, type, status, invoice_number, payment_reference, zip,
      issue_date, expire_date, currency, total_minor, rows)
   values ($1, $2, $3, $4, 'INVOICE', 'PENDING', $5, $6, $7, $8, $9, $10, $11, '[]')`,
}

/** Sends an invoice to a debtor, by the product's own function. */
export async function sendInvoice(stage: Stage, act: Extract<Act, { do: 'send' }>): Promise<void> {
  const { test, clock, instance, documents, facts } = stage
  const debtor = stage.debtors[act.debtor]
  if (!debtor) return
  const { country, isAgreed } = debtor
  const today = clock.today(instance.timeZone)
  const dueOn = addDays(today, act.termDays)
  const id = newId(Date.now())
  const number = String(act.document)
  const reference = makeReference(country, newReferenceDigits())
  documents.set(act.document, { id, number, reference, debtor, minor: act.minor })
  facts.push({
    kind: 'document',
    id,
    debtor: debtor.id,
    country,
    debtorKind: debtor.kind === 'COMPANY' ? 'business' : 'consumer',
    minor: act.minor,
    sentOn: today,
    dueOn,
    isFeeAgreed: isAgreed,
  })
  await test.db.rows(insertInvoice, [
    instance.id, id, stage.creditors.get(`${country} ${isAgreed}`), debtor.id, number, reference, debtor.zip, today, dueOn,
    CURRENCIES[country], act.minor,
  ]) // biome-ignore format: in the order of the columns
  await distributeInvoice({ db: test.db, clock }, { instanceId: instance.id, invoiceId: id }, today)
}
