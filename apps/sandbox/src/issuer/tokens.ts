import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Faults } from '../faults.ts'
import type { Grant } from './issuer.ts'

const VALID_S = 300
/** How far back a sign-in lies that is too old. */
const OLD_S = 3_600

export interface Signer {
  /** Its public half, as the issuer publishes it. */
  jwk: object
  sign(claims: object): string
}

/** A key pair of this run: whoever kept the keys of the run before asks for these. */
export function openSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(JSON.stringify(jwk)).digest('base64url').slice(0, 16)
  return {
    jwk: { ...jwk, kid, alg: 'ES256', use: 'sig' },
    sign: (claims) => signed(claims, { alg: 'ES256', kid, typ: 'JWT' }, privateKey),
  }
}

function signed(claims: object, header: object, key?: KeyObject): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part(header)}.${part(claims)}`
  const bytes = key && sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
  return `${text}.${bytes?.toString('base64url') ?? ''}`
}

/** The subject of an account: never its address. */
export const subjectOf = (email: string): string =>
  createHash('sha256').update(`sandbox issuer ${email}`).digest('hex').slice(0, 24)

interface Made {
  issuer: string
  clientId: string
  grant: Grant
  nowMs: number
}

/** The ID token of a grant, or one that is wrong in the way that was asked for. */
export function makeIdToken(
  signer: Signer,
  faults: Pick<Faults, 'consume'>,
  { issuer, clientId, grant, nowMs }: Made,
): string {
  const now = Math.floor(nowMs / 1_000)
  const claims = {
    iss: issuer,
    aud: clientId,
    sub: subjectOf(grant.account.email),
    email: grant.account.email,
    email_verified: true,
    name: grant.account.name,
    nonce: grant.nonce,
    iat: now,
    exp: now + VALID_S,
    auth_time: Math.floor(grant.signedInAtMs / 1_000),
  }
  if (faults.consume('wrong-nonce')) return signer.sign({ ...claims, nonce: 'another' })
  if (faults.consume('wrong-audience')) return signer.sign({ ...claims, aud: 'another-client' })
  if (faults.consume('other-issuer')) return signer.sign({ ...claims, iss: 'https://other.example' })
  if (faults.consume('expire')) return signer.sign({ ...claims, iat: now - OLD_S, exp: now - VALID_S })
  if (faults.consume('old-sign-in')) return signer.sign({ ...claims, auth_time: now - OLD_S })
  if (faults.consume('unsigned')) return signed(claims, { alg: 'none', typ: 'JWT' })
  // Of the right name, and of a key that nobody has published.
  if (faults.consume('wrong-key')) {
    const { kid } = signer.jwk as { kid: string }
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    return signed(claims, { alg: 'ES256', kid, typ: 'JWT' }, privateKey)
  }
  return signer.sign(claims)
}
