/** Two logins reach a database of somebody's own: its owner migrates it, and the program works in it. */
import type { DatabaseAddress } from './database.ts'

const PROGRAM = 'kvitt_app'

/** Scheme, login with its password, and the rest of an address such as `postgres://owner:secret@host/name`. */
const ADDRESS = /^(postgres(?:ql)?:\/\/)(?:([^@/?#:]*)(:[^@/?#]*)?@)?(.*)$/s

type Settings = {
  readonly databaseUrl: string
  readonly databaseOwnerUrl: string | undefined
  readonly databasePooler?: 'none' | 'transaction'
}

export type Logins = {
  /** Left out where the program may not migrate. */
  readonly owner: DatabaseAddress | undefined
  readonly program: DatabaseAddress
}

/**
 * Without DATABASE_OWNER_URL, a DATABASE_URL of another login than the program's is the owner's: the program then logs in
 * at the same address as kvitt_app, with the same password if there is one.
 */
export function loginsOf({ databaseUrl, databaseOwnerUrl, databasePooler }: Settings): Logins {
  const isPooled = databasePooler === 'transaction'
  const program = (connectionString: string): DatabaseAddress => ({
    connectionString,
    ...(isPooled ? { isPooled } : {}),
  })
  if (databaseOwnerUrl) {
    return { owner: { connectionString: databaseOwnerUrl }, program: program(databaseUrl) }
  }
  const [, scheme, user, password = '', rest] = ADDRESS.exec(databaseUrl) ?? []
  if (user === PROGRAM) return { owner: undefined, program: program(databaseUrl) }
  return {
    owner: { connectionString: databaseUrl },
    program: program(`${scheme}${PROGRAM}${password}@${rest}`),
  }
}
