/** Files of rows in the encodings that reach us: Latin 1 from the bank, UTF-8 from a program in between. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { castBgMax } from '../demo/cast-bgmax.ts'
import { TODAY } from '../testing/build.ts'
import { readBankFile } from './read-bank-file.ts'

const read = async (bytes: Uint8Array) => {
  async function* open() {
    yield bytes
  }
  return (await readBankFile({ name: 'bank.txt', open })).content
}

/** A payment with its payer's name, whose letters take two bytes each in UTF-8. */
const PAYER = 'Åsa Öberg Järnväg'
const NAMED = castBgMax({
  bankgiro: '9990-0227',
  day: TODAY,
  payments: [{ reference: '260101314920', amountMinor: 84_200 }],
  serial: 1,
})
  .split(/\r?\n/)
  .flatMap((row) => (row.startsWith('20') ? [row, `26${PAYER}`.padEnd(80)] : [row]))
  .join('\r\n')

test('the same rows are the same payments, in Latin 1, in UTF-8 and with its mark', async () => {
  const latin1 = await read(Buffer.from(NAMED, 'latin1'))
  expect(JSON.stringify(latin1)).toContain(PAYER)
  expect(await read(Buffer.from(NAMED, 'utf8'))).toEqual(latin1)
  expect(await read(Buffer.from(`\uFEFF${NAMED}`, 'utf8'))).toEqual(latin1)
})

const SAMPLE = new URL('../../../../../shared/samples/bgmax-utf8-multipayment.txt', import.meta.url)
test('a published sample in UTF-8 is read', async ({ skip }) => {
  skip(!existsSync(SAMPLE), 'there is no folder ../shared/samples')
  const content = await read(readFileSync(SAMPLE))
  expect(JSON.stringify(content)).not.toMatch(/Ã|\uFFFD/)
})
