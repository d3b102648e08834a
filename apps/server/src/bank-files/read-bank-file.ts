/** From the bytes of a bank's file to what it tells, whichever format it has. */
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { BankFileError, type BankFile } from '@kvitt/domain/bank-files/bank-file.ts'
import { isBgMax, readBgMax } from '@kvitt/domain/bank-files/bgmax.ts'
import { isOcrGiro, readOcrGiro } from '@kvitt/domain/bank-files/ocr-giro.ts'
import { ImportRefusal, type ImportInput } from '../imports/imports.ts'
import { readCamt } from './camt/camt.ts'

const LARGEST_BYTES = 50 * 1_048_576

/** Why a file is refused that is none of a bank's at all. */
export const NO_BANK_FILE = 'This is no file of payments that we read: BgMax, OCR giro, camt.053 or camt.054.'

export type ReadBankFile = { readonly name: string; readonly hash: Buffer; readonly content: BankFile }

/** Throws ImportRefusal when it is not a file of a bank, does not add up, or is too large. */
export async function readBankFile(input: ImportInput): Promise<ReadBankFile> {
  if ((input.sizeBytes ?? 0) > LARGEST_BYTES) refuseSize()
  const chunks: Uint8Array[] = []
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of input.open()) {
    bytes += chunk.length
    if (bytes > LARGEST_BYTES) refuseSize()
    hash.update(chunk)
    chunks.push(chunk)
  }
  if (bytes === 0) throw new ImportRefusal('The file is empty.')
  return { name: input.name, hash: hash.digest(), content: await readContent(chunks) }
}

function refuseSize(): never {
  throw new ImportRefusal('The file is larger than 50 MB. Ask the bank for a file a day.')
}

/**
 * The text of a file of rows, whose columns are counted in characters. Banks write Latin 1; what went through another program may have
 * become UTF-8, which Latin 1 with a letter of its own hardly ever is by chance.
 */
function textOfRows(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8').replace(/^\uFEFF/, '') : bytes.toString('latin1')
}

async function readContent(chunks: readonly Uint8Array[]): Promise<BankFile> {
  const head = Buffer.from(chunks[0] ?? []).toString('latin1')
  const rows = head.replace(/^\u00EF\u00BB\u00BF/, '')
  try {
    if (isBgMax(rows)) return readBgMax(textOfRows(Buffer.concat(chunks)))
    if (isOcrGiro(rows)) return readOcrGiro(textOfRows(Buffer.concat(chunks)))
  } catch (error) {
    if (!(error instanceof BankFileError)) throw error
    throw new ImportRefusal(error.message, error.line === undefined ? {} : { line: error.line })
  }
  // A mark of the encoding may stand before the first tag.
  if (/^[^\w]{0,8}</.test(head)) return readCamt(chunks)
  throw new ImportRefusal(NO_BANK_FILE)
}
