/** The calls about the audit log, for an operator's auditor and managers. */
import * as contract from '@kvitt/domain/audit/audit-log.contract.ts'
import { compareAnchors, noteAccess } from '../audit/audit.ts'
import type { Binding } from '../platform/http/call.ts'
import { bind } from '../sign-in/bind.ts'
import { listOrFile, type OfficeTable } from '../staff/office-export.ts'
import { actorOf } from '../staff/staff.ts'
import { searchLogs } from './audit-desk.ts'
import { verifyChains } from './audit-desk.queries.ts'

/** What a file of the log has. */
const TABLE: OfficeTable = {
  title: 'export.audit',
  columns: [
    { label: 'export.number', path: 'id', share: 12 },
    { label: 'export.at', path: 'at', share: 18 },
    { label: 'export.kind', path: 'kind', share: 16 },
    { label: 'export.who', path: 'name', share: 14 },
    { label: 'export.actor', path: 'actor', share: 14 },
    { label: 'export.about', path: 'about', share: 16 },
    { label: 'export.seal', path: 'seal', share: 10 },
  ],
}

export const AUDIT_DESK_BINDINGS: readonly Binding[] = [
  bind(contract.searchAudit, (call) => listOrFile(call, searchLogs, TABLE)),
  bind(contract.listAudit, async ({ context, principal, query }) => {
    const { from = null, to = null, ...paging } = query
    const filters = from === null && to === null ? {} : { at: { from, to } }
    const found = await searchLogs(context, principal, paging, { filters })
    await noteAccess(context, {
      instanceId: principal.instance.id,
      kind: 'staff_listed',
      actor: actorOf(principal),
      about: 'audit',
      details: { found: found.total, filters },
    })
    return found
  }),
  bind(contract.compareAudit, async ({ context, principal }) => {
    const files = await compareAnchors(context, principal.instance.id)
    const { is_cut: isCut } = await verifyChains(context.db, principal.instance.id)
    return { intact: !isCut, files: files ?? null }
  }),
  bind(contract.verifyAudit, async ({ context, principal }) => {
    const { checked, is_cut: isCut, log, seq, at } = await verifyChains(context.db, principal.instance.id)
    const isBroken = log !== null && seq !== null && at !== null
    return { intact: !isBroken && !isCut, checked, ...(isBroken ? { firstBroken: { log, seq, at } } : {}) }
  }),
]
