/**
 * The keys that credentials are encrypted with. They are in a file outside the database, so that a copy of the database alone opens
 * nothing. A line is a key; the last one encrypts, all of them decrypt.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lchownSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { StartupError } from '../platform/startup-error.ts'

export type Sealed = { readonly keyId: string; readonly bytes: Uint8Array }

export type KeyRing = {
  readonly file: string
  /** Names of the keys, the one that encrypts last. */
  readonly ids: readonly string[]
  /** `about` is bound to what is sealed: moved to another row, it does not open. Throws StartupError when there is no key. */
  readonly seal: (text: string, about: string) => Sealed
  /** Throws KeyMissing, and Error when the bytes were changed. */
  readonly open: (sealed: Sealed, about: string) => string
}

/** The key that something was encrypted with is not in the file. */
export class KeyMissing extends Error {
  override name = 'KeyMissing'
  readonly keyId: string
  constructor(keyId: string) {
    super(`the key ${keyId} is missing`)
    this.keyId = keyId
  }
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const LINE = /^([0-9a-f]{8}):([A-Za-z0-9+/]{43}=)$/

type Key = { readonly id: string; readonly bytes: Buffer }

/** The name of a key tells nothing about it, and whether it was copied whole. */
function idOf(bytes: Uint8Array): string {
  return createHash('sha256').update('kvitt settings key\n').update(bytes).digest('hex').slice(0, 8)
}

function readKeys(file: string): Key[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new StartupError(`The key file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line, index) => {
      const [, id = '', key = ''] = LINE.exec(line) ?? []
      const bytes = Buffer.from(key, 'base64')
      if (bytes.length !== KEY_BYTES || idOf(bytes) !== id)
        throw new StartupError(
          `Line ${index + 1} of the key file ${file} is no whole key. Copy the file again.`,
        )
      return { id, bytes }
    })
}

/** Of a file that does not exist: no keys. Throws StartupError when it cannot be read, or a line of it is no key. */
export function readKeyRing(file: string): KeyRing {
  const keys = readKeys(file)
  return {
    file,
    ids: keys.map(({ id }) => id),
    seal(text, about) {
      const key = keys.at(-1)
      if (!key) throw new StartupError(`The key file ${file} has no key.`)
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce).setAAD(aad(key.id, about))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return { keyId: key.id, bytes: Buffer.concat([nonce, cipher.getAuthTag(), body]) }
    },
    open({ keyId, bytes }, about) {
      const key = keys.find(({ id }) => id === keyId)
      if (!key) throw new KeyMissing(keyId)
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce).setAAD(aad(keyId, about))
      decipher.setAuthTag(tag)
      const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
  }
}

function aad(keyId: string, about: string): Buffer {
  return Buffer.from(`${keyId}\n${about}`, 'utf8')
}

/** Puts a new key behind those of the file, which is made when it does not exist. Answers its name. */
export function addKey(file: string): string {
  const bytes = randomBytes(KEY_BYTES)
  const added: Key = { id: idOf(bytes), bytes }
  write(file, [...readKeys(file), added])
  return added.id
}

/** Takes a key out of the file. */
export function removeKey(file: string, id: string): void {
  write(
    file,
    readKeys(file).filter((key) => key.id !== id),
  )
}

/** Whose a new file is: as the one before, else as the folder that there is. Others never read it, a group when it was given to one. */
function ownerFor(target: string): { readonly uid: number; readonly gid: number; readonly mode: number } {
  if (existsSync(target)) {
    const { uid, gid, mode } = statSync(target)
    return { uid, gid, mode: mode & 0o007 ? 0o600 : 0o600 | (mode & 0o040) }
  }
  let folder = dirname(target)
  while (!existsSync(folder)) folder = dirname(folder)
  const { uid, gid } = statSync(folder)
  return { uid, gid, mode: 0o600 }
}

/** Whole or not at all, for the account of the program alone; on the disk when it returns. A link stays a link. */
function write(file: string, keys: readonly Key[]): void {
  const target = existsSync(file) ? realpathSync(file) : file
  const folder = dirname(target)
  const beside = `${target}.new`
  const owner = ownerFor(target)
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Only root may give files away; run by it, a command must not take the keys from the program's account.
  const isRoot = process.getuid?.() === 0
  const rest = made === undefined ? '' : relative(made, folder)
  const steps = rest === '' ? [] : rest.split(sep)
  const folders =
    made === undefined ? [] : [made, ...steps.map((_, at) => join(made, ...steps.slice(0, at + 1)))]
  if (isRoot) for (const one of folders) lchownSync(one, owner.uid, owner.gid)
  const text = keys.map(({ id, bytes }) => `${id}:${bytes.toString('base64')}\n`).join('')
  // What is left of a cut-off try, or was put there to lead elsewhere, is not written to.
  rmSync(beside, { force: true })
  const handle = openSync(beside, 'wx', 0o600)
  try {
    if (isRoot) fchownSync(handle, owner.uid, owner.gid)
    fchmodSync(handle, owner.mode)
    writeSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(beside, target)
  const inFolder = openSync(folder, 'r')
  try {
    fsyncSync(inFolder)
  } finally {
    closeSync(inFolder)
  }
}
