/** What the provider shows its counterparties, as its own managers enter, try and take it away. */
import type { BodyOf } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import {
  CREDENTIAL_KINDS,
  type CredentialFault,
  type CredentialKind,
  type Tried,
  type TriedKind,
} from '@kvitt/domain/instances/credential.ts'
import type { enterCredential } from '@kvitt/domain/instances/credential.contract.ts'
import type { Context } from '../context.ts'
import {
  CredentialRefused,
  keepCredential,
  listCredentials,
  removeCredential,
  tryCredential,
  type Credential,
} from '../credentials/credentials.ts'
import { StartupError } from '../platform/startup-error.ts'
import { actorOf, requireFreshSignIn, type OperatorMember } from '../staff/staff.ts'

type Wish = { readonly context: Context; readonly principal: OperatorMember }
type Written = BodyOf<typeof enterCredential>

const partsOf = ({ db, clock, config }: Context) => ({ db, clock, keyFile: config.settingsKeyFile })

/** Whether others' settings, those of the process, hold where the provider has none of its own. */
export function isShared(
  { config, gateways, identityProvider }: Context,
  { instance }: OperatorMember,
  kind: CredentialKind,
): boolean {
  switch (kind) {
    case 'SWISH':
      return gateways.some(({ code, payeeOf }) => code === 'SWISH' && payeeOf(instance) !== undefined)
    case 'BANKID':
      return identityProvider !== undefined
    case 'DIGITAL_MAILBOX':
      return config.mail.digitalMailbox !== undefined
    case 'ELECTRONIC_INVOICE':
      return config.mail.accessPoint !== undefined
  }
}

/** Every kind, with what the provider has of its own. */
export async function showCredentials({ context, principal }: Wish) {
  const { db, config } = context
  const listed = await asRefusal(() => listCredentials(db, config.settingsKeyFile, principal.instance.id))
  return {
    credentials: CREDENTIAL_KINDS.map((kind) => {
      const of = listed.filter((one) => one.kind === kind)
      const own = of.find(({ isCurrent }) => isCurrent)
      const { account = '', certificate = null, isReadable = true } = own ?? {}
      return {
        kind,
        own: own ? { account, certificate, isReadable } : null,
        former: of.filter(({ isCurrent }) => !isCurrent).map((one) => one.account),
        isShared: own === undefined && isShared(context, principal, kind),
      }
    }),
  }
}

function credentialIn({ kind, number = '', certificate = '', key = '' }: Written): Credential {
  switch (kind) {
    case 'SWISH':
      return { kind, number, certificate, key }
    case 'BANKID':
      return { kind, certificate, key }
    case 'DIGITAL_MAILBOX':
      return { kind, tenant: number }
    case 'ELECTRONIC_INVOICE':
      return { kind, address: number }
  }
}

/** Refuses `sign_in_again`, and `credential_refused` with what is wrong: then nothing has changed. */
export async function enterOwnCredential({ context, principal }: Wish, written: Written) {
  requireFreshSignIn(context, principal)
  const wish = { instanceId: principal.instance.id, by: actorOf(principal) }
  await asRefusal(() => keepCredential(partsOf(context), wish, credentialIn(written)))
  return showCredentials({ context, principal })
}

type Removal = { readonly kind: CredentialKind; readonly number?: string | undefined }

/** As enterOwnCredential. What is not there is gone already. */
export async function removeOwnCredential({ context, principal }: Wish, { kind, number }: Removal) {
  requireFreshSignIn(context, principal)
  const account = kind === 'SWISH' ? number : undefined
  const wish = { instanceId: principal.instance.id, by: actorOf(principal), kind, account }
  await asRefusal(() => removeCredential(partsOf(context), wish))
  return showCredentials({ context, principal })
}

/** Asks the counterparty, and keeps what it says of what holds now. */
export function tryOwnCredential({ context, principal }: Wish, kind: TriedKind): Promise<Tried> {
  const { gateways, identityProvider } = context
  const { instance } = principal
  return tryCredential(context, { instanceId: instance.id, kind }, async () =>
    kind === 'BANKID'
      ? identityProvider?.tryOut(instance.row.url_alias)
      : gateways.find(({ code }) => code === 'SWISH')?.tryOut?.(instance),
  )
}

const FIELDS: Readonly<Record<CredentialFault, readonly string[]>> = {
  number: ['number'],
  tenant: ['number'],
  address: ['number'],
  taken: ['number'],
  certificate: ['certificate'],
  expired: ['certificate'],
  key: ['key'],
  pair: ['key'],
  under_way: [],
  key_file: [],
}

/** The sentences of the command name files of the server and other providers: here their fault alone is said. */
async function asRefusal<Done>(work: () => Promise<Done>): Promise<Done> {
  try {
    return await work()
  } catch (error) {
    const fault =
      error instanceof CredentialRefused
        ? error.fault
        : error instanceof StartupError
          ? 'key_file'
          : undefined
    if (fault === undefined) throw error
    throw new Refusal('credential_refused', { why: fault }, [...FIELDS[fault]])
  }
}
