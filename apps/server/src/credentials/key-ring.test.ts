import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { closeAfterwards } from '../testing/close-afterwards.ts'
import { addKey, KeyMissing, readKeyRing, removeKey } from './key-ring.ts'

const folder = mkdtempSync(join(tmpdir(), 'kvitt-keys-'))
closeAfterwards(() => rmSync(folder, { recursive: true, force: true }))
const fileOf = (name: string): string => join(folder, name, 'settings.key')

test('what is sealed opens with the same key and about the same thing only', () => {
  const file = fileOf('same')
  const id = addKey(file)
  const ring = readKeyRing(file)
  const sealed = ring.seal('1231181189 ååå', 'provider one')
  expect(sealed.keyId).toBe(id)
  expect(Buffer.from(sealed.bytes).includes('1231181189')).toBe(false)
  expect(ring.open(sealed, 'provider one')).toBe('1231181189 ååå')
  expect(() => ring.open(sealed, 'provider two')).toThrow(/unable to authenticate/)
  for (const at of [0, 12, 28, sealed.bytes.length - 1]) {
    const changed = Uint8Array.from(sealed.bytes, (byte, index) => (index === at ? byte ^ 1 : byte))
    expect(() => ring.open({ ...sealed, bytes: changed }, 'provider one'), `byte ${at}`).toThrow(
      /unable to authenticate/,
    )
  }
})

test('the same text is never the same bytes', () => {
  const file = fileOf('nonce')
  addKey(file)
  const ring = readKeyRing(file)
  const made = Array.from({ length: 50 }, () => Buffer.from(ring.seal('same', 'same').bytes).toString('hex'))
  expect(new Set(made).size).toBe(50)
})

test('the last key encrypts, the ones before still open', () => {
  const file = fileOf('two')
  const first = addKey(file)
  const sealed = readKeyRing(file).seal('old', 'a')
  const second = addKey(file)
  const ring = readKeyRing(file)
  expect(ring.ids).toEqual([first, second])
  expect(ring.seal('new', 'a').keyId).toBe(second)
  expect(ring.open(sealed, 'a')).toBe('old')
  removeKey(file, first)
  expect(() => readKeyRing(file).open(sealed, 'a')).toThrow(new KeyMissing(first))
})

test('the file is for the account of the program alone', () => {
  const file = fileOf('mode')
  addKey(file)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  chmodSync(file, 0o644)
  addKey(file)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('who runs a command as root leaves the file to the account that has it, or the folder', () => {
  if (process.getuid?.() !== 0) return
  const [uid, gid] = [4711, 4712]
  const ownerOf = (file: string) => {
    const { uid: owner, gid: group, mode } = statSync(file)
    return [owner, group, mode & 0o777]
  }
  const data = join(folder, 'data')
  mkdirSync(data)
  chownSync(data, uid, gid)
  const file = join(data, 'keys/settings.key')
  const id = addKey(file)
  expect(ownerOf(file)).toEqual([uid, gid, 0o600])
  expect(ownerOf(join(data, 'keys'))).toEqual([uid, gid, 0o700])
  // Given to a group to read, it stays so.
  chownSync(file, 0, gid)
  chmodSync(file, 0o640)
  addKey(file)
  expect(ownerOf(file)).toEqual([0, gid, 0o640])
  removeKey(file, id)
  expect(ownerOf(file)).toEqual([0, gid, 0o640])
})

test('a file that is cut off, changed or none is a sentence; one that is not there has no keys', () => {
  const file = fileOf('broken')
  expect(readKeyRing(file).ids).toEqual([])
  expect(() => readKeyRing(file).seal('x', 'a')).toThrow(/has no key/)
  addKey(file)
  const whole = readFileSync(file, 'utf8')
  for (const text of [
    whole.slice(0, -3),
    whole.replace(/:(.)/, (_, c) => `:${c === 'A' ? 'B' : 'A'}`),
    'hello',
  ]) {
    writeFileSync(file, text)
    expect(() => readKeyRing(file), text).toThrow(/Line 1 of the key file .* is no whole key/)
  }
  expect(() => readKeyRing(folder)).toThrow(/cannot be read/)
})
