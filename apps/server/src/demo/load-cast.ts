/**
 * Loads the demo: the cast's people are written down, and everything that happened to their invoices is done
 * again by the product itself on the day it happened, the bank's part by the sandbox. Interrupted and started
 * again, it goes on where it stopped.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { addDays, date, laterOf, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { computePalette } from '@kvitt/domain/instances/palette.ts'
import { normaliseZip } from '@kvitt/domain/references.ts'
import { performDailyRun } from '../collection/collection.ts'
import type { Context } from '../context.ts'
import { creditorIdentity, registrationKey, importInvoices } from '../imports/imports.ts'
import { DEMO_GUESS_SETTINGS, insertInstanceRow, openInstances } from '../instances/instances.ts'
import { approveInvoice, archiveInvoice } from '../invoices/invoices.ts'
import { makeDemoStaff } from '../staff/staff.ts'
import { choosePaymentMethods } from '../creditors/creditors.ts'
import { newId } from '../platform/identity.ts'
import { act, ACTS, onDay, type Stage } from './acts.ts'
import { castUbl, type CastFile } from './cast-ubl.ts'
import {
  readCast,
  readCastFile,
  type Cast,
  type CastInstance,
  type CastInvoice,
  type Ending,
} from './cast.ts'
import { CAST_AD_LINKS, CAST_SERVICE_TEXTS } from './cast-texts.ts'
import { goToBank, visitOf } from './go-to-bank.ts'
import { claimDays, liveClaims, nameClaimOf } from './live-claims.ts'
import { livePlans, planDays, writePlanSettings } from './live-plans.ts'
import { beginFirm } from './firm/grow-firm.ts'
import { agreeWithCast, settleCast } from './settle-cast.ts'
import {
  findCastInvoice,
  findNextStepDay,
  insertAccountRow,
  insertCreditorRow,
  insertDebtorRow,
  insertPublicFileRow,
  insertTrialRows,
  lockDemo,
  markDemoBegun,
  markDemoLoaded,
  readDemoMarker,
  removeCopyRow,
  sendPastMail,
  startInterestNumbers,
} from './demo.queries.ts'

/** How soon whoever waits for another server's cast looks whether it is there. */
const LOOK_AGAIN_MS = 500
/** Days between sending and the due date in the cast's stories. */
const TERM_DAYS = 30
/** This invoice's documents are lost, so that what happens then can be seen. */
const WITHOUT_COPY = 'se-nodoc'
/** All of the cast's creditors have agreed on a reminder fee with their customers. */
const REMINDER_FEE = { agreedOn: '2020-01-01', source: 'General terms of 2020, section 7' }
const WITH_ATTACHMENT = 'se-docs'

type LoadOptions = {
  /** The firm around the cast is to be made too (firm/grow-firm.ts), which settles the months when its money has come. */
  readonly withFirm?: boolean
}

/** Loads the cast into an empty database, or what is missing of it. `folder` holds cast.json and files/. */
export async function loadCast(context: Context, folder: string, options: LoadOptions = {}): Promise<void> {
  const load = (): Promise<boolean> =>
    context.db.transaction(async (tx) => {
      if (!(await lockDemo(tx))) return false
      await loadLockedCast(context, folder, options)
      return true
    })
  // Two servers that start on one empty database: the second waits, and finds the cast loaded.
  while (!(await load())) await sleep(LOOK_AGAIN_MS)
  // Also in a demo that an earlier version has made, which had no staff.
  const instance = await openInstances(context.db, context.clock).ofHost('localhost')
  if (instance) await makeDemoStaff(context, instance.id)
}

async function loadLockedCast(
  context: Context,
  folder: string,
  { withFirm = false }: LoadOptions,
): Promise<void> {
  const marker = await readDemoMarker(context.db)
  if (marker.is_loaded) return
  await markDemoBegun(context.db)
  const cast = readCast(folder)
  if (marker.instances === 0) await writePeople(context, cast, folder)
  const instance = await openInstances(context.db, context.clock).ofHost('localhost')
  if (!instance) throw new Error('the cast has no default instance')
  const stage = { context, instance, cast }
  await writePlanSettings(stage)
  for (const invoice of cast.invoices) await liveThrough(stage, invoice)
  await livePastRuns(stage)
  await agreeWithCast(stage)
  if (withFirm) await beginFirm(context.db, context.clock.today(instance.timeZone))
  else await settleCast(stage)
  await sendPastMail(context.db)
  await markDemoLoaded(context.db)
}

/** All people in one transaction, so that an interrupted start never leaves half a cast. */
async function writePeople(context: Context, cast: Cast, folder: string): Promise<void> {
  await context.db.transaction(async (tx) => {
    for (const wanted of cast.instances) {
      const id = newId(context.clock.now())
      await insertInstanceRow(tx, instanceRow(id, wanted))
      if (wanted.isDefault) {
        await startInterestNumbers(tx, id, cast.interestInvoicesFrom)
        await insertTrialRows(tx, id, new Date(context.clock.now()).toISOString())
      }
      const creditors = wanted.isDefault ? cast.creditors : []
      const files = [wanted.logo, wanted.loginBackground, ...creditors.map((c) => c.logo)].filter(
        (n) => n !== null,
      )
      for (const name of new Set(files)) {
        const file = { id: newId(context.clock.now()), name, content: readCastFile(folder, name) }
        await insertPublicFileRow(tx, id, file)
      }
      if (wanted.bankgiro) {
        await insertAccountRow(tx, id, {
          id: newId(context.clock.now()),
          creditorId: null,
          scheme: 'BANKGIRO',
          accountNumber: wanted.bankgiro,
          receiverName: wanted.name,
          bankName: 'Demobanken',
          iban: null,
          bic: null,
        })
        for (const account of wanted.accounts ?? []) {
          const row = {
            ...account,
            id: newId(context.clock.now()),
            creditorId: null,
            receiverName: wanted.name,
          }
          await insertAccountRow(tx, id, { ...row, scheme: 'IBAN' })
        }
      }
      for (const creditor of creditors) {
        const creditorId = newId(context.clock.now())
        await insertCreditorRow(tx, id, {
          ...creditor,
          id: creditorId,
          identity: creditorIdentity(creditor),
          reminderFee: REMINDER_FEE,
        })
        await insertAccountRow(tx, id, { ...creditor.account, id: newId(context.clock.now()), creditorId })
      }
      for (const debtor of wanted.isDefault ? cast.debtors : []) {
        // Who has no number comes with an invoice, as who they are depends on it.
        const { country, identificationNumber: number } = debtor
        if (number === null) continue
        const identity = `${country}:${registrationKey(country, number)}`
        const row = { ...debtor, zip: normaliseZip(debtor.zip), id: newId(context.clock.now()), identity }
        await insertDebtorRow(tx, id, row)
      }
    }
  })
}

function instanceRow(id: string, wanted: CastInstance): Parameters<typeof insertInstanceRow>[1] {
  return {
    id,
    name: wanted.name,
    country: wanted.country,
    language: wanted.language,
    time_zone: wanted.timeZone,
    identification_number: wanted.identificationNumber,
    url_alias: wanted.urlAlias,
    url_domain: wanted.urlDomain,
    is_default: wanted.isDefault,
    is_product_owner: wanted.isProductOwner,
    mode: 'test',
    homepage: null,
    postal_address: wanted.postalAddress,
    phone: wanted.phone,
    email: wanted.email,
    primary_colour: wanted.colours.primary,
    secondary_colour: wanted.colours.secondary,
    button_colour: wanted.colours.button,
    palette: computePalette({ primary: wanted.colours.primary, button: wanted.colours.button }),
    logo_name: wanted.logo,
    favicon_name: wanted.logo,
    background_name: null,
    login_background_name: wanted.loginBackground,
    guess_limits: DEMO_GUESS_SETTINGS,
    public_session_reach: 'instance',
    ...(wanted.isProductOwner && { service_texts: CAST_SERVICE_TEXTS, ad_links: CAST_AD_LINKS }),
  }
}

async function liveThrough(stage: Stage, wanted: CastInvoice): Promise<void> {
  const today = stage.context.clock.today(stage.instance.timeZone)
  const dueDate = addDays(today, wanted.due)
  const usual = addDays(dueDate, -TERM_DAYS)
  const sentOn = usual < today ? usual : today
  const creditor = stage.cast.creditors.find((c) => c.key === wanted.creditor)
  const debtor = stage.cast.debtors.find((d) => d.key === wanted.debtor)
  if (!creditor || !debtor) throw new Error(`the cast has no ${wanted.creditor} or no ${wanted.debtor}`)
  const file: CastFile = {
    invoice: wanted,
    creditor,
    debtor,
    issueDate: sentOn,
    dueDate,
    ...(wanted.key === WITH_ATTACHMENT
      ? {
          attachment: { name: 'Mätarställning.csv', text: 'Datum;kWh\n2026-09-30;48211\n2026-10-31;48947\n' },
        }
      : {}),
  }
  const isDraft = wanted.end === 'draft' || wanted.end === 'approved'
  await importOne(stage, sentOn, {
    name: `${wanted.key}.xml`,
    xml: castUbl(file),
    as: isDraft ? 'draft' : 'distributed',
  })
  await bringToEnd(stage, file, today)
}

async function importOne(
  stage: Stage,
  day: CalendarDate,
  { name, xml, as }: { name: string; xml: string; as: 'draft' | 'distributed' },
): Promise<void> {
  async function* inputs() {
    yield {
      name,
      async *open() {
        yield Buffer.from(xml)
      },
    }
  }
  for await (const result of importInvoices(onDay(stage, day), stage.instance, inputs(), { as })) {
    if (result.outcome === 'refused') throw new Error(`the cast's ${name} was refused: ${result.reason}`)
  }
}

const PAID_IN_TIME: readonly Ending[] = ['paid', 'archived', 'denied']

async function bringToEnd(stage: Stage, file: CastFile, today: CalendarDate): Promise<void> {
  const { context, instance } = stage
  const { invoice } = file
  const found = await findCastInvoice(context.db, instance.id, invoice.invoiceNumber)
  if (!found) throw new Error(`the cast's ${invoice.key} was not kept`)
  const key = { instanceId: instance.id, invoiceId: found.id }
  if (invoice.key === WITHOUT_COPY) await removeCopyRow(context.db, key)
  const paidOn = PAID_IN_TIME.includes(invoice.end) ? addDays(file.dueDate, -3) : today
  if (invoice.end === 'unpayable') await choosePaymentMethods(context.db, key, [])
  if (invoice.end === 'approved' && found.status === 'CREATED') {
    // It is to be seen waiting: what is approved for today is sent today.
    const sendDate = laterOf(today, addDays(file.dueDate, -10))
    await approveInvoice(onDay(stage, today), key, { sendDate, termDays: 10 })
  }
  if (invoice.end === 'credited' && found.status === 'ACTIVATED') {
    // Before the reminder: a fee on an invoice that was wrong would have to be taken back.
    const creditedOn = addDays(file.dueDate, 5)
    const xml = castUbl(
      { ...file, issueDate: creditedOn },
      { number: `K${invoice.invoiceNumber}`, of: invoice.invoiceNumber },
    )
    await importOne(stage, creditedOn, { name: `${invoice.key}-credit.xml`, xml, as: 'distributed' })
  }
  const isAtBank = invoice.end === 'signed' || invoice.end === 'declined' || paidOn !== today
  if (isAtBank && found.status === 'ACTIVATED') {
    const visit = visitOf(file, { invoiceId: found.id, paidOn, amount: invoice.total })
    await goToBank(onDay(stage, paidOn), instance, visit)
  }
  const after = await findCastInvoice(context.db, instance.id, invoice.invoiceNumber)
  if (invoice.end === 'archived' && after?.status === 'CLOSED') await archiveInvoice(context, key)
}

/**
 * The daily runs since the first due date, with what people did in between. Daily runs on which nothing can be due are
 * left out: they would change nothing.
 */
async function livePastRuns(stage: Stage): Promise<void> {
  const { context, instance, cast } = stage
  const today = context.clock.today(instance.timeZone)
  const overdue = cast.invoices.filter((i) => i.due < 0)
  const actDay = (i: CastInvoice): CalendarDate => addDays(today, i.due + (ACTS[i.end] ?? 0))
  const late = overdue.flatMap((i) => [addDays(today, i.due + 1), actDay(i), addDays(actDay(i), 1)])
  const eventful = new Set([...late, ...planDays(cast, today), ...claimDays(cast, today), today])
  const nameClaim = nameClaimOf(cast)
  for (let day = [...eventful].sort()[0] ?? today; day <= today; ) {
    for (const invoice of overdue.filter((i) => ACTS[i.end] !== undefined && actDay(i) === day)) {
      await act(stage, invoice, day)
    }
    await livePlans({ ...stage, context: onDay(stage, day) }, day, today)
    await liveClaims({ ...stage, context: onDay(stage, day) }, day, today)
    await performDailyRun({ ...onDay(stage, day), nameClaim }, instance, day)
    await sendPastMail(context.db)
    const planned = await findNextStepDay(context.db, instance.id, day)
    const ahead = [...eventful].filter((d) => d > day).sort()[0]
    day = planned && ahead && planned < ahead ? date(planned) : (ahead ?? addDays(today, 1))
  }
}
