/**
 * The closed list of what the API may refuse, by code. A code is never removed or given another meaning;
 * its text in five languages stands in the language files under `error.<code>` ("::" written as ".").
 */

export const ERRORS = {
  // What the user can mend: 400, so that the caller keeps the screen (D-09).
  'login_error::invalid_data': 400,
  login_throttled: 400,
  check_throttled: 400,
  invalid_request: 400,
  unknown_field: 400,
  invalid_paging: 400,
  invalid_filter: 400,
  list_too_long: 400,
  file_too_long: 400,
  amount_changed: 400,
  nothing_to_pay: 400,
  payment_in_progress: 400,
  payment_replaced: 400,
  payment_date_invalid: 400,
  redirect_uri_not_allowed: 400,
  idempotency_key_reused: 400,
  service_provider_unavailable: 400,
  provider_unavailable: 400,
  payment_starts_throttled: 400,
  payer_phone_invalid: 400,
  payer_not_enrolled: 400,
  payer_has_open_request: 400,
  payer_phone_throttled: 400,
  payer_phone_in_doubt: 400,
  receipt_not_available: 400,
  plan_not_available: 400,
  already_part_payment: 400,
  agreement_required: 400,
  plan_changed: 400,
  withdrawal_too_late: 400,
  dispute_not_allowed: 400,
  invalid_email: 400,
  reason_required: 400,
  reason_too_long: 400,
  dispute_not_open: 400,
  file_rejected: 400,
  file_too_large: 400,
  too_many_files: 400,
  document_not_found: 400,
  eid_rate_limited: 400,
  eid_already_in_progress: 400,
  eid_order_unknown: 400,
  eid_nothing_here: 400,
  eid_session_open: 400,
  eid_required: 400,
  task_done: 400,
  assignee_unknown: 400,
  snooze_day_invalid: 400,
  dispute_answered: 400,
  conversation_not_allowed: 400,
  conversation_open: 400,
  conversation_not_open: 400,
  conversation_answered: 400,
  plan_not_as_shown: 400,
  plan_beyond_bounds: 400,
  request_not_open: 400,
  plan_amount_out_of_reach: 400,
  message_required: 400,
  too_many_messages: 400,
  answer_required: 400,
  amount_invalid: 400,
  // What staff do with an invoice or a claim.
  invoice_number_taken: 400,
  already_sent: 400,
  import_unreadable: 400,
  bank_file_unreadable: 400,
  not_in_suspense: 400,
  message_not_open: 400,
  debt_unknown: 400,
  debt_ambiguous: 400,
  debt_of_other_creditor: 400,
  debt_in_other_currency: 400,
  parts_do_not_add_up: 400,
  import_not_open: 400,
  import_nothing_ready: 400,
  import_sent: 400,
  due_too_soon: 400,
  in_claim: 400,
  act_not_open: 400,
  owed_in_plan: 400,
  amount_too_large: 400,
  amount_malformed: 400,
  payment_signed: 400,
  reminder_too_soon: 400,
  reminder_fee_not_agreed: 400,
  reminder_fee_too_large: 400,
  nothing_left: 400,
  day_out_of_reach: 400,
  paused_already: 400,
  why_required: 400,
  court_not_yet: 400,
  settlement_counting: 400,
  // Webhooks.
  webhook_address: 400,
  too_many_webhooks: 400,
  webhook_is_off: 400,
  invalid_span: 400,
  // Who is asking.
  sign_in_failed: 400,
  sign_in_throttled: 400,
  sign_in_expired: 400,
  sign_in_no_membership: 400,
  date_in_the_past: 400,
  already_a_user: 400,
  manager_exists: 400,
  client_exists: 400,
  invitations_throttled: 400,
  calls_throttled: 429,
  last_manager: 400,
  nothing_proposed: 400,
  another_person_needed: 400,
  proposal_open: 400,
  proposal_decided: 400,
  settlement_not_open: 400,
  payout_account_missing: 400,
  payout_account_waits: 400,
  payer_account_missing: 400,
  payee_account_taken: 400,
  payee_account_waits: 400,
  payee_account_over: 400,
  nothing_to_pay_out: 400,
  held_too_little: 400,
  entry_not_open: 400,
  nothing_to_advance: 400,
  more_than_booked: 400,
  more_than_fees: 400,
  refund_not_owed: 400,
  refund_under_way: 400,
  refund_account_unknown: 400,
  nothing_to_send_back: 400,
  payout_answer_unreadable: 400,
  payout_file_unknown: 400,
  payout_contradicted: 400,
  invitation_over: 400,
  code_wrong: 400,
  code_used: 400,
  second_factor_not_begun: 400,
  second_factor_required: 400,
  no_second_factor: 400,
  second_factor_of_others: 400,
  password_wrong: 400,
  password_too_weak: 400,
  not_signed_in: 401,
  not_allowed: 403,
  sign_in_again: 403,
  not_found: 404,
  method_not_allowed: 405,
  changed_meanwhile: 409,
  act_done: 409,
  selection_changed: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  // Our own fault, or not now.
  internal_error: 500,
  unavailable: 503,
  files_busy: 503,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof ERRORS

/** Values that a refusal's text may name, already as text. */
export type ErrorParams = Readonly<Record<string, string>>

/** The business says no. Thrown by a use case, mapped to an answer in one place (platform/http/send-problem.ts). */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ErrorCode
  readonly params: ErrorParams
  /** Dotted names of the fields that caused it, for a form to point at. */
  readonly fields: readonly string[]
  constructor(code: ErrorCode, params: ErrorParams = {}, fields: readonly string[] = []) {
    super(code)
    this.code = code
    this.params = params
    this.fields = fields
  }
}

/** The key of an error's text in the language files. */
export function errorTextKey(code: ErrorCode): string {
  return `error.${code.replace('::', '.')}`
}
