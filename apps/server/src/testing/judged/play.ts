/** Plays a story against the product, and has it judged after every night. */
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { importBankFiles } from '../../bank-files/bank-files.ts'
import { creditInvoice, lockInvoiceAndClaim } from '../../claims/claims.ts'
import {
  pauseInvoice,
  performDailyRun,
  rejectClaimDispute,
  rejectDispute,
  upholdClaimDispute,
  upholdDispute,
} from '../../collection/collection.ts'
import { resumeInvoice } from '../../collection/decisions/pause.ts'
import { disputeClaim, disputeInvoice } from '../../disputes/disputes.ts'
import { publicViewer } from '../../sign-in/viewer.ts'
import type { Fact } from '../oracle/facts.ts'
import { findDifference, learnGivenUp, learnLetters, type Difference } from './compare.ts'
import { sendInvoice, type Sent, type Stage } from './stage.ts'
import type { Act } from './story.ts'
import { fileOf, type Money } from './tell.ts'

const today = ({ clock, instance }: Stage): CalendarDate => clock.today(instance.timeZone)
const keyOf = ({ instance }: Stage, { id }: Sent) => ({ instanceId: instance.id, invoiceId: id })

/** Plays all steps. Answers what is wrong first, and undefined when books and oracle have agreed all the time. */
export async function play(stage: Stage): Promise<Difference | undefined> {
  let sending: Promise<void>[] = []
  for (const step of stage.story.steps) {
    // What is sent beside each other is sent at once.
    if (step.do === 'send') {
      sending.push(sendInvoice(stage, step))
      continue
    }
    stage.counted += sending.length
    await Promise.all(sending)
    sending = []
    if (step.do === 'night') {
      const found = await liveNight(stage, step.isPostSent)
      if (found !== undefined) return found
    } else await act(stage, step)
  }
  // All that banks have still to tell.
  while (stage.toTell.size > 0) {
    const found = await liveNight(stage, true)
    if (found !== undefined) return found
  }
  return liveNight(stage, true)
}

type Decision = Exclude<Act, { do: 'send' | 'pay' }>

async function act(stage: Stage, step: Exclude<Act, { do: 'send' }>): Promise<void> {
  const sent = stage.documents.get(step.document)
  if (!sent) return
  if (step.do === 'pay') return pay(stage, sent, step)
  const fact = await decide(stage, sent, step)
  stage.counted += 1
  if (fact) stage.facts.push(fact)
}

const SHARES = { all: 1, half: 0.5, most: 0.93, little: 0.05, 'too much': 1.1 } as const

/** Pays a part of what was owed after the last night. */
function pay(stage: Stage, sent: Sent, { part }: Extract<Act, { do: 'pay' }>): void {
  const owed = stage.owed.get(sent.id) ?? sent.minor
  if (owed === 0 && part !== 'too much') return
  const minor = Math.max(1, Math.floor((owed || sent.minor) * SHARES[part]))
  stage.moneys += 1
  const { reference, debtor } = sent
  stage.money.push({ id: String(stage.moneys), reference, minor, country: debtor.country, on: today(stage) })
}

/** What banks have got today is put into the files that will tell of it. */
function report(stage: Stage): void {
  const reports = stage.story.reports[stage.nights]
  for (const country of stage.story.countries) {
    const money = stage.money.filter((one) => one.country === country)
    if (money.length === 0) continue
    for (const one of reports?.[country] ?? []) {
      const day = addDays(today(stage), one.after)
      stage.toTell.set(day, [...(stage.toTell.get(day) ?? []), { report: one, country, money }])
    }
  }
  stage.money = []
}

/** The files of a day come in; what they tell for the first time is a fact from now on. */
async function deliver(stage: Stage, day: CalendarDate): Promise<void> {
  const told = stage.toTell.get(day) ?? []
  stage.toTell.delete(day)
  if (told.length === 0) return
  const inputs = told.map((one, index) => ({
    name: `${day}-${index}`,
    async *open() {
      yield Buffer.from(fileOf(one), 'latin1')
    },
  }))
  for await (const { outcome, reason } of importBankFiles(stage.context, stage.instance, inputs))
    if (outcome === 'refused') throw new Error(`a bank's file is refused: ${reason}`)
  for (const { money } of told) {
    stage.counted += money.length
    for (const one of money) learnMoney(stage, one)
  }
  await learnGivenUp(stage)
}

function learnMoney({ facts, documents, seenMoney }: Stage, money: Money): void {
  if (seenMoney.has(money.id)) return
  seenMoney.add(money.id)
  const debt = [...documents.values()].find(({ reference }) => reference === money.reference)?.id ?? ''
  facts.push({ kind: 'payment', id: money.id, debt, minor: money.minor, on: money.on })
}

/** People's decisions. Answers the fact, or undefined when it was refused. */
async function decide(stage: Stage, sent: Sent, step: Decision): Promise<Fact | undefined> {
  const { context, instance } = stage
  const [key, on] = [keyOf(stage, sent), today(stage)]
  const debt = sent.id
  switch (step.do) {
    case 'dispute': {
      const viewer = publicViewer(instance, sent.reference, sent.debtor.zip)
      const objection = { debtorEmail: 'alva@example.com', reason: 'Fel.' }
      const isDone = await tried(() => disputeInvoice(context, viewer, sent.number, objection))
      return isDone ? { kind: 'dispute', debt, on } : undefined
    }
    case 'answer': {
      if (step.credit === 'none') {
        const isDone = await tried(() => rejectDispute(context, key, { on, answer: 'Nej.' }))
        return isDone ? { kind: 'answer', debt, on, credit: null } : undefined
      }
      const creditMinor = step.credit === 'all' ? 'all' : Math.ceil(sent.minor / 4)
      const isDone = await tried(() => upholdDispute(context, key, { on, decision: 'Ja.', creditMinor }))
      return isDone ? { kind: 'answer', debt, on, credit: creditMinor } : undefined
    }
    case 'pause': {
      const pause = { on, reason: 'respite', resumeDate: null }
      const isDone = await tried(() => pauseInvoice(context, key, pause))
      return isDone ? { kind: 'pause', debt, on } : undefined
    }
    case 'resume': {
      await tried(() => resumeInvoice(context, key, on))
      return { kind: 'resume', debt, on }
    }
    case 'credit':
      return credit(stage, sent, step)
    case 'dispute claim':
    case 'answer claim':
      return decideClaim(stage, sent, step)
  }
}

async function decideClaim(
  stage: Stage,
  sent: Sent,
  step: Extract<Act, { do: 'dispute claim' | 'answer claim' }>,
): Promise<Fact | undefined> {
  const { context, instance, test } = stage
  const on = today(stage)
  const { rows } = await test.owner.query<{ id: string; reference: string; zip: string; number: string }>(
    `select c.id, c.payment_reference as reference, c.zip, c.claim_number as number from claim c
     join invoice i on i.instance_id = c.instance_id and i.claim_id = c.id where i.instance_id = $1 and i.id = $2`,
    [instance.id, sent.id],
  )
  const [claim] = rows
  if (!claim) return undefined
  const key = { instanceId: instance.id, claimId: claim.id }
  if (step.do === 'dispute claim') {
    const viewer = publicViewer(instance, claim.reference, claim.zip)
    const objection = { debtorEmail: 'alva@example.com', reason: 'Fel.' }
    const isDone = await tried(() => disputeClaim(context, viewer, claim.number, objection))
    return isDone ? { kind: 'dispute', debt: claim.id, on } : undefined
  }
  const isDone = await tried(() =>
    step.credit === 'none'
      ? rejectClaimDispute(context, key, { on, answer: 'Nej.' })
      : upholdClaimDispute(context, key, { on, answer: 'Ja.', creditMinor: 'all' }),
  )
  const credit = step.credit === 'none' ? null : 'all'
  return isDone ? { kind: 'answer', debt: claim.id, on, credit } : undefined
}

async function credit(
  stage: Stage,
  sent: Sent,
  { part }: Extract<Act, { do: 'credit' }>,
): Promise<Fact | undefined> {
  const { context, facts } = stage
  const before = facts.reduce((sum, fact) => sum + creditedBy(fact, sent), 0)
  const left = sent.minor - before
  const minor = part === 'all' ? left : Math.floor(left * SHARES[part])
  if (minor <= 0) return undefined
  const on = today(stage)
  const number = `K${stage.counted}`
  const isDone = await tried(() =>
    context.db.transaction(async (tx) => {
      const credited = await lockInvoiceAndClaim(tx, keyOf(stage, sent))
      if (credited.claim) throw new Refusal('not_found')
      await creditInvoice(context, tx, credited, {
        number,
        creditMinor: minor,
        issuedOn: on,
        on,
        endPlan: (invoice) => Promise.resolve(invoice),
      })
    }),
  )
  return isDone ? { kind: 'credit', document: sent.id, minor, on } : undefined
}

function creditedBy(fact: Fact, { id, minor }: Sent): number {
  if (fact.kind === 'credit' && fact.document === id) return fact.minor
  if (fact.kind !== 'answer' || fact.debt !== id) return 0
  return fact.credit === 'all' ? minor : (fact.credit ?? 0)
}

/** Staff and debtors are refused all the time. */
async function tried(work: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await work()) !== false
  } catch (error) {
    const { name, message } = error as Error
    if (
      error instanceof Refusal ||
      name === 'DecisionRefused' ||
      message.startsWith('an invoice cannot go from')
    )
      return false
    throw error
  }
}

/** Nights on which the database counts its rows. */
const LOOKED_AT: readonly number[] = [5, 20, 60]

/** The day's files, the night, its letters, and the judge. */
async function liveNight(stage: Stage, isPostSent: boolean): Promise<Difference | undefined> {
  const { context, instance, test, clock } = stage
  const day = today(stage)
  report(stage)
  stage.nights += 1
  await deliver(stage, day)
  // As a server in use has done by then: an empty table's plans read all of it.
  if (LOOKED_AT.includes(stage.nights)) await test.owner.query('analyze')
  await performDailyRun(context, instance, day)
  if (isPostSent) {
    await test.owner.query({
      name: 'judged post',
      text: `update mail_outbox set status = 'SENT', sent_at = now() where instance_id = $1 and status = 'WAITING'`,
      values: [instance.id],
    })
  }
  stage.counted += 1
  await learnLetters(stage)
  stage.facts.push({ kind: 'night', on: day })
  const found = await findDifference(stage)
  clock.moveTo(addDays(day, 1))
  return found && { ...found, what: `on ${day}: ${found.what}` }
}
