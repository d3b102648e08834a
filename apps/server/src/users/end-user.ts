/** A membership ends, and with the person's last one here what they have linked at the provider's own issuer. */
import { noteDeed } from '../audit/audit.ts'
import { unlinkWhoLeft } from '../issuers/issuers.ts'
import type { Transaction } from '../platform/database/database.ts'
import { endUserRow } from './users.queries.ts'

type Ending = {
  readonly instanceId: string
  /** The membership. */
  readonly id: string
  readonly at: string
  /** Who ends it, for the log of deeds. */
  readonly by: string
}

/** Ends it with its sessions and its invitations. Whoever is invited again links anew. */
export async function endUser(tx: Transaction, { instanceId, id, at, by }: Ending): Promise<void> {
  await endUserRow(tx, { instanceId, id, at })
  const personId = await unlinkWhoLeft(tx, instanceId, id)
  if (personId !== undefined)
    await noteDeed(tx, { instanceId, kind: 'staff_issuer_unlinked', by, about: `person:${personId}` })
}
