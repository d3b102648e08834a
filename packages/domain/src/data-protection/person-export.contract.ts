/** A copy of what is held about a person, made by a job: asked for, waited for, and fetched while it is kept. */
import { z } from 'zod'
import { adminCall, instant } from '../contract.ts'
import { typedLines } from '../typed-text.contract.ts'

export const PERSON_EXPORT_FORMATS = ['pdf', 'json', 'csv', 'xlsx'] as const

/** WAITING: asked for or being made. GONE: its time was over, or the person was erased. */
export const PERSON_EXPORT_STATUSES = ['WAITING', 'READY', 'FAILED', 'GONE'] as const

const personExport = z.strictObject({
  id: z.uuid(),
  format: z.enum(PERSON_EXPORT_FORMATS),
  status: z.enum(PERSON_EXPORT_STATUSES),
  askedAt: instant,
  /** Until when it can be fetched; null for what is not there. */
  until: instant.nullable(),
})

/** The file is made soon. Asked for once more by the same person while it waits, it is the same one. */
export const askPersonExport = adminCall({
  name: 'askPersonExport',
  right: 'export_person',
  method: 'POST',
  path: '/debtors/:id/personal-data/exports',
  status: 202,
  takesKey: true,
  body: z.strictObject({
    /** Who asked and how that was made sure of. */
    reason: typedLines(500).min(1),
    format: z.enum(PERSON_EXPORT_FORMATS),
  }),
  response: personExport,
  refusals: ['idempotency_key_reused'],
})

/** Those that whoever asks has asked for, the newest first. */
export const listPersonExports = adminCall({
  name: 'personExports',
  right: 'export_person',
  path: '/debtors/:id/personal-data/exports',
  response: z.strictObject({ exports: z.array(personExport) }),
})

/** The file, for whoever asked for it, as long as it is kept. What is not ready or is somebody else's does not exist. */
export const getPersonExportFile = adminCall({
  name: 'personExportFile',
  right: 'export_person',
  path: '/person-exports/:id/file',
  answers: 'file',
  response: z.any(),
})
