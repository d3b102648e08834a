/** Money that goes back by transfer, for tests: too much that was paid, what was nobody's, the file to the bank and the bank's word. */
import { beforeAll, expect } from 'vitest'
import { answerPayouts } from '../../../../sandbox/src/bank/payout-orders.ts'
import { isTaskOpen } from '../../tasks/tasks.ts'
import type { BuiltInvoice } from '../build.ts'
import { openOffice, told, type AskOffice } from '../staff.ts'
import type { Answer } from '../start-test-server.ts'
import { build, one, rows, server, takeFiles, useBankFiles } from './bank-files.ts'
import { camt, type CamtEntry } from './bank-formats.ts'
import { formWith } from './sample-files.ts'

export const DAY = '2026-11-20'
export const OF_ADA = 'SE4550000000058398257466'
export const OF_BO = 'SE3550000000054910000003'
export let ask: AskOffice
let serial = 0

/** For the top of a test file: bank files, an account of client funds, and an office that may send money back. */
export function openRefundOffice(): void {
  useBankFiles()
  beforeAll(async () => {
    ask = await openOffice(server, ['finance', 'manager', 'approver', 'support', 'auditor'])
    await rows(`update payment_account set holder = 'INSTANCE' where creditor_id is null`)
  })
}

export const tell = async (
  ...entries: readonly (Partial<CamtEntry> & { readonly amountMinor: number })[]
) => {
  serial += 1
  const all = entries.map((entry, at) => ({
    currency: 'SEK',
    day: DAY as never,
    bankId: `R${serial}-${at}`,
    ...entry,
  }))
  await takeFiles(camt({ account: { other: '99900110' }, serial, message: '054', entries: all }))
}
/** An invoice of 100.00 that 100.00 and the surplus were paid on, and the task that asks to send that back. */
export async function overpaid(
  surplus: number,
  payerIban?: string,
): Promise<{ invoice: BuiltInvoice; task: string; about: string }> {
  const invoice = await build(10_000, { hasAccount: false })
  const payer = payerIban === undefined ? {} : { payerIban, payer: 'Ada &amp; Bo Ek' }
  await tell({ amountMinor: 10_000 + surplus, reference: invoice.reference, ...payer })
  const { id, about } = await one<{ id: string; about: string }>(
    `select id, about from task where kind = 'refund' and about like 'payment:%' and done_at is null order by opened_at desc, id desc limit 1`,
  )
  return { invoice, task: id, about }
}
/** Money of nobody's, that somebody sends back. */
export async function sentBack(
  amountMinor: number,
  payerIban: string,
): Promise<{ line: string; task: string }> {
  await tell({ amountMinor, message: `nobody ${serial}`, payer: 'Okand Betalare', payerIban })
  const { id: line } = await one<{ id: string }>(
    `select id from bank_line where status = 'SUSPENSE' and amount_minor = $1 order by id desc limit 1`,
    amountMinor,
  )
  expect((await ask('finance', `POST /suspense/${line}/send-back`)).status).toBe(200)
  const { id: task } = await one<{ id: string }>(
    `select id from task where kind = 'send_back' and about = $1`,
    `bank-line:${line}`,
  )
  return { line, task }
}

export const idOf = (answer: Answer): string => {
  expect(answer.status, answer.text).toBeLessThan(300)
  return (answer.json as { id: string }).id
}
export const propose = (refunds: readonly string[], wish: object = {}) =>
  ask('finance', 'POST /refunds/files', { currency: 'SEK', refunds, ...wish })
export const approve = (who: 'manager' | 'approver' | 'finance', proposal: string) =>
  ask(who, `POST /proposals/${proposal}/approve`)
export type File = { id: string; content: string; orders: { id: string; about: string }[] }
export async function fileOfProposal(proposal: string): Promise<File> {
  const file = await one<{ id: string; content: string }>(
    `select id, content from payout_file where proposal_id = $1 and kind = 'REFUND'`,
    proposal,
  )
  const orders = await rows<{ id: string; about: string }>(
    'select id, about from payout where file_id = $1 order by about',
    file.id,
  )
  return { ...file, orders }
}
export async function send(...refunds: string[]): Promise<File> {
  const proposal = idOf(await propose(refunds))
  expect(told(await approve('approver', proposal))).toEqual([200, undefined])
  return fileOfProposal(proposal)
}
/** The bank reads the file and answers it, as its sandbox does. */
export function bankOf(file: File, refuse: 'all' | string[] = []) {
  const body = JSON.parse(String(answerPayouts({ content: file.content, refuse }, DAY).body)) as {
    pain002: string
    camt054: string | null
  }
  const hand = (path: string, text: string) => ask('finance', path, formWith(Buffer.from(text), 'bank.xml'))
  return {
    answer: () => hand('PUT /payouts/answers', body.pain002),
    debit: async () => {
      if (body.camt054 !== null) await takeFiles(body.camt054)
    },
  }
}
export const caseOf = async (task: string) =>
  (await ask('finance', `GET /refunds/${task}`)).json as Record<string, unknown>
export const isOpen = (kind: 'refund' | 'send_back' | 'payout_to_confirm', about: string) =>
  isTaskOpen(server.test.db, { instanceId: server.instanceId, kind, about })

/** The refunds and send-backs in kronor that a file could have, by their tasks. */
export const gathered = async (): Promise<string[]> =>
  ((await ask('finance', 'GET /refunds/gathered?currency=SEK')).json as { rows: { id: string }[] }).rows.map(
    ({ id }) => id,
  )
