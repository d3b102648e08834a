/**
 * Where personal data of debtors stands, column by column: whose row it is, what an export shows of it, and what becomes of it when
 * its time is over (docs/operations.md, "Personal data"). `personal-columns.test.ts` walks the database: a new column that can hold
 * words has to get its line here.
 */

import { isRequestOf } from './data-request.queries.ts'

/**
 * Of which time a column's words go. CASE: with the words of a closed case. BOOKS: when the books may go. NEWS: what a gateway told of
 * a payment. Names are those of RETENTION_KINDS (domain/data-protection/retention.ts).
 */
type Goes = 'CASE' | 'BOOKS' | 'NEWS'

type PersonsTable = {
  /** Which rows `x` are somebody's: $1 the instance, $2 the rows of `debtor`, $3 the ids and references of all that is theirs. */
  readonly rows: string
  /** Words about a person, by when they go. */
  readonly goes?: Partial<Readonly<Record<Goes, string>>>
  /** Shown, and stays: states, kinds, and numbers that lead to nobody once the rest has gone. */
  readonly stays?: string
  /** Not shown: secrets, hashes, the bytes of files (which have calls of their own). They say nothing, or go with their row. */
  readonly hidden?: string
}

const isTheirs = (column: string): string => `x.${column}::text = any ($3)`
const isAbout = (column: string): string =>
  `(split_part(x.${column}, ':', 2) = any ($3) or x.${column} like '%:%:%' and ids_in(x.${column}) && $3)`
const DEBTORS = 'x.debtor_id = any ($2)'
const OF_DEBT = `(${isTheirs('invoice_id')} or ${isTheirs('claim_id')})`

/** Every table with rows of debtors. */
const persons: Readonly<Record<string, PersonsTable>> = {
  debtor: {
    rows: 'x.id = any ($2)',
    goes: {
      BOOKS: 'identity name identification_number email phone address address2 zip city electronic_address',
    },
    stays: 'kind',
  },
  debtor_flag: {
    rows: DEBTORS,
    goes: { BOOKS: 'source end_reason' },
    stays: 'kind set_by answer answered_by filed_with ended_by',
  },
  representative: {
    rows: DEBTORS,
    goes: { BOOKS: 'name email phone address address2 zip city source end_reason' },
    stays: 'kind entered_by ended_by',
  },
  data_request: {
    rows: isRequestOf('x', '$2'),
    goes: { CASE: 'words reason extension_reason' },
    stays: 'debtor_ids wish came_by entered_by extended_by answer ground answered_by',
  },
  legal_hold: {
    rows: DEBTORS,
    goes: { BOOKS: 'reason source lift_reason' },
    stays: 'set_by lifted_by',
  },
  debtor_contact: { rows: DEBTORS, goes: { BOOKS: 'name email phone address address2 zip city' } },
  payment_reference: { rows: DEBTORS, stays: 'reference' },
  invoice: {
    rows: DEBTORS,
    goes: { BOOKS: 'zip property rows customer_number already_sent' },
    stays:
      'type status status_before_authorization stop_reason invoice_number payment_reference original_reference part_payment_variant pause_reason payment_methods taxes distribution language',
    hidden: 'content_hash',
  },
  claim: {
    rows: DEBTORS,
    goes: { BOOKS: 'zip' },
    stays: 'status stop_reason claim_number payment_reference part_payment_variant pause_reason',
  },
  credit_note: {
    rows: isTheirs('invoice_id'),
    goes: { BOOKS: 'credited_rows' },
    stays: 'credit_note_number',
    hidden: 'content_hash',
  },
  document: { rows: isTheirs('invoice_id'), goes: { BOOKS: 'name_raw' }, stays: 'type topic' },
  file: {
    rows: `(x.id in (select d.file_id from document d where d.instance_id = $1 and d.invoice_id::text = any ($3))
      or x.id in (select m.file_id from mail_outbox m where m.instance_id = $1 and (m.invoice_id::text = any ($3) or m.claim_id::text = any ($3)))
      or ${isTheirs('id')})`,
    goes: { BOOKS: 'content' },
    stays: 'public_name mime_type',
  },
  collection_step: { rows: isTheirs('debt_id'), stays: 'type status' },
  ledger_transaction: { rows: OF_DEBT, stays: 'kind cause periods charge_owner' },
  payment: {
    rows: isTheirs('debt_id'),
    stays:
      'gateway option payee_name payee_account payee_scheme payment_reference status failure gateway_payment_id callback_identifier',
    hidden: 'external_link redirect_uri callback_secret idempotency_key request_hash',
  },
  payment_move: { rows: isTheirs('payment_id'), stays: 'from_status to_status door' },
  gateway_event: {
    rows: isTheirs('payment_id'),
    goes: { NEWS: 'body' },
    stays: 'gateway event_id parked_reason',
  },
  refund: { rows: isTheirs('payment_id'), stays: 'about currency status failure', hidden: 'callback_secret' },
  direct_payment: { rows: OF_DEBT, goes: { CASE: 'note' }, stays: 'entered_by' },
  moved_payment: {
    rows: `(${['from_invoice_id', 'from_claim_id', 'to_invoice_id', 'to_claim_id'].map(isTheirs).join(' or ')})`,
    goes: { BOOKS: 'reason' },
    stays: 'moved_by',
  },
  manual_posting: { rows: DEBTORS, stays: 'kind way about' },
  bank_line: {
    rows: `(${OF_DEBT} or ${isTheirs('payment_id')} or x.payment_references && $3)`,
    goes: { BOOKS: 'payer message payer_account' },
    stays: 'account_key deposit_key creditor_ids kind payment_references status bank_ids holder payer_scheme',
  },
  // A line that names several references is perhaps several persons': only their own.
  bank_line_key: {
    rows: `(${isTheirs('line_id')} and (x.reference in (select bare_reference(r) from unnest($3) r) or not exists (
      select from bank_line_key o where o.instance_id = x.instance_id and o.line_id = x.line_id and o.reference <> x.reference)))`,
    stays: 'reference account kind status format',
  },
  money_out: { rows: isAbout('about'), stays: 'about said_not_ordered_by' },
  payout: {
    rows: isAbout('about'),
    goes: { BOOKS: 'number bic receiver_name' },
    stays: 'status reason about cause scheme',
  },
  part_payment: {
    rows: DEBTORS,
    goes: { BOOKS: 'agreement' },
    stays: 'status number',
    hidden: 'idempotency_key request_hash',
  },
  part_payment_member: {
    rows: isTheirs('debt_id'),
    goes: { BOOKS: 'agreement' },
    hidden: 'idempotency_key request_hash',
  },
  dispute: { rows: isTheirs('debt_id'), goes: { CASE: 'email reason decision' }, stays: 'status decided_by' },
  dispute_file: {
    rows: isTheirs('dispute_id'),
    goes: { CASE: 'name description' },
    stays: 'door',
    hidden: 'content_hash',
  },
  conversation: {
    rows: isTheirs('debt_id'),
    goes: { CASE: 'email' },
    stays: 'kind status door wished_how outcome shown',
  },
  conversation_message: {
    rows: isTheirs('conversation_id'),
    goes: { CASE: 'text' },
    stays: 'author',
    hidden: 'idempotency_key request_hash',
  },
  conversation_file: {
    rows: isTheirs('conversation_id'),
    goes: { CASE: 'name description' },
    stays: 'door',
    hidden: 'content_hash',
  },
  mail_outbox: {
    rows: `(${OF_DEBT} or ${isAbout('cause')})`,
    goes: { CASE: 'recipient subject text_body html_body' },
    stays: 'channel kind cause language status last_error next_channels refusals',
  },
  court_application: {
    rows: isTheirs('claim_id'),
    goes: { BOOKS: 'case_number case_key reason' },
    stays: 'authority authority_key status recorded_by',
  },
  court_decision: { rows: isTheirs('application_id'), goes: { BOOKS: 'reason' }, stays: 'kind recorded_by' },
  import_row: {
    rows: isTheirs('invoice_id'),
    goes: { BOOKS: 'invoice_number cells edits document problems' },
    stays: 'state currency',
  },
  task: {
    rows: `(${isAbout('about')} or x.details ->> 'invoiceId' = any ($3) or x.details ->> 'claimId' = any ($3))`,
    goes: { BOOKS: 'details' },
    stays: 'kind about done_by assignee',
  },
  task_note: { rows: isTheirs('task_id'), goes: { BOOKS: 'text' }, stays: 'noted_by' },
  session: { rows: 'x.debtor_ids && $2', stays: 'debtor_ids', hidden: 'cookie_hash' },
  peek: { rows: 'x.debtor_ids && $2', stays: 'debtor_ids', hidden: 'ticket_hash token_hash cookie_hash' },
  // What its chain vouches for names people by reference alone (docs/threats.md, T-ERASE).
  audit_event: {
    rows: `(${isAbout('about')} or ${isAbout('actor')})`,
    stays: 'kind actor about reason before after',
    hidden: 'prev_hash hash',
  },
}

/**
 * Every other column that can hold words. `staff`, `creditors` and `provider`: people and firms who work here, whose data go with their
 * agreement. `proposals`: what people decide about, by reference; of debtors only the account of a refund, which stands in `payout`.
 * `short`: goes by a job of its own within days or months (jobs.ts). `files`: bytes that are many persons' at once.
 * `rules` and `work` name nobody.
 */
const others: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  staff: {
    api_key: 'name last_four key_hash scopes',
    invitation: 'token_hash',
    membership: 'role proposed_role invited_name',
    person: 'email name password_hash',
    passkey: 'rp_id credential_id public_key transports name',
    recovery_code: 'code_hash',
    sign_in_link: 'issuer subject',
    staff_session: 'token_hash grant_id by_issuer',
  },
  creditors: {
    account_address: 'address',
    account_told: 'kind series told_by',
    charge_owner: 'fees interest source entered_by',
    court_instruction: 'person recorded_by reason',
    creditor:
      'identity name identification_number email phone address address2 zip city logo_name payment_methods reminder_fee_source',
    creditor_account_plan: 'accounts entered_by',
    creditor_agreement: 'period source entered_by',
    payee_account: 'scheme number bic receiver_name holder',
    payee_account_end: 'outcome reason',
    payment_account: 'scheme account_number receiver_name bank_name iban bic number_key holder files',
    payout_account: 'scheme number bic receiver_name',
    reminder_fee_change: 'source source_before entered_by',
    settlement: 'status',
    settlement_line: 'kind',
    vat_invoice: 'seller buyer',
    webhook: 'address events off_reason',
  },
  provider: {
    credential: 'kind account key_id sealed',
    credential_trial: 'kind',
    sign_in_issuer: 'issuer client_id domains',
    instance:
      'name language time_zone identification_number url_alias url_domain mode homepage phone email analytics_code helpdesk_chat_html primary_colour secondary_colour button_colour palette logo_name favicon_name background_name login_background_name sekki_name terms_name guess_limits chat_mode chat_hosts public_session_policy letter_channels bill_channels news_channels mail_from logins promotions public_session_reach postal_address ad_links service_texts',
    kept_secret: 'key_id sealed',
    month_close: 'closed_by note report',
    secret: 'name value',
  },
  proposals: { proposal: 'kind about before after status reason' },
  short: {
    bulk_act: 'call body',
    bulk_row: 'state code params currency',
    eid_order: 'order_ref status hint_code browser_hash starter qr_start_token qr_start_secret',
    guess_budget: 'key scope',
    import_part: 'bytes',
    oidc_item: 'model id_hash payload uid grant_id',
    operator_key: 'idempotency_key request_hash',
    sign_in_try: 'state_hash for_hash issuer nonce verifier redirect_uri go_on',
    person_export: 'format language reason status debtor_ids content',
    session_token: 'token_hash',
    staff_key: 'idempotency_key request_hash',
    unknown_callback: 'gateway secret_hash event_id identifier body',
    waiting_act: 'call body state code params',
    webhook_delivery: 'status',
    webhook_event: 'type cause body',
    webhook_try: 'failure answer',
  },
  files: {
    bank_file: 'name format content_hash sent_by',
    import: 'file_name file_hash format status work refusal columns mapping sums confirmation made_by',
    payout_file: 'message_id from_account content kind',
    payout_answer: 'content_hash',
    statement_page: 'statement opening closing told entries',
  },
  rules: {
    article_answer: 'topic language',
    country_figure: 'figure value source',
    import_column: 'name_key import_column',
    number_series: 'kind prefix',
    part_payment_setting: 'code variant',
  },
  work: {
    bank_entry: 'kind entered_by',
    collection_night: 'awaited_accounts',
    figure_kept: 'figure method currency',
    figure_move: 'figure method currency',
    job_run: 'work status asked_by done quarantined error',
    late_days: 'status',
    ledger_account: 'kind gateway',
    ledger_account_day: 'kind gateway',
    migration: 'name hash because release',
    portal_asset: 'content hash packing',
    portal_release: 'id version',
    portal_release_file: 'hash name release_id',
    payment_key: 'idempotency_key request_hash',
    retention_item: 'kind state',
    retention_run: 'status approved_by reason',
    work_lease: 'work owner',
  },
}

/** Every column that can hold words, once: of debtors, and of all else. */
export const PERSONAL_DATA = { persons, others } as const

/** The columns of a line, apart. */
export function columnsOf(line: string | undefined): readonly string[] {
  return line === undefined ? [] : line.split(' ')
}
