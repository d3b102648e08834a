/** Vector files about payment references. */
import {
  fikId,
  finnishReference,
  finnishRf,
  giroLine,
  hasLengthDigit,
  isFikIdValid,
  isFinnishReferenceValid,
  isKidMod10Valid,
  isKidMod11Valid,
  isLuhnValid,
  isOcrValid,
  isRfValid,
  kidMod10,
  kidMod11,
  luhnDigit,
  ocr,
  ocrWithLength,
  rfReference,
  type FikType,
} from '@kvitt/domain/references.ts'
import { amountText } from '@kvitt/domain/money.ts'
import { type Check, refusalOf } from './check.ts'

type OcrFile = {
  generate: { base: string; ocr: string; withLength: string; withLengthAndPad0: string | null }[]
  validate: { reference: string; luhnValid: boolean; lengthDigitValid: boolean }[]
  errors: { input: string; op: 'generate' | 'validate' }[]
}

export function checkOcr(file: OcrFile): Check[] {
  return [
    ...file.generate.flatMap((row): Check[] => [
      { id: `ocr ${row.base}`, expected: row.ocr, actual: () => ocr(row.base) },
      { id: `ocr ${row.base} with length`, expected: row.withLength, actual: () => ocrWithLength(row.base) },
      {
        id: `ocr ${row.base} with 0 and length`,
        expected: row.withLengthAndPad0 ?? 'refused',
        actual: () => refusalOf(() => ocrWithLength(`${row.base}0`)),
      },
    ]),
    ...file.validate.flatMap((row): Check[] => [
      { id: `ocr ${row.reference} valid`, expected: row.luhnValid, actual: () => isOcrValid(row.reference) },
      {
        id: `ocr ${row.reference} length digit`,
        expected: row.lengthDigitValid,
        actual: () => hasLengthDigit(row.reference),
      },
    ]),
    ...file.errors.map((row): Check => {
      const [expected, actual] =
        row.op === 'generate'
          ? ['refused', () => refusalOf(() => ocr(row.input))]
          : [false, () => isOcrValid(row.input)]
      return { id: `ocr ${row.op} ${row.input}`, expected, actual }
    }),
  ]
}

type KidFile = {
  generate: { base: string; mod10: string; mod11: string }[]
  publishedExamples: { kid: string }[]
  validate: { kid: string; mod10Valid: boolean; mod11Valid: boolean }[]
}

export function checkKid(file: KidFile): Check[] {
  return [
    ...file.generate.flatMap((row): Check[] => [
      { id: `kid ${row.base} mod10`, expected: row.mod10, actual: () => kidMod10(row.base) },
      { id: `kid ${row.base} mod11`, expected: row.mod11, actual: () => kidMod11(row.base) },
    ]),
    ...file.publishedExamples.map(
      ({ kid }): Check => ({
        id: `kid ${kid} valid`,
        expected: true,
        actual: () => isKidMod10Valid(kid) || isKidMod11Valid(kid),
      }),
    ),
    ...file.validate.flatMap((row): Check[] => [
      { id: `kid ${row.kid} mod10`, expected: row.mod10Valid, actual: () => isKidMod10Valid(row.kid) },
      { id: `kid ${row.kid} mod11`, expected: row.mod11Valid, actual: () => isKidMod11Valid(row.kid) },
    ]),
  ]
}

/** The code line of a Danish slip: +71<payment id+creditor<. */
const codeLine = (type: FikType, id: string, creditor: string): string => `+${type}<${id}+${creditor}<`

type FikFile = { generate: { base: string; withCheck: string; type: FikType; codeLine: string }[] }

export function checkFik(file: FikFile): Check[] {
  return file.generate.flatMap((row): Check[] => {
    const creditor = /\+(\d+)<$/.exec(row.codeLine)?.[1] ?? ''
    return [
      { id: `fik ${row.base}`, expected: row.withCheck, actual: () => fikId(row.type, row.base) },
      {
        id: `fik ${row.withCheck} valid`,
        expected: true,
        actual: () => isFikIdValid(row.type, row.withCheck),
      },
      {
        id: `fik ${row.withCheck} line`,
        expected: row.codeLine,
        actual: () => codeLine(row.type, row.withCheck, creditor),
      },
    ]
  })
}

type FinnishFile = { generate: { base: string; reference: string; rf: string }[] }

export function checkFinnishReferences(file: FinnishFile): Check[] {
  return file.generate.flatMap((row): Check[] => [
    { id: `viite ${row.base}`, expected: row.reference, actual: () => finnishReference(row.base) },
    {
      id: `viite ${row.reference} valid`,
      expected: true,
      actual: () => isFinnishReferenceValid(row.reference),
    },
    { id: `viite ${row.reference} rf`, expected: row.rf, actual: () => finnishRf(row.reference) },
    { id: `viite ${row.rf} valid`, expected: true, actual: () => isRfValid(row.rf) },
  ])
}

type RfFile = { generate: { reference: string; rf: string }[]; validate: { rf: string; valid: boolean }[] }

export function checkCreditorReferences(file: RfFile): Check[] {
  return [
    ...file.generate.map(
      (row): Check => ({
        id: `rf ${row.reference}`,
        expected: row.rf,
        actual: () => rfReference(row.reference),
      }),
    ),
    ...file.validate.map(
      (row): Check => ({ id: `rf ${row.rf} valid`, expected: row.valid, actual: () => isRfValid(row.rf) }),
    ),
  ]
}

type GiroLineFile = {
  amountCheckDigit: {
    ore: number
    kronor: number
    oreDigits: string
    check: string
    checkLeftPaddedTo9: string
  }[]
  lines: {
    reference: string
    ore: number
    account: string
    specAmount: string
    check: string
    reference25: string
    account25: string
    slipLine: string
  }[]
}

export function checkGiroLines(file: GiroLineFile): Check[] {
  return [
    ...file.amountCheckDigit.flatMap((row): Check[] => {
      const amount = `${row.kronor}${row.oreDigits}`
      return [
        { id: `giro ${row.ore} check`, expected: row.check, actual: () => luhnDigit(amount) },
        {
          id: `giro ${row.ore} check, padded`,
          expected: row.checkLeftPaddedTo9,
          actual: () => luhnDigit(amount.padStart(9, '0')),
        },
        {
          id: `giro ${row.ore} in the line`,
          expected: true,
          actual: () => isLuhnValid(lineParts(row.ore, '1230', '54029681')?.amount ?? ''),
        },
      ]
    }),
    ...file.lines.flatMap((row): Check[] => {
      const { reference, account, ore } = row
      return [
        {
          id: `giro ${reference} slip`,
          expected: row.slipLine,
          actual: () => giroLine({ amountMinor: ore, account, reference, layout: 'slip' }),
        },
        { id: `giro ${reference} amount`, expected: row.specAmount, actual: () => amountText(ore) },
        {
          id: `giro ${reference} aligned`,
          expected: [row.reference25, row.check, row.account25],
          actual: () => {
            const parts = lineParts(ore, reference, account)
            return [parts?.reference25, parts?.amount.at(-1), parts?.account25]
          },
        },
      ]
    }),
  ]
}

/** The fields of the 74 characters by their places: reference 1-25, kronor 29-36, öre 38-39, check 41, account 45-69. */
function lineParts(amountMinor: number, reference: string, account: string) {
  const line = giroLine({ amountMinor, account, reference })
  if (line?.length !== 74) return undefined
  return {
    reference25: line.slice(1, 26),
    amount: `${line.slice(29, 37).trim()}${line.slice(38, 40)}${line.slice(41, 42)}`,
    account25: line.slice(45, 70),
  }
}
