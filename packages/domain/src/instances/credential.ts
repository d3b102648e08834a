/** What a provider shows its counterparties, by kind. */

export const CREDENTIAL_KINDS = ['SWISH', 'BANKID', 'DIGITAL_MAILBOX', 'ELECTRONIC_INVOICE'] as const
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number]

/** Those with a certificate: the other side says whether it knows it. */
export const TRIED_KINDS = ['SWISH', 'BANKID'] as const
export type TriedKind = (typeof TRIED_KINDS)[number]

/** What came of asking. NOT_OFFERED: nothing holds for the provider, so nobody was asked. */
export const TRIED = ['ACCEPTED', 'REFUSED', 'NO_ANSWER', 'NOT_OFFERED'] as const

export type Tried = { readonly outcome: (typeof TRIED)[number]; readonly detail: string | null }

/** Why it cannot be kept or taken away. */
export const CREDENTIAL_FAULTS = [
  'number',
  'certificate',
  'key',
  'pair',
  'expired',
  'tenant',
  'address',
  'taken',
  'under_way',
  'key_file',
] as const
export type CredentialFault = (typeof CREDENTIAL_FAULTS)[number]
