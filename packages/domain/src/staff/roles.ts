/**
 * Who works here, and what they may: the roles of a creditor's staff and of an operator's, and the scopes of an API key, in one
 * table. The server asks it before a call does anything; the portals hide what is not allowed.
 */

/**
 * What a creditor's person or key may do. `own_account` is one's own session and password, which each person has; `see` every
 * search, read and export of what is in reach; `tasks` to give a task to somebody, put it aside and write beside it;
 * `more_time` to give a debtor more time or a plan of its own and to let go on what was paused; `own_acts` to follow what one has asked for, and to take
 * it back; `flag` to say what is known of a person (people/debtor-flag.ts); `tax_denial` to enter what the tax authority denied of a
 * reduction, which is a fact and no decision.
 */
const CREDITOR_RIGHTS = [
  'own_account', 'see', 'tasks', 'draft', 'approve', 'to_collection', 'credit', 'waive', 'pause', 'more_time', 'direct_payment', 'answer',
  'tax_denial', 'flag', 'stop', 'write_off', 'recall', 'court', 'users', 'settings', 'api_keys', 'webhooks', 'payout_account', 'own_acts',
] as const // biome-ignore format: a list

/**
 * What only an operator's staff may do, besides what a creditor's may. `payouts` proposes what is paid out, and to where, and sends back what is owed back;
 * `decide_proposals` decides what another has proposed, where the kind allows it to the role (proposals/proposal.ts).
 * `run_jobs` has what runs by itself done once more; `messages` sends a message again, another way, or gives it up;
 * `client_funds` reads the proof of client funds and what a month comes to; `close_month` closes it;
 * `record_court` records what was filed with an authority and decided there, and gives an instruction back;
 * `export_person` hands out what is held about one person, who has asked for it; `erase` approves that what is over its time goes;
 * `data_requests` takes down what a person asks about their data, which `export_person` answers;
 * `answer_flag` says what follows from what is known of a person, and that it is over;
 * `see_protected` is shown how a person with a protected identity is reached, which nobody else is, and says that it is over;
 * `view_as_debtor` sees the debtor portal as a debtor sees it, and changes nothing there;
 * `creditors` proposes what is agreed with a creditor; `rates` proposes rates, fees and ceilings of the law, and what plans and accounts are offered on; `provider` changes the operator's own name, brand and rules;
 * `instances` makes another provider.
 */
const OWN_OF_OPERATOR = [
  'bank_files',
  'audit',
  'run_jobs',
  'messages',
  'view_as_debtor',
  'creditors',
  'provider',
  'instances',
  'rates',
  'payouts',
  'client_funds',
  'close_month',
  'record_court',
  'data_requests',
  'export_person',
  'erase',
  'answer_flag',
  'see_protected',
  'see_proposals',
  'decide_proposals',
] as const

export const STAFF_RIGHTS = [...CREDITOR_RIGHTS, ...OWN_OF_OPERATOR] as const
export type StaffRight = (typeof STAFF_RIGHTS)[number]

export const CREDITOR_ROLES = ['viewer', 'clerk', 'manager'] as const
export type CreditorRole = (typeof CREDITOR_ROLES)[number]

export const OPERATOR_ROLES = ['support', 'handler', 'finance', 'manager', 'approver', 'auditor'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

/** Every role, of creditors' staff and of operators'. `manager` is one of both. */
export const STAFF_ROLES = [
  'viewer',
  'clerk',
  'support',
  'handler',
  'finance',
  'manager',
  'approver',
  'auditor',
] as const
export type StaffRole = (typeof STAFF_ROLES)[number]

export const KEY_SCOPES = ['read', 'invoices', 'payments', 'webhooks'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]

const VIEWER: readonly StaffRight[] = ['own_account', 'see']
const CLERK: readonly StaffRight[] = [
  ...VIEWER,
  'tasks',
  'draft',
  'approve',
  'to_collection',
  'credit',
  'waive',
  'pause',
  'more_time',
  'direct_payment',
  'tax_denial',
  'flag',
  'answer',
  'own_acts',
]

/** A creditor's staff. */
export const RIGHTS_OF_CREDITOR: Readonly<Record<CreditorRole, readonly StaffRight[]>> = {
  viewer: VIEWER,
  clerk: CLERK,
  manager: CREDITOR_RIGHTS,
}

const SUPPORT: readonly StaffRight[] = [
  'own_account',
  'see',
  'see_proposals',
  'tasks',
  'pause',
  'own_acts',
  'flag',
  'messages',
  'view_as_debtor',
  'data_requests',
]
const HANDLER: readonly StaffRight[] = [
  ...SUPPORT,
  'more_time',
  'credit',
  'waive',
  'answer',
  'record_court',
  'tax_denial',
  'export_person',
  'answer_flag',
  'see_protected',
]
const FINANCE: readonly StaffRight[] = [
  ...SUPPORT,
  'bank_files',
  'payouts',
  'client_funds',
  'close_month',
  'decide_proposals',
  'write_off',
]

/**
 * An operator's staff, for the rows of every creditor of its instance. What the creditor alone decides, to recall or to go to court,
 * is not theirs; a manager ends a case in its place. What they write off of claims above the limit another decides (refunds/refund.ts).
 */
export const RIGHTS_OF_OPERATOR: Readonly<Record<OperatorRole, readonly StaffRight[]>> = {
  support: SUPPORT,
  handler: HANDLER,
  finance: FINANCE,
  manager: [
    ...new Set([
      ...HANDLER,
      ...FINANCE,
      'audit' as const,
      'run_jobs' as const,
      'stop' as const,
      'users' as const,
      'creditors' as const,
      'provider' as const,
      'rates' as const,
      'erase' as const,
    ]),
  ],
  approver: ['own_account', 'see_proposals', 'decide_proposals'],
  auditor: ['own_account', 'see', 'view_as_debtor', 'see_proposals', 'client_funds', 'audit'],
}

/**
 * What a role may besides at the default provider, which whoever runs the installation has made first: to them alone the others are
 * no secret (docs/decisions/043).
 */
export const RIGHTS_AT_DEFAULT: Readonly<Partial<Record<OperatorRole, readonly StaffRight[]>>> = {
  manager: ['instances'],
}

/** What an operator's staff does on an invoice only where the creditor's agreement gives the mandate; on claims it is their work. */
export const MANDATED: readonly StaffRight[] = ['credit', 'waive', 'answer', 'more_time', 'stop', 'write_off']

/** No key may do what needs a manager, webhooks excepted. */
export const RIGHTS_OF_SCOPE: Readonly<Record<KeyScope, readonly StaffRight[]>> = {
  read: ['see'],
  invoices: ['draft', 'approve', 'credit', 'pause', 'more_time', 'answer', 'tasks', 'own_acts'],
  payments: ['direct_payment', 'own_acts'],
  webhooks: ['webhooks'],
}

export function isCreditorRole(text: string): text is CreditorRole {
  return (CREDITOR_ROLES as readonly string[]).includes(text)
}

export function isOperatorRole(text: string): text is OperatorRole {
  return (OPERATOR_ROLES as readonly string[]).includes(text)
}
