/** Archives as tests need them, honest or not: each entry with the name and the sizes that it is told to have. */
import { crc32, deflateRawSync } from 'node:zlib'

export type ZipEntry = {
  readonly name: string
  readonly bytes: Uint8Array
  /** What it says that it has unpacked. */
  readonly claims?: number
  readonly isLocked?: boolean
}

export function buildZip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes, claims = bytes.length, isLocked = false } of entries) {
    const packed = deflateRawSync(bytes)
    const said = Buffer.from(name)
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50, 0)
    header.writeUInt16LE(20, 4)
    header.writeUInt16LE(isLocked ? 1 : 0, 6)
    header.writeUInt16LE(8, 8)
    header.writeUInt32LE(crc32(bytes), 14)
    header.writeUInt32LE(packed.length, 18)
    header.writeUInt32LE(claims, 22)
    header.writeUInt16LE(said.length, 26)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(20, 4)
    header.copy(central, 6, 4, 30)
    central.writeUInt32LE(offset, 42)
    files.push(header, said, packed)
    directory.push(central, said)
    offset += header.length + said.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, listed, end])
}
