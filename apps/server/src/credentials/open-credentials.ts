/** The credentials as the running program uses them: read again every two seconds, decrypted when they changed. */
import type { Connection } from '../platform/database/database.ts'
import type { Log } from '../platform/log.ts'
import { StartupError } from '../platform/startup-error.ts'
import type { Credential, CredentialKind, CredentialOf } from './credential.ts'
import { readCredentialRows, type CredentialRow } from './credentials.queries.ts'
import { KeyMissing, readKeyRing } from './key-ring.ts'
import { missingKeySentence, openRow } from './sealed-credential.ts'

/** A credential, whose provider it is, and what it changes with. */
export type Opened<Kind extends CredentialKind = CredentialKind> = {
  readonly instanceId: string
  readonly alias: string
  readonly isCurrent: boolean
  readonly version: string
  readonly credential: CredentialOf<Kind>
}

export type Credentials = {
  /** What the provider of this alias shows; undefined where it has none of its own. */
  readonly of: <Kind extends CredentialKind>(kind: Kind, alias: string) => Opened<Kind> | undefined
  /** Also what was current once. */
  readonly all: <Kind extends CredentialKind>(kind: Kind) => readonly Opened<Kind>[]
  /** It has one that nobody here has ever been able to read: nothing else may take its place. */
  readonly isUnreadable: (kind: CredentialKind, alias: string) => boolean
  /** Reads again. Never throws once it was read: what cannot be read now is as it was. */
  readonly refresh: () => Promise<void>
}

/** Where no provider has any. */
export const NO_CREDENTIALS: Credentials = {
  of: () => undefined,
  all: () => [],
  isUnreadable: () => false,
  refresh: async () => {},
}

/** Throws StartupError when something is encrypted with a key that is not in the file. */
export async function openCredentials(
  db: Connection,
  keyFile: string,
  log: Pick<Log, 'error'>,
): Promise<Credentials> {
  let opened: ReadonlyMap<string, Opened> = new Map()
  let unreadable: ReadonlySet<string> = new Set()
  const nameOf = (kind: CredentialKind, alias: string): string => `${kind} ${alias.toLowerCase()}`
  const keyOf = (row: CredentialRow): string => `${row.instance_id} ${row.kind} ${row.account}`

  /** Each row by itself: one that cannot be read keeps nobody else's from being changed. */
  async function read(failed: (row: CredentialRow, error: unknown) => void): Promise<void> {
    const rows = await readCredentialRows(db)
    const known = opened
    const isKnown = (row: CredentialRow): boolean => known.get(keyOf(row))?.version === row.version
    // Looked at only when something is new: the file may be on a slow disk.
    const ring = rows.every(isKnown) ? undefined : readKeyRing(keyFile)
    const next = new Map<string, Opened>()
    const lost = new Set<string>()
    for (const row of rows) {
      const before = known.get(keyOf(row))
      const { instance_id: instanceId, url_alias: alias, is_current: isCurrent, version } = row
      const made = (credential: Credential) => ({
        instanceId,
        alias: alias.toLowerCase(),
        isCurrent,
        version,
        credential,
      })
      try {
        const credential =
          before && isKnown(row) ? before.credential : openRow(ring ?? readKeyRing(keyFile), row)
        next.set(keyOf(row), made(credential))
      } catch (error) {
        failed(row, error)
        // As it was read before, and asked for anew at the next look.
        if (before) next.set(keyOf(row), { ...before, isCurrent })
        else if (isCurrent) lost.add(nameOf(row.kind, alias))
      }
    }
    opened = next
    unreadable = lost
  }

  await read((row, error) => {
    if (!(error instanceof KeyMissing)) throw error
    throw new StartupError(missingKeySentence({ file: keyFile }, row))
  })

  const isOf =
    <Kind extends CredentialKind>(kind: Kind) =>
    (one: Opened): one is Opened & Opened<Kind> =>
      one.credential.kind === kind
  const all = <Kind extends CredentialKind>(kind: Kind): readonly Opened<Kind>[] =>
    [...opened.values()].filter(isOf(kind))
  return {
    all,
    of: (kind, alias) => all(kind).find((one) => one.isCurrent && one.alias === alias.toLowerCase()),
    isUnreadable: (kind, alias) => unreadable.has(nameOf(kind, alias)),
    async refresh() {
      try {
        await read((_row, err) => {
          log.error({ err }, 'credentials cannot be read; those that were read before hold')
        })
      } catch (err) {
        log.error({ err }, 'credentials cannot be read; those that were read before hold')
      }
    },
  }
}

/** A credential with a certificate, as the callers over mutual TLS take it. */
type WithCertificate = Opened<'SWISH' | 'BANKID'>

/** Opens a caller for each credential, and a new one when it has changed; calls on the old one end as they began. */
export function openCallers<Caller>(
  open: (texts: { readonly certificate: string; readonly key: string }) => Caller,
): (own: WithCertificate) => Caller {
  const opened = new Map<string, { readonly version: string; readonly caller: Caller }>()
  return ({ alias, version, credential }) => {
    const name = 'number' in credential ? `${alias} ${credential.number}` : alias
    const known = opened.get(name)
    if (known?.version === version) return known.caller
    const { certificate, key } = credential
    const caller = open({ certificate, key })
    opened.set(name, { version, caller })
    return caller
  }
}
