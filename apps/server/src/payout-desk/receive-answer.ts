/** A bank's answer to a file of payouts, that somebody hands in: what it refuses has come back, and a person is asked. */
import { createHash } from 'node:crypto'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { amountText } from '@kvitt/domain/money.ts'
import type { putPayoutAnswer } from '@kvitt/domain/payouts/payout.contract.ts'
import type { SentFile } from '@kvitt/domain/sent-file.contract.ts'
import { noteDeed } from '../audit/audit.ts'
import {
  isDebitedUnexplained,
  lockBankFiles,
  lockDebtsOfOrders,
  takeBackMoneyOut,
  takeLateDebits,
  takeUpOrder,
} from '../bank-files/bank-files.ts'
import type { Context } from '../context.ts'
import { ImportRefusal } from '../imports/imports.ts'
import { giveBack, saidAfter, lockPayouts, movePayout, type PayoutRow } from '../payouts/payouts.ts'
import type { Transaction } from '../platform/database/database.ts'
import { actorOf, type OperatorMember } from '../staff/staff.ts'
import { readPain002, type BankAnswer } from './pain002.ts'
import { findFileByMessage, insertAnswerRow } from './payout-files.queries.ts'

type Received = AnswerOf<typeof putPayoutAnswer>

/** Whole or not at all. Refuses `payout_answer_unreadable`, `payout_file_unknown` for a file or an order that is none of ours, and `payout_contradicted`: what the bank has paid it refuses no more, and a person has to ask. */
export async function receiveAnswer(
  context: Context,
  principal: OperatorMember,
  file: SentFile,
): Promise<Received> {
  const { instance } = principal
  const { answer, hash } = await read(file)
  return context.db.transaction(async (tx) => {
    await lockBankFiles(tx, instance.id)
    const fileId = await findFileByMessage(tx, instance.id, answer.messageId)
    if (fileId === undefined) throw new Refusal('payout_file_unknown', { name: answer.messageId }, ['file'])
    const isNew = await insertAnswerRow(tx, instance.id, { hash, fileId })
    const counts = isNew
      ? await apply(tx, { context, principal, fileId }, answer)
      : { accepted: 0, refused: 0, late: 0 }
    if (isNew) {
      const about = `payout-file:${fileId}`
      await noteDeed(tx, {
        instanceId: instance.id,
        kind: 'payout_answered',
        by: actorOf(principal),
        about,
        after: counts,
      })
    }
    return { file: fileId, ...counts, duplicate: !isNew }
  })
}

async function read(file: SentFile): Promise<{ answer: BankAnswer; hash: Buffer }> {
  const pieces: Uint8Array[] = []
  for await (const piece of file.pieces()) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  try {
    return { answer: readPain002(bytes), hash: createHash('sha256').update(bytes).digest() }
  } catch (error) {
    if (!(error instanceof ImportRefusal)) throw error
    throw new Refusal('payout_answer_unreadable', { detail: error.message }, ['file'])
  }
}

type Work = { readonly context: Context; readonly principal: OperatorMember; readonly fileId: string }

async function apply(
  tx: Transaction,
  work: Work,
  { messageId, writtenAt, whole, single }: BankAnswer,
): Promise<Pick<Received, 'accepted' | 'refused' | 'late'>> {
  const { id: instanceId } = work.principal.instance
  await lockDebtsOfOrders(tx, instanceId, { fileId: work.fileId })
  const payouts = await lockPayouts(tx, instanceId, work.fileId)
  for (const id of single.keys())
    if (!payouts.some((payout) => payout.id === id))
      throw new Refusal('payout_file_unknown', { name: messageId }, ['file'])
  const counts = { accepted: 0, refused: 0, late: 0 }
  for (const payout of payouts) {
    // A file that is refused whole is refused, whatever it says of the single orders.
    const said = whole?.verdict === 'REFUSED' ? whole : (single.get(payout.id) ?? whole)
    if (!said) continue
    const { verdict: to, reason } = said
    if (to === 'REFUSED' && (await isDebited(tx, instanceId, payout))) {
      const { amountMinor, currency } = payout
      throw new Refusal('payout_contradicted', { amount: amountText(amountMinor), currency }, ['file'])
    }
    if (to === 'ACCEPTED' && payout.status === 'NOT_EXECUTED') {
      // Two people had said that it was not executed. That it is well formed says nothing against them, nor what the bank wrote before.
      if (said.isOnlyFormed) continue
      if (writtenAt !== undefined && (await saidAfter(tx, instanceId, { id: payout.id, writtenAt }))) continue
      // The bank will, whatever has gone another way since.
      counts[(await takeUpOrder(outOf(tx, work), payout.id)) ? 'accepted' : 'late'] += 1
      continue
    }
    const isNews =
      to === 'REFUSED' ? comeBack(tx, work, payout, reason) : movePayout(tx, instanceId, payout, { to })
    if (await isNews) counts[to === 'REFUSED' ? 'refused' : 'accepted'] += 1
  }
  return counts
}

/** What it has paid, or has debited of what two people had said was not executed, the bank refuses no more. */
async function isDebited(tx: Transaction, instanceId: string, { id, status }: PayoutRow): Promise<boolean> {
  return status === 'PAID' || (status === 'NOT_EXECUTED' && (await isDebitedUnexplained(tx, instanceId, id)))
}

const outOf = (tx: Transaction, { context: { clock }, principal: { instance } }: Work) => {
  return { tx, clock, instanceId: instance.id, today: clock.today(instance.timeZone) }
}

/** It is held for the creditor again, and expected on the statement no more. */
async function comeBack(
  tx: Transaction,
  wanted: Work,
  payout: PayoutRow,
  reason: string | null,
): Promise<boolean> {
  const work = outOf(tx, wanted)
  if (!(await giveBack(work, payout, { to: 'REFUSED', reason }))) return false
  // Two people had said so before: it was expected no more.
  if (payout.status === 'NOT_EXECUTED') return true
  if (!(await takeBackMoneyOut(work, payout.about)))
    throw new Error(`payout ${payout.id} was refused and has left`)
  await takeLateDebits(work, { about: payout.about })
  return true
}
