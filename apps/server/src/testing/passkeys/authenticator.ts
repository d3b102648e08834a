/** An authenticator for tests, in software: it makes passkeys and signs with them as a device does (WebAuthn, ES256). */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const sha256 = (text: string | Uint8Array): Buffer => createHash('sha256').update(text).digest()

/** What a device says of itself beside its signature; each may be a lie. */
export type Said = {
  readonly origin?: string
  readonly rpId?: string
  readonly isVerified?: boolean
  readonly counter?: number
  readonly isBackedUp?: boolean
  readonly userHandle?: string
}

const FLAG = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 }

export type Authenticator = {
  readonly id: string
  /** The answer of `navigator.credentials.create`. */
  make(options: { challenge: string; rp: { id: string }; user: { id: string } }, said?: Said): object
  /** The answer of `navigator.credentials.get`. */
  sign(options: { challenge: string; rpId: string }, said?: Said): object
}

/** @param origin the page that asks it, such as `http://localhost:3000` */
export function openAuthenticator(origin: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const rawId = randomBytes(32)
  const id = base64url(rawId)
  let handle = ''
  let uses = 0
  const clientData = (type: string, challenge: string, said: Said): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: said.origin ?? origin, crossOrigin: false }))
  const data = (rpId: string, said: Said, attested?: Uint8Array): Buffer => {
    const flags =
      FLAG.present |
      (said.isVerified === false ? 0 : FLAG.verified) |
      (said.isBackedUp === undefined ? 0 : FLAG.backupEligible | (said.isBackedUp ? FLAG.backedUp : 0)) |
      (attested ? FLAG.attested : 0)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(said.counter ?? uses)
    return Buffer.concat([sha256(said.rpId ?? rpId), Buffer.of(flags), counter, attested ?? Buffer.alloc(0)])
  }
  return {
    id,
    make({ challenge, rp, user }, said = {}) {
      handle = user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(rawId.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, rawId, coseOf(publicKey)])
      const object = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', Uint8Array.from(data(rp.id, said, attested))],
      ])
      const response = {
        clientDataJSON: base64url(clientData('webauthn.create', challenge, said)),
        attestationObject: base64url(isoCBOR.encode(object as never)),
        transports: ['internal'],
      }
      return { id, rawId: id, type: 'public-key', response }
    },
    sign({ challenge, rpId }, said = {}) {
      uses += 1
      const client = clientData('webauthn.get', challenge, said)
      const authenticatorData = data(rpId, said)
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(client)]), privateKey)
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
        userHandle: said.userHandle ?? handle,
      }
      return { id, rawId: id, type: 'public-key', response }
    },
  }
}

/** A P-256 key as COSE writes it (RFC 9053): kty EC2, ES256, the curve, x and y. */
function coseOf(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64url'))
  const map = new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(x)],
    [-3, bytes(y)],
  ])
  return isoCBOR.encode(map as never)
}
