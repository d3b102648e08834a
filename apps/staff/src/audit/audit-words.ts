/** What an entry of the audit log says, in words. */
import { ACCESS_KINDS, DEED_KINDS, type AuditKind, type DeedKind } from '@kvitt/domain/audit/audit-kind.ts'
import { hashOf } from '@kvitt/office/place.ts'
import { t } from '../text.ts'
import type { AuditEntry, AuditTab } from './audit-calls.ts'

/** The kinds that a tab can have. */
export const KINDS = { deeds: DEED_KINDS, access: ACCESS_KINDS } as const satisfies Record<AuditTab, unknown>

const KNOWN = new Set<string>([...ACCESS_KINDS, ...DEED_KINDS])
const isKnown = (kind: string): kind is AuditKind | DeedKind => KNOWN.has(kind)

/** A kind that an earlier version wrote is shown by its code. */
export const kindText = (kind: string): string =>
  isKnown(kind) ? t(`audit.kind.${kind}`) : kind.replaceAll('_', ' ')

/** `invoice:` and the end of its id: ids of the same minute begin alike. */
export const shortOf = (about: string): string =>
  about.replace(/[0-9a-f]{8}-[0-9a-f-]{19}([0-9a-f]{8})/g, '…$1')

/** A person whichever role they had: `person:{id}` of `person:{id}:{membership}`. */
export const personOf = (actor: string): string =>
  actor.replace(/^(person:[0-9a-f-]{36}):[0-9a-f-]{36}$/, '$1')

export const whoOf = ({ name, actor }: AuditEntry): string => name ?? shortOf(actor)

/** Where a thing has a page. */
const PAGES = {
  invoice: 'invoices',
  claim: 'claims',
  payment: 'payments',
  debtor: 'debtors',
  creditor: 'clients',
  task: 'tasks',
} as const

/** The page of what an entry is about, such as `invoice:{id}`, or `invoices:{id}` where somebody looked; undefined where it has none. */
export function hrefOfThing(about: string): string | undefined {
  const [, kind = '', id = ''] = /^([a-z_]+?)s?:([0-9a-f-]{36})$/.exec(about) ?? []
  return Object.hasOwn(PAGES, kind) ? hashOf({ view: PAGES[kind as keyof typeof PAGES], id }) : undefined
}
