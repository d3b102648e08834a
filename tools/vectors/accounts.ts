/** Vector files about account numbers and postal codes. */
import {
  formatBankgiro,
  formatIban,
  formatPlusgiro,
  hasIbanChecksum,
  isBankgiroValid,
  isBicValid,
  isIbanValid,
  isPlusgiroValid,
} from '@kvitt/domain/accounts.ts'
import { isZipValid } from '@kvitt/domain/people/zip.ts'
import type { Check } from './check.ts'

type GiroFile = {
  bankgiro: { number: string; luhnValid: boolean; display: string }[]
  plusgiro: { number: string; luhnValid: boolean }[]
  format: { input: string; bankgiro?: string; plusgiro?: string }[]
}

export function checkGiroNumbers(file: GiroFile): Check[] {
  return [
    ...file.bankgiro.flatMap((row): Check[] => [
      { id: `bankgiro ${row.number}`, expected: row.luhnValid, actual: () => isBankgiroValid(row.number) },
      { id: `bankgiro ${row.number} shown`, expected: row.display, actual: () => formatBankgiro(row.number) },
    ]),
    ...file.plusgiro.map(
      (row): Check => ({
        id: `plusgiro ${row.number}`,
        expected: row.luhnValid,
        actual: () => isPlusgiroValid(row.number),
      }),
    ),
    ...file.format.map(
      (row): Check => ({
        id: `giro number ${row.input}`,
        expected: row.bankgiro ?? row.plusgiro,
        actual: () => (row.bankgiro ? formatBankgiro(row.input) : formatPlusgiro(row.input)),
      }),
    ),
  ]
}

type IbanFile = {
  vectors: { iban: string; checksumValid: boolean; structureValid: boolean }[]
  display: { iban: string; groupsOf4: string }[]
  bic: { valid: string[]; invalid: string[] }
}

export function checkIbans(file: IbanFile): Check[] {
  return [
    ...file.vectors.flatMap((row): Check[] => [
      { id: `iban ${row.iban} check`, expected: row.checksumValid, actual: () => hasIbanChecksum(row.iban) },
      { id: `iban ${row.iban}`, expected: row.structureValid, actual: () => isIbanValid(row.iban) },
    ]),
    ...file.display.map(
      (row): Check => ({
        id: `iban ${row.iban} shown`,
        expected: row.groupsOf4,
        actual: () => formatIban(row.iban),
      }),
    ),
    ...file.bic.valid.map(
      (bic): Check => ({ id: `bic ${bic}`, expected: true, actual: () => isBicValid(bic) }),
    ),
    ...file.bic.invalid.map(
      (bic): Check => ({ id: `bic ${bic}`, expected: false, actual: () => isBicValid(bic) }),
    ),
  ]
}

type ZipFile = { vectors: { country: string; input: string; valid: boolean }[] }

export function checkZips(file: ZipFile): Check[] {
  return file.vectors.map(
    (row): Check => ({
      id: `zip ${row.country} ${row.input}`,
      expected: row.valid,
      actual: () => isZipValid(row.country, row.input),
    }),
  )
}
