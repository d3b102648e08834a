/** What a person may do about a task of each kind. Whatever else ends its cause ends the task by itself. */
import type { TaskKind } from './task-kind.ts'

export const TASK_ACTS = [
  /** The creditor stands by the debt; the reason is the answer to the debtor. */
  'reject',
  /** The debtor was right, wholly or with an amount. */
  'uphold',
  /** It has been settled with the bank or the gateway, and nothing here has to be booked. */
  'settled',
  /** The message goes again, from its first way on. */
  'resend',
  /** The message is not sent any more. */
  'drop',
  /** What kept a letter here has been mended: the next daily run writes it again. */
  'mended',
] as const
export type TaskAct = (typeof TASK_ACTS)[number]

export type TaskGuide = {
  readonly acts: readonly TaskAct[]
  /** What to do, in a sentence or two for the person on the night shift. */
  readonly advice: string
}

const BY_ITSELF = 'It ends by itself once its cause is gone.'

export const TASK_GUIDES: Readonly<Record<TaskKind, TaskGuide>> = {
  dispute_to_answer: {
    acts: ['reject', 'uphold'],
    advice:
      'Answer the debtor. "reject": the debt stands, and the reason is the answer. "uphold": the debtor was right, with --amount in part.',
  },
  question_asked: {
    acts: [],
    advice: 'The creditor answers it in its portal. It ends with the answer, or when the debt is over.',
  },
  more_time_asked: {
    acts: [],
    advice:
      'The creditor decides it in its portal: the day, another one, or none. No step is taken meanwhile.',
  },
  plan_proposed: {
    acts: [],
    advice:
      'The creditor accepts the plan in its portal, proposes another, or declines. No step is taken meanwhile. It ends with that, or when the debt is over.',
  },
  said_paid: {
    acts: [],
    advice:
      'The creditor looks for the money and says in its portal whether it was found. No step is taken meanwhile.',
  },
  schedule_ended: {
    acts: [],
    advice:
      'Decide what follows: a court application, monitoring, or writing the claim off. It ends with that.',
  },
  creditor_refund: {
    acts: [],
    advice:
      'The money is on the creditor’s own account: ask the creditor to send it back, then say so with "npm run record-refund".',
  },
  import_with_errors: {
    acts: [],
    advice:
      'Rows of a creditor’s file are wrong. Its staff mends them in its portal, leaves them out, or undoes the import.',
  },
  webhook_off: {
    acts: [],
    advice:
      'Events for a creditor’s programs were not taken for three days. A manager of the creditor mends the address and switches the webhook on, or removes it.',
  },
  bank_line: {
    acts: ['settled'],
    advice:
      'Place the money, or send it back, with "npm run place-payment". Money that the bank took back is taken back on the page of the line, where it was not booked by itself; "settled" is for what needs no booking.',
  },
  refund: {
    acts: [],
    advice:
      'A Swish payment goes back with "npm run refund-payment". All else goes back through the bank: record it with "npm run record-refund".',
  },
  send_back: {
    acts: [],
    advice:
      'Return the money through the bank to whoever paid. The statement’s own line ends it, else "npm run record-refund" with --left.',
  },
  payment_contradiction: {
    acts: ['settled'],
    advice:
      'Ask the bank which payment it executed, and to whom. Say "settled" when that is clear and nothing has to be booked. It ends by itself when the gateway’s word fits again or the payment is taken back.',
  },
  refund_contradiction: {
    acts: ['settled'],
    advice:
      'Ask Swish which sum it sent. Say "settled" when that is clear. It ends by itself when the refund does.',
  },
  payment_unsettled: {
    acts: ['settled'],
    advice:
      'Ask the bank whether the signed payment will be executed. Say "settled" once that is clear. It ends by itself when the payment does.',
  },
  payment_late: {
    acts: [],
    advice: `Ask the gateway what became of the payment, on the task in the portal or by telephone. ${BY_ITSELF}`,
  },
  payment_lost: {
    acts: ['settled'],
    advice: `The database was put back to before this payment (or refund), and its gateway cannot tell what became of it. Import the bank's next file, or ask the gateway by telephone; then say "settled". ${BY_ITSELF}`,
  },
  refund_late: { acts: [], advice: `Ask Swish what became of the refund. ${BY_ITSELF}` },
  refund_failed: {
    acts: [],
    advice: `Send it again with "npm run refund-payment", or through the bank and end its task "refund". ${BY_ITSELF}`,
  },
  clearing_late: {
    acts: [],
    advice: `Find the money in the bank’s statement, and import its file. ${BY_ITSELF}`,
  },
  bank_file_missing: {
    acts: [],
    advice: `Nights go on without it. Get the file from the bank and import it with "npm run import-payments". Where the bank confirms that there is none, say so with "npm run payment-account -- --of N --told-to DAY". ${BY_ITSELF}`,
  },
  bank_file_refused: {
    acts: ['settled'],
    advice:
      'A file in the folder of bank files was refused whole, and nothing of it is booked; the reason says why. Get it from the bank again and put it there under the same name. Say "settled" when it is not needed.',
  },
  bank_file_gap: {
    acts: ['settled'],
    advice:
      'Get the file between from the bank and import it. Say "settled" when the bank confirms that there is none.',
  },
  bank_day_doubtful: {
    acts: ['settled'],
    advice: 'Ask the bank on which day the money came, then say "settled".',
  },
  account_files_unset: {
    acts: [],
    advice: `Say what the bank sends for the account, with "npm run payment-account -- --of N --files ...". ${BY_ITSELF}`,
  },
  account_holder_unset: {
    acts: [],
    advice: `Say who holds the account, on the task in the portal or with "npm run payment-account -- --of N --holder ...". ${BY_ITSELF}`,
  },
  restate_by_hand: {
    acts: ['settled'],
    advice:
      'The money had come earlier than was known, or a rate or fee was corrected. Decide what of each case falls, then say "settled".',
  },
  rate_unknown: {
    acts: [],
    advice:
      'Enter the rate or fee with its source in the portal, under "Rates and fees". It ends when another person has agreed, and the next night goes on with the steps that waited. An application that was recorded without its cost stays without.',
  },
  ceiling_unknown: {
    acts: [],
    advice:
      'Enter the ceiling, or the reference rate that it goes by, in the portal under "Rates and fees", or withdraw the settings, as in Finland and Denmark, whose ceiling cannot be entered. It ends when another person has agreed.',
  },
  debtor_flagged: {
    acts: [],
    advice:
      'A person died, is bankrupt, has debt relief, is a minor or has a guardian: nothing they owe is collected, for any creditor. Answer it on the task in the portal: filed, stop, or go on; of a minor or ward enter the guardian first. It ends with that, or when the flag ends.',
  },
  data_request: {
    acts: [],
    advice:
      'A person asks about their data, and the law gives a month. Make sure who asks, do what is asked, tell the person, and answer it on the task in the portal. It ends with that. Erasure: fetch the letter before you erase.',
  },
  court_to_file: {
    acts: [],
    advice:
      'File the application and record it on the task in the portal, or give it back to the creditor. It ends with that.',
  },
  settlement_to_approve: {
    acts: [],
    advice:
      'One person of finance proposes the settlement in the portal and another approves it. Without an account to pay to, propose that first.',
  },
  payout_to_confirm: {
    acts: [],
    advice:
      'Hand the file to the bank, take its answer in, and import the statement that shows the debits. It ends when each payout is paid or refused, or two people have said that it was not executed.',
  },
  payout_refused: {
    acts: [],
    advice:
      'The money did not arrive, and is held again. Correct the account of the creditor where that was wrong, and propose the settlement again.',
  },
  paid_twice: {
    acts: [],
    advice: `A row of a file was said to be not executed, its money went another way, and the bank debited it all the same. Ask whoever got it to pay it back; what does not come back the operator puts in from its own account. Enter the line that it comes with in suspense as paid back, which another person approves. ${BY_ITSELF}`,
  },
  advance_wanted: {
    acts: [],
    advice: `More was taken from a creditor's client funds than was held for it, so other creditors' money covers it. Advance it from the operator's own account the same day. ${BY_ITSELF}`,
  },
  proposal: {
    acts: [],
    advice:
      'Another person than who proposed it approves or refuses it in the portal, under "Proposals". It ends with that.',
  },
  mail_undeliverable: {
    acts: ['resend', 'drop', 'mended'],
    advice:
      'Mend the address first. "resend" sends the message again, "drop" gives it up. Of a reminder, notice or demand, which has not happened, say "mended": the next night writes it again.',
  },
  work_stuck: {
    acts: [],
    advice: `Look for its name in the log; the next night tries again. ${BY_ITSELF}`,
  },
  audit_cut: {
    acts: [],
    advice:
      'Keep database and anchors as they are, and find out who cut the log. Once that is settled move aside the anchors that do not fit, and no others, and compare again on the task in the portal: an anchor from before the task that fits ends it.',
  },
}
