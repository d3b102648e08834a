/** A file is kept with all its lines or not at all, before anything of it is booked. */
import type { BankFile, BankReport, Deposit } from '@kvitt/domain/bank-files/bank-file.ts'
import { sumOfBankLines } from '@kvitt/domain/bank-files/bank-file.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { paymentIdOfEndToEnd } from '@kvitt/domain/payments/end-to-end.ts'
import { findAccounts, keepTold, type KnownAccount } from '../creditors/creditors.ts'
import { ImportRefusal } from '../imports/imports.ts'
import type { Clock } from '../platform/clock.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { openBreather } from '../platform/breathe.ts'
import { keepBalances } from './bank-statements.ts'
import { newEntries } from './camt/keep-camt.ts'
import { keepPage, readOtherEntries } from './camt/keep-pages.ts'
import {
  insertFileRow,
  insertLineRows,
  lockKeeping,
  readDepositSum,
  type NewLine,
} from './bank-files.queries.ts'
import type { ReadBankFile } from './read-bank-file.ts'

/** A million million: sums of many of these are still exact. */
const MOST_MINOR = 100_000_000_000_000

/** Many lines at once, and each statement still small. */
const LINES_AT_ONCE = 1000

const KINDS = { payment: 'PAYMENT', deduction: 'DEDUCTION', outgoing: 'OUTGOING' } as const

type Keeping = { readonly instanceId: string; readonly fileId: string; readonly clock: Clock }

/** `by`: who handed it in, as the audit log names them; null for a command. */
export type Receiving = Omit<Keeping, 'fileId'> & { readonly by: string | null }

/**
 * Keeps the lines of a file that no file has told of. Answers how many those are, and which file it is; none for one that is here
 * already.
 * Throws ImportRefusal for money on an account that is nobody's here, and for a deposit that is known with another sum.
 */
export async function keepFile(
  tx: Transaction,
  { instanceId, clock, by }: Receiving,
  { name, hash, content }: ReadBankFile,
): Promise<{ readonly fileId: string | undefined; readonly lines: number }> {
  await lockKeeping(tx, instanceId)
  const keeping = { instanceId, clock, fileId: newId(clock.now()) }
  const file = { id: keeping.fileId, name, format: content.format, hash, by }
  if (!(await insertFileRow(tx, instanceId, file))) return { fileId: undefined, lines: 0 }
  const lines = await (content.reports
    ? keepReports(tx, keeping, { deposits: content.deposits, reports: content.reports })
    : insertDeposits(tx, keeping, await newDeposits(tx, keeping, content), 0))
  return { fileId: file.id, lines }
}

/** Each report is held against what is kept by then, so that two of one file may tell of the same entries. */
async function keepReports(
  tx: Transaction,
  keeping: Keeping,
  { deposits, reports }: { deposits: readonly Deposit[]; reports: readonly BankReport[] },
): Promise<number> {
  let kept = 0
  for (const [place, report] of reports.entries()) {
    const owner = await ownerOf(tx, keeping, report)
    const of = { instanceId: keeping.instanceId, accountId: owner.id }
    const its = deposits.filter(({ entry }) => entry?.report === place)
    const ofOtherPages = report.page ? await readOtherEntries(tx, of, report.page) : new Set<string>()
    const { found, names } = await newEntries(tx, { ...of, isWhole: report.isWhole, ofOtherPages }, its)
    const owned = found.map((deposit) => ({ deposit, owner, isDoubtful: deposit.isDoubtful }))
    kept += await insertDeposits(tx, keeping, owned, kept)
    const at = { ...keeping, accountId: owner.id }
    if (report.page) await keepPage(tx, at, { ...report.page, entries: names })
    else {
      if (report.balances) await keepBalances(tx, at, report.balances)
      await keepTold(tx, at, [report])
    }
  }
  return kept
}

type Owned = { readonly deposit: Deposit; readonly owner: KnownAccount; readonly isDoubtful: boolean }

/** Answers how many lines those are; `from` is how many the file has before them. */
async function insertDeposits(
  tx: Transaction,
  keeping: Keeping,
  deposits: readonly Owned[],
  from: number,
): Promise<number> {
  const breathe = openBreather()
  let waiting: NewLine[] = []
  let number = from
  for (const owned of deposits) {
    await breathe()
    const lines = linesOf(keeping, owned, number)
    number += lines.length
    waiting.push(...lines)
    if (waiting.length < LINES_AT_ONCE) continue
    await insertLineRows(tx, keeping.instanceId, waiting)
    waiting = []
  }
  if (waiting.length > 0) await insertLineRows(tx, keeping.instanceId, waiting)
  return number - from
}

/** The deposits, by name, that no file has told of. */
async function newDeposits(tx: Transaction, keeping: Keeping, { deposits }: BankFile): Promise<Owned[]> {
  const found: Owned[] = []
  const seen = new Set<string>()
  for (const deposit of deposits) {
    const { account, key, currency } = deposit
    const name = `${account} ${key}`
    if (seen.has(name)) throw new ImportRefusal(`The deposit ${key} on ${account} is twice in the file.`)
    seen.add(name)
    const owner = await ownerOf(tx, keeping, deposit)
    await keepTold(tx, { ...keeping, accountId: owner.id }, [{ numbered: deposit.numbered }])
    const told = await readDepositSum(tx, keeping.instanceId, { accountId: owner.id, account, key, currency })
    if (told === undefined) found.push({ deposit, owner, isDoubtful: false })
    else if (told !== sumOfBankLines(deposit.lines)) {
      throw new ImportRefusal(
        `The deposit ${key} on ${account} is known with another sum. Ask the bank which is right.`,
      )
    }
  }
  return found
}

/** The account that the deposit came to. Throws ImportRefusal when it is nobody's here, or may be several. */
async function ownerOf(
  tx: Transaction,
  { instanceId }: Keeping,
  { account, scheme }: Pick<Deposit, 'account' | 'scheme'>,
): Promise<KnownAccount> {
  const [owner, ...others] = await findAccounts(tx, instanceId, { scheme, account })
  if (!owner) throw new ImportRefusal(`${account} is not an account of this instance or of its creditors.`)
  if (others.length > 0)
    throw new ImportRefusal(`${account} may be several accounts here. Ask the bank for files with the IBAN.`)
  return owner
}

function linesOf({ fileId, clock }: Keeping, { deposit, owner, isDoubtful }: Owned, from: number): NewLine[] {
  const absurd = deposit.lines.find(({ amountMinor }) => amountMinor > MOST_MINOR)
  if (absurd) {
    const amount = `${amountText(absurd.amountMinor)} ${deposit.currency}`
    throw new ImportRefusal(
      `${amount} on ${deposit.account} is more than can be: ask the bank for another file.`,
    )
  }
  // What a creditor sends from its own account is none of our business.
  const kept = deposit.lines.filter(({ kind }) => kind !== 'outgoing' || owner.holder !== 'CREDITOR')
  const depositMinor = deposit.entry ? null : sumOfBankLines(kept)
  return kept.map((line, index) => ({
    id: newId(clock.now()),
    file_id: fileId,
    number: from + index + 1,
    account_key: deposit.account,
    account_id: owner.id,
    deposit_key: deposit.key,
    deposit_line: index + 1,
    deposit_minor: depositMinor,
    bank_ids: index === 0 ? (deposit.entry?.ids ?? {}) : {},
    is_doubtful: isDoubtful,
    creditor_ids: owner.creditorId === null ? null : [owner.creditorId],
    holder: owner.holder,
    kind: KINDS[line.kind],
    amount_minor: line.amountMinor,
    currency: deposit.currency,
    bank_date: line.day,
    value_date: line.valueDate ?? null,
    payment_references: line.references,
    payer: line.payer,
    payer_scheme: line.payerAccount?.scheme ?? null,
    payer_account: line.payerAccount?.number ?? null,
    message: line.message,
    named_payment_id: paymentIdOfEndToEnd(line.endToEndId ?? '') ?? null,
  }))
}
