/** An entry of the log of access, before it is written. */
import type { AuditKind } from '@kvitt/domain/audit/audit-kind.ts'
import type { EventRow } from './audit.queries.ts'

export type AuditEvent = Omit<EventRow, 'kind'> & { readonly kind: AuditKind }
