/** What may stand in the audit log: who was let in and what was looked at, and what people have done. */

/** Kinds of the log of access, kept for twelve months. */
export const ACCESS_KINDS = [
  /** Somebody has shown who they are, and has a session. */
  'eid_signed_in',
  /** The app that showed who somebody is was in another network than the browser that got the session. */
  'eid_from_elsewhere',
  /** A valid electronic ID of somebody whom nobody here knows. */
  'eid_stranger',
  /** An order that another browser started, or nobody. */
  'eid_order_refused',
  'eid_starts_locked',
  'signed_out',
  /** A token or cookie that is none, is over, or is another's. */
  'token_refused',
  /** Behind the debtor's door: what is not theirs, or not there. */
  'not_theirs',
  /** A public pair while a budget of guesses is used up. */
  'guesses_locked',
  'callback_forged',
  /** A gateway's call that tells of money which the gateway itself does not know of. */
  'callback_mismatch',
  'document_opened',
  /** One of the staff has shown who they are, or somebody has not. */
  'staff_signed_in',
  'staff_refused',
  /** Somebody has chosen a password with their invitation. */
  'staff_invitation_used',
  'staff_password_changed',
  'staff_signed_out_elsewhere',
  /** One of the staff has a second factor, or another one, has it no more, or has made new recovery codes. */
  'staff_factor_on',
  'staff_factor_off',
  'staff_recovery_codes_made',
  /** One of the staff has a passkey more, has called one something else, or has one less. */
  'staff_passkey_added',
  'staff_passkey_renamed',
  'staff_passkey_removed',
  /** One of the staff has linked their account at the provider's own issuer. */
  'staff_issuer_linked',
  /** One of the staff, or a creditor's program, has been shown a row or a list. */
  'staff_opened',
  'staff_listed',
  'staff_exported',
] as const

/** Kinds of the log of deeds, kept for ten years. */
export const DEED_KINDS = [
  /** A person has placed money that nobody could, or has it sent back. */
  'money_placed',
  'money_sent_back',
  /** A person has closed a month of the books. */
  'month_closed',
  /** A person has said that a line is the bank's own or the operator's money; or has returned an advance to the operator. */
  'money_entered',
  'advance_returned',
  /** A person has taken money off the debt that it was booked on. */
  'payment_moved',
  /** A person has entered since when a creditor's reminder fee is agreed, or that it is not. */
  'reminder_fee_agreed',
  'charge_owner_entered',
  /** A person has entered a creditor, or how it is reached. */
  'creditor_made',
  'creditor_changed',
  /** A person has entered what the operator takes for its work for a creditor. */
  'agreement_entered',
  /** A person has paused an invoice or a claim, let it go on, or ended it without payment. */
  'debt_paused',
  'debt_resumed',
  'debt_stopped',
  /** A person has waived fees or interest of an invoice or a claim, or written something of it off. */
  'costs_waived',
  'interest_waived',
  'debt_written_off',
  /** A person has taken a payment back that was booked and did not come. */
  'payment_reversed',
  /** A person has entered that the tax authority denied a reduction. */
  'tax_reduction_denied',
  /** A person has said what is known of a debtor, what follows from it, or that it is over. */
  'debtor_flag_set',
  'debtor_flag_answered',
  'debtor_flag_ended',
  /** A person has been shown how somebody with a protected identity is reached. */
  'protected_seen',
  /** A person has entered who acts for a debtor, or that they do no more. */
  'representative_entered',
  'representative_ended',
  /** A person has taken down what a debtor asks about their data, taken more time for it, or answered it. */
  'data_request_entered',
  'data_request_extended',
  'data_request_answered',
  /** A person has decided a dispute. */
  'dispute_decided',
  /** A person has sent money of a payment back. */
  'refund_ordered',
  /** A person has recorded that what is owed back goes through the bank, has left it, or was sent by the creditor. */
  'refund_recorded',
  /** A person has said which account a provider is paid to. */
  'account_chosen',
  /** A person has stopped an account that was agreed, before debtors were shown it. */
  'payee_account_stopped',
  /** A person has said by which other number an account is reached. */
  'account_address_added',
  /** A person has said who has a creditor's account. */
  'account_holder_told',
  'account_files_chosen',
  'account_told',
  /** A person has made a provider or changed how it presents itself. */
  'provider_changed',
  /** A manager of the default provider has made another. */
  'provider_made',
  /** A person has entered or taken away what a provider shows a counterparty. */
  'credentials_changed',
  /** Two people have agreed to another issuer for the sign-in of staff, or a command has switched it off. */
  'sign_in_issuer_changed',
  /** A person has logged everybody out, or released who was locked out by wrong guesses. */
  'sessions_ended',
  'guesses_released',
  /** A person has had a claim taken to an authority, or recorded an application or what was decided about it. */
  'court_asked_for',
  'court_application_recorded',
  'court_decision_recorded',
  'court_instruction_changed',
  'court_instruction_returned',
  /** A person has taken files in. */
  'invoices_imported',
  'payments_imported',
  /** A person has read the journal of payments back, after the database was put back to an earlier moment. */
  'journal_read',
  /** A person or a program of a creditor has written an invoice, changed it, approved it to be sent, or withdrawn it. */
  'invoice_drafted',
  'invoice_changed',
  'invoice_approved',
  'invoice_withdrawn',
  /** A person or a program of a creditor has imported a file of invoices, had its invoices made, or taken them back. */
  'import_read',
  'import_confirmed',
  'import_undone',
  /** A creditor has credited an invoice, given more time, had it handed to collection, told of money that it was paid itself, or taken that back. */
  'invoice_credited',
  'more_time_given',
  'handed_to_collection',
  'direct_payment_entered',
  'direct_payment_reversed',
  /** A creditor has answered what a debtor asked. */
  'question_answered',
  'request_decided',
  /** A creditor has said how far its debtors get more time without anybody being asked. */
  'bounds_changed',
  /** A creditor has said on which accounts of its books it keeps its settlements. */
  'account_plan_chosen',
  /** A person has given a task to somebody, or put it aside. */
  'task_kept',
  /** A person has decided what a task asked. */
  'task_done',
  /** A creditor's manager has made a key for its programs, or revoked one. */
  'api_key_made',
  'api_key_revoked',
  /** A creditor has said where its programs are told of what happens, changed or ended that, or had it told again. */
  'webhook_made',
  'webhook_changed',
  'webhook_removed',
  'webhook_secret_exchanged',
  'webhook_replayed',
  /** A person has proposed something that another decides, or has decided it. */
  'proposal_made',
  'proposal_approved',
  'proposal_refused',
  /** A person has handed in what the bank answers to a file of payouts. */
  'payout_answered',
  /** A creditor's manager has invited somebody, given them another role, or removed them. */
  'user_invited',
  'user_changed',
  'user_removed',
  'staff_issuer_unlinked',
  /** A manager has had somebody sent a link to choose a password anew. */
  'user_reset',
  /** An operator's person wants a job done once more. */
  'run_asked_for',
  /** A manager has taken away the second factor of somebody who has lost it. */
  'user_factor_reset',
  /** An operator's person has sent a message once more, at once or another way. */
  'message_sent_again',
  /** A copy of what is held about somebody has been made for an operator's person, who has not fetched it yet. */
  'person_copy_made',
  /** An operator's person has handed out what is held about somebody, or approved that what is over its time goes. */
  'person_exported',
  'retention_approved',
  'person_erased',
  /** An operator's person has asked to see the debtor portal as a debtor sees it. */
  'viewed_as_debtor',
  /** A manager has set or lifted a legal hold on somebody. */
  'hold_set',
  'hold_lifted',
] as const

export type AuditKind = (typeof ACCESS_KINDS)[number]
export type DeedKind = (typeof DEED_KINDS)[number]
