import { dirname, join } from 'node:path'
import { openActivity } from './activity.ts'
import { openBank } from './bank/bank.ts'
import { openStatements } from './bank/statements.ts'
import type { BankFile } from './bank/statements.ts'
import type { Transfer } from './bank/transfers.ts'
import { openBook } from './bank/book.ts'
import type { Payment } from './bank/payment.ts'
import { openEid } from './eid/eid.ts'
import { openIssuer } from './issuer/issuer.ts'
import type { Clock } from './clock.ts'
import type { SandboxConfig } from './config.ts'
import { openDelays } from './delays.ts'
import type { SlowSeconds } from './delays.ts'
import { openFaults } from './faults.ts'
import type { AllFaults, ArmedFaults, Faults, Target } from './faults.ts'
import { openJournal } from './journal.ts'
import type { Journal } from './journal.ts'
import { openAccessPoint } from './mail/access-point.ts'
import type { Submission } from './mail/access-point.ts'
import { openDigitalMailbox } from './mail/digital-mailbox.ts'
import { openMailbox } from './mail/mailbox.ts'
import type { Message } from './mail/mailbox.ts'
import { openRecipients } from './mail/recipients.ts'
import type { Recipient } from './mail/recipients.ts'
import { takeLetters } from './mail/printer.ts'
import type { MobileOrder, Refund } from './mobile/mobile-order.ts'
import { openPhone } from './mobile/phone.ts'
import { openRefunds } from './mobile/refunds.ts'
import { openNotifications } from './notifications.ts'
import type { Notice } from './notifications.ts'
import { openReceiver } from './receiver/receiver.ts'
import { connectProduct } from './product.ts'
import { openSlowPayer } from './slow-payer.ts'

/** Everything of the sandbox except its listeners, brought to where the journal says it was. */
export function openParts(journalPath: string, port: number, config: SandboxConfig, clock: Clock) {
  const journal = openJournal(journalPath)
  const activity = openActivity(clock.now)
  const { report } = activity
  const product = connectProduct(config.productPort, clock)
  const today = () => product.today()
  const allFaults = openFaults(journal, report)
  const delays = openDelays(journal, report)
  const slowPayer = openSlowPayer(delays, clock, report)
  const told = openTold({ journal, clock, report }, allFaults)
  const book = openBook(journal, told.bank, report)
  const bank = openBank({
    book,
    faults: allFaults.of('bank'),
    clock,
    today,
    isAnswering: product.isAnswering,
  })
  const statements = openStatements({ journal, bank, clock, product, report })
  const mobile = { journal, faults: allFaults.of('mobile'), notifications: told.mobile, clock, report }
  const phone = openPhone(mobile)
  const eid = openEid({ faults: allFaults.of('eid'), clock, report })
  const origin = `http://localhost:${port}`
  const issuer = openIssuer({ origin, faults: allFaults.of('issuer'), clock, report })
  const refunds = openRefunds(mobile)
  const post = openPost({
    journal,
    faults: allFaults.of('mail'),
    clock,
    report,
    attachments: join(dirname(journalPath), 'attachments'),
    printQueue: join(config.dataDir, 'print-queue'),
  })
  journal.replay((line) => {
    const entry = line as JournalEntry
    if (entry.type === 'payment') book.replayPayment(entry.payment)
    if (entry.type === 'change') book.replayChange(entry.paymentId, entry.change)
    if (entry.type === 'transfer') statements.replayTransfer(entry.transfer)
    if (entry.type === 'bankFile') statements.replayFile(entry.file)
    if (entry.type === 'mobile') phone.replay(entry.order)
    if (entry.type === 'mobileRefund') refunds.replay(entry.refund)
    if (entry.type === 'message') post.mailbox.replay(entry.message)
    if (entry.type === 'recipient') post.recipients.replay(entry.recipient)
    if (entry.type === 'submission') post.accessPoint.replay(entry.submission)
    // Entries from before there were several counterparties name none, and their notices have no body.
    if (entry.type === 'notice' && entry.notice.body) told[entry.target ?? 'bank'].queue(entry.notice)
    if (entry.type === 'noticeDone') told[entry.target ?? 'bank'].forget(entry.eventId)
    if (entry.type === 'delays') delays.replay(entry.seconds)
    if (entry.type === 'faults') allFaults.replay(entry.target ?? 'bank', entry.armed)
  })
  const receiver = openReceiver({ now: clock.now, report })
  const signUrl = (token: string) => `${origin}/bank/sign/${token}`
  const close = async () => {
    for (const one of Object.values(told)) one.stop()
    slowPayer.stop()
    await journal.close()
  }
  return {
    journal,
    activity,
    report,
    product,
    today,
    allFaults,
    delays,
    slowPayer,
    told,
    bank,
    statements,
    phone,
    eid,
    issuer,
    refunds,
    ...post,
    receiver,
    signUrl,
    clock,
    close,
  }
}

/** Who hears of what has become of their orders, each in the rhythm of its protocol. */
function openTold(parts: Pick<PostParts, 'journal' | 'clock' | 'report'>, allFaults: AllFaults) {
  const telling = (target: Target, retryAfterMs: number[], mostAttempts: number) =>
    openNotifications({ ...parts, target, faults: allFaults.of(target), retryAfterMs, mostAttempts })
  return {
    bank: telling('bank', [1_000, 2_000, 5_000, 10_000, 30_000, 60_000], Number.POSITIVE_INFINITY),
    mobile: telling('mobile', [5_000, 10_000, 20_000, 40_000, 60_000], 11),
  }
}

type PostParts = {
  journal: Pick<Journal, 'append' | 'saved'>
  faults: Faults
  clock: Clock
  report(text: string): void
  /** Folders: of what is attached to messages, and where the product puts letters for printing. */
  attachments: string
  printQueue: string
}

/** Everything that letters arrive in. */
function openPost({ journal, faults, clock, report, attachments, printQueue }: PostParts) {
  const mailbox = openMailbox(journal, attachments, report)
  const recipients = openRecipients(journal, report)
  const parts = { mailbox, recipients, faults, clock }
  return {
    mailbox,
    recipients,
    digitalMailbox: openDigitalMailbox(parts),
    accessPoint: openAccessPoint({ ...parts, journal }),
    takePost: () => takeLetters({ mailbox, journal, clock }, printQueue),
  }
}

/** One line of the journal. */
type JournalEntry =
  | { type: 'payment'; payment: Payment }
  | { type: 'change'; paymentId: string; change: Partial<Payment> }
  | { type: 'transfer'; transfer: Transfer }
  | { type: 'bankFile'; file: BankFile }
  | { type: 'mobile'; order: MobileOrder }
  | { type: 'mobileRefund'; refund: Refund }
  | { type: 'message'; message: Message }
  | { type: 'recipient'; recipient: Recipient }
  | { type: 'submission'; submission: Submission }
  | { type: 'notice'; target?: 'bank' | 'mobile'; notice: Notice }
  | { type: 'noticeDone'; target?: 'bank' | 'mobile'; eventId: string }
  | { type: 'faults'; target?: Target; armed: ArmedFaults }
  | { type: 'delays'; seconds: SlowSeconds }

export type Parts = ReturnType<typeof openParts>
