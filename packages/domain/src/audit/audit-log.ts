/** The two logs of an instance: what was done, and who was let in and what they looked at. Each is sealed by itself. */
export const AUDIT_LOGS = ['DEEDS', 'ACCESS'] as const
export type AuditLog = (typeof AUDIT_LOGS)[number]
