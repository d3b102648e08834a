/** The views of the portal, as the sidebar names them. A view stands here when its calls do. */
import type { StaffRight } from '@kvitt/domain/staff/roles.ts'
import type { RailGroup } from '@kvitt/office/frame/rail.tsx'
import { t } from '../text.ts'
import { isAdmin, TASKS_VIEW } from './portal.ts'

export type ViewName =
  | 'audit'
  | 'data-protection'
  | 'dashboard'
  | 'onboarding'
  | 'tasks'
  | 'todo'
  | 'invoices'
  | 'claims'
  | 'debtors'
  | 'disputes'
  | 'conversations'
  | 'plans'
  | 'payments'
  | 'payment-batches'
  | 'suspense'
  | 'refunds'
  | 'settlements'
  | 'jobs'
  | 'payouts'
  | 'client-funds'
  | 'receivables'
  | 'month-closings'
  | 'proposals'
  | 'outbox'
  | 'clients'
  | 'instance-providers'
  | 'country-parameters'
  | 'part-payment-plans'
  | 'part-payment-accounts'
  | 'service-providers'
  | 'figures'
  | 'imports'
  | 'users'
  | 'api-keys'
  | 'webhooks'
  | 'settings'

/** `G` and this letter lead there. */
export const LETTERS: Readonly<Record<string, ViewName>> = {
  t: TASKS_VIEW,
  i: 'invoices',
  c: 'claims',
  d: 'debtors',
  u: 'disputes',
  q: 'conversations',
  l: 'plans',
  p: 'payments',
  o: 'settlements',
  f: 'figures',
  m: 'imports',
  s: 'settings',
  j: 'jobs',
}

/**
 * @param open how much there is to do
 * @param rights of whoever is here: what they may not see is left out
 */
export function railGroups(open: number | undefined, rights: readonly StaffRight[]): readonly RailGroup[] {
  // An approver sees proposals alone.
  if (!rights.includes('see')) return rights.includes('see_proposals') ? [{ entries: [proposals()] }] : []
  return isAdmin ? adminGroups(open, rights) : clientGroups(open, rights)
}

const proposals = () => ({ view: 'proposals', icon: 'key', text: t('view.proposals') }) as const

/** The work on the debts of all creditors, and the money. */
function adminGroups(open: number | undefined, rights: readonly StaffRight[]): readonly RailGroup[] {
  return [
    {
      entries: [
        { view: 'dashboard', icon: 'figures', text: t('view.dashboard') },
        { view: 'tasks', icon: 'to-do', text: t('view.todo'), count: open },
        { view: 'invoices', icon: 'document', text: t('view.invoices') },
        { view: 'claims', icon: 'claim', text: t('view.claims') },
        { view: 'debtors', icon: 'people', text: t('view.debtors') },
        { view: 'disputes', icon: 'dispute', text: t('view.disputes') },
        { view: 'conversations', icon: 'mail', text: t('view.conversations') },
      ],
    },
    {
      label: t('view.money'),
      entries: [
        { view: 'plans', icon: 'calendar', text: t('view.plans') },
        { view: 'payments', icon: 'payment', text: t('view.payments') },
        { view: 'payment-batches', icon: 'download', text: t('view.payment-batches') },
        { view: 'suspense', icon: 'dispute', text: t('view.suspense') },
        { view: 'refunds', icon: 'send', text: t('view.refunds') },
        { view: 'settlements', icon: 'bank', text: t('view.settlements') },
        { view: 'payouts', icon: 'payment', text: t('view.payouts') },
        ...(rights.includes('client_funds')
          ? ([
              { view: 'client-funds', icon: 'bank', text: t('view.client-funds') },
              { view: 'month-closings', icon: 'calendar', text: t('view.month-closings') },
            ] as const)
          : []),
        { view: 'receivables', icon: 'figures', text: t('view.receivables') },
        proposals(),
      ],
    },
    {
      label: t('view.operation'),
      entries: [
        { view: 'jobs', icon: 'clock', text: t('view.jobs') },
        { view: 'outbox', icon: 'send', text: t('view.outbox') },
        { view: 'clients', icon: 'building', text: t('view.clients') },
        { view: 'instance-providers', icon: 'settings', text: t('view.instance-providers') },
        { view: 'service-providers', icon: 'key', text: t('view.service-providers') },
        { view: 'part-payment-plans', icon: 'calendar', text: t('view.part-payment-plans') },
        { view: 'part-payment-accounts', icon: 'calendar', text: t('view.part-payment-accounts') },
        { view: 'country-parameters', icon: 'figures', text: t('view.country-parameters') },
      ],
    },
    ...controlGroup(rights),
  ]
}

/** Who works here, and who did what. */
function controlGroup(rights: readonly StaffRight[]): readonly RailGroup[] {
  const entries = [
    ...(rights.includes('users') ? [{ view: 'users', icon: 'person', text: t('view.users') } as const] : []),
    ...(rights.includes('audit')
      ? ([
          { view: 'audit', icon: 'key', text: t('view.audit') },
          { view: 'data-protection', icon: 'people', text: t('view.data-protection') },
        ] as const)
      : []),
  ]
  return entries.length === 0 ? [] : [{ label: t('view.control'), entries }]
}

/** Views that only one of the portals has; all others stand in both. */
const ONLY_ADMIN: readonly string[] = [
  'dashboard',
  'onboarding',
  'tasks',
  'audit',
  'data-protection',
  'jobs',
  'payouts',
  'client-funds',
  'month-closings',
  'refunds',
  'proposals',
  'outbox',
  'clients',
  'instance-providers',
  'country-parameters',
  'part-payment-plans',
  'part-payment-accounts',
  'service-providers',
]
const ONLY_CLIENT: readonly string[] = ['todo', 'figures', 'imports', 'api-keys', 'webhooks', 'settings']

/** Does this portal have the view? */
export const isViewHere = (view: string): boolean => !(isAdmin ? ONLY_CLIENT : ONLY_ADMIN).includes(view)

function clientGroups(open: number | undefined, rights: readonly StaffRight[]): readonly RailGroup[] {
  return [
    {
      entries: [
        { view: 'todo', icon: 'to-do', text: t('view.todo'), count: open },
        { view: 'invoices', icon: 'document', text: t('view.invoices') },
        { view: 'claims', icon: 'claim', text: t('view.claims') },
        { view: 'debtors', icon: 'people', text: t('view.debtors') },
        { view: 'disputes', icon: 'dispute', text: t('view.disputes') },
        { view: 'conversations', icon: 'mail', text: t('view.conversations') },
      ],
    },
    {
      label: t('view.money'),
      entries: [
        { view: 'plans', icon: 'calendar', text: t('view.plans') },
        { view: 'payments', icon: 'payment', text: t('view.payments') },
        { view: 'settlements', icon: 'bank', text: t('view.settlements') },
        { view: 'receivables', icon: 'document', text: t('view.receivables') },
        { view: 'figures', icon: 'figures', text: t('view.figures') },
      ],
    },
    {
      label: t('view.setup'),
      entries: [
        { view: 'imports', icon: 'download', text: t('view.imports') },
        ...(rights.includes('users')
          ? ([{ view: 'users', icon: 'person', text: t('view.users') }] as const)
          : []),
        ...(rights.includes('api_keys')
          ? ([{ view: 'api-keys', icon: 'key', text: t('view.api-keys') }] as const)
          : []),
        ...(rights.includes('webhooks')
          ? ([{ view: 'webhooks', icon: 'webhook', text: t('view.webhooks') }] as const)
          : []),
        { view: 'settings', icon: 'settings', text: t('view.settings') },
      ],
    },
  ]
}
