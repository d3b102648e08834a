import { describe, expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { NUMBER_RULES, isIdentificationNumberValid } from './identification-number.ts'
import { luhnDigit } from '../references.ts'

/** One number of each kind as the registers and the test suites of number libraries print it. */
const VALID: [string, string, string][] = [
  ['AT', 'businessid', 'FN 122119m'],
  ['AT', 'tin', '59-119/9013'],
  ['AT', 'uid', 'AT U13585627'],
  ['AT', 'vnr', '1237 010180'],
  ['BE', 'nn', '85 07 30 033 28'],
  ['BE', 'nn', '40000100133'],
  ['BE', 'bis', '98 47 28 997 65'],
  ['BE', 'bis', '01400199977'],
  ['BE', 'insz', '88022999990'],
  ['BE', 'vat', '(0)403019261'],
  ['BG', 'egn', '7523169263'],
  ['BG', 'pnf', '7111 042 925'],
  ['BG', 'vat', '175074752'],
  ['CH', 'ssn', '756.9217.0769.85'],
  ['CH', 'uid', 'CHE 113.042.942.'],
  ['CH', 'vat', 'CHE-108.113.335 MwST'],
  ['CY', 'vat', 'CY-10259033P '],
  ['CZ', 'ico', '00177041'],
  ['CZ', 'rc', '710319/2745'],
  ['CZ', 'dic', 'CZ 25123891'],
  ['CZ', 'dic', '640903926'],
  ['DE', 'idnr', '36 574 261 809'],
  ['DE', 'svnr', '15 070649 C 103'],
  ['DE', 'stnr', ' 181/815/0815 5'],
  ['DE', 'vat', 'DE136695976'],
  ['DK', 'cpr', '211062-5629'],
  ['DK', 'cvr', 'DK 13585628'],
  ['EE', 'ik', '36805280109'],
  ['EE', 'registrikood', '12345678'],
  ['EE', 'kmkr', '100594102'],
  ['ES', 'dni', '54362315-K'],
  ['ES', 'nie', 'x-2482300w'],
  ['ES', 'cif', 'J99216582'],
  ['ES', 'nif', 'M-1234567-L'],
  ['FI', 'hetu', '131052-308T'],
  ['FI', 'hetu', '131022b3082'],
  ['FI', 'ytunnus', '2077474-0'],
  ['FI', 'alv', 'FI 20774740'],
  ['FR', 'nir', '253072B07300470'],
  ['FR', 'nif', '0701987765493'],
  ['FR', 'siren', '404833048'],
  ['FR', 'siret', '356 000 000 09075'],
  ['FR', 'tva', 'K7399859412'],
  ['FR', 'tva', 'Fr 40 303 265 045'],
  ['GB', 'nino', 'hh012345d'],
  ['GB', 'utr', '1955839661'],
  ['GB', 'vat', 'GB 980 7806 84'],
  ['GB', 'vat', 'HA888856782'],
  ['GB', 'company', 'SC123456'],
  ['GR', 'amka', '01013099997'],
  ['GR', 'vat', 'GR 23456780'],
  ['HU', 'anum', 'HU-12892312'],
  ['IE', 'pps', '6433435OA'],
  ['IE', 'vat', '8D79739I'],
  ['IT', 'codicefiscale', 'RSSMRAQRCMNFNLRG'],
  ['IT', 'iva', 'IT 00743110157'],
  ['LT', 'asmens', '33309240064'],
  ['LT', 'pvm', 'LT 100001919017'],
  ['LU', 'tva', 'LU 150 274 42'],
  ['LV', 'pvn', '161175-19997'],
  ['LV', 'pvn', 'LV 4000 3521 600'],
  ['LV', 'pvn', '328673-00679'],
  ['NL', 'bsn', '1112.22.333'],
  ['NL', 'btw', 'NL002455799B11'],
  ['NO', 'fodselsnummer', '27034698436'],
  ['NO', 'fodselsnummer', '12839140000'],
  ['NO', 'orgnr', '988 077 917'],
  ['NO', 'mva', 'NO 995 525 828 MVA'],
  ['PL', 'pesel', '09222509560'],
  ['PL', 'nip', 'PL 8567346215'],
  ['PL', 'regon', '192598184'],
  ['PT', 'cc', '00000000 0 ZZ4'],
  ['PT', 'nif', 'PT 501 964 843'],
  ['RO', 'cnp', '1630615123457'],
  ['RO', 'cui', 'RO 185 472 90'],
  ['RO', 'onrc', 'J/52/750/2012'],
  ['RO', 'onrc', 'J22-1515-2007'],
  ['RO', 'onrc', 'F01 587 2023'],
  ['RO', 'onrc', 'J2016012984401'],
  ['SE', 'personnummer', '880320-0016'],
  ['SE', 'personnummer', '8803200016'],
  ['SE', 'personnummer', '198803200016'],
  ['SE', 'personnummer', '880320+0016'],
  ['SE', 'orgnr', '556036-0793'],
  ['SE', 'orgnr', '165560360793'],
  ['SE', 'vat', 'SE 123456789701'],
  ['SK', 'rc', '991231123'],
  ['SK', 'dph', 'SK 202 274 96 19'],
]

/** One that is wrong in its check, its date or its parts. */
const INVALID: [string, string, string][] = [
  ['AT', 'tin', '621199017'],
  ['AT', 'uid', 'U13585626'],
  ['AT', 'vnr', '1237 410180'],
  ['BE', 'bis', '88022999990'],
  ['BE', 'insz', '88150199951'],
  ['BE', 'nn', '87022999991'],
  ['BE', 'vat', 'BE0000000000'],
  ['BG', 'egn', '8032056032'],
  ['BG', 'vat', 'BG 175 074 75'],
  ['CH', 'ssn', '123.4567.8910.19'],
  ['CH', 'vat', 'CHE-107.787.577 ZZZ'],
  ['CY', 'vat', 'CY-10259033Z'],
  ['CZ', 'ico', '90000001'],
  ['CZ', 'rc', '590312/123'],
  ['DE', 'idnr', '1111234567 8'],
  ['DE', 'svnr', '01070649C103'],
  ['DE', 'stnr', '4151181508156'],
  ['DE', 'vat', '136695978'],
  ['DK', 'cpr', '511062-5629'],
  ['DK', 'cvr', 'DK 13585627'],
  ['EE', 'ik', '36805280108'],
  ['EE', 'registrikood', '32345674'],
  ['ES', 'cif', 'O-1234567-L'],
  ['ES', 'dni', '54362315Z'],
  ['FI', 'hetu', '131052-308U'],
  ['FI', 'hetu', '131052T308T'],
  ['FI', 'hetu', '131052-000V'],
  ['FI', 'ytunnus', '2077474-1'],
  ['FR', 'nir', '253072C07300443'],
  ['FR', 'nif', '9701987765432'],
  ['FR', 'siret', '35600000049838'],
  ['FR', 'tva', 'IO334175221'],
  ['GB', 'nino', 'XO012345D'],
  ['GB', 'utr', '2955839661'],
  ['GB', 'vat', 'HA201'],
  ['GB', 'vat', '802311781'],
  ['GR', 'amka', '01013099999'],
  ['GR', 'vat', 'EL 123456781'],
  ['HU', 'anum', 'HU-12892313'],
  ['IE', 'pps', '6433435VH'],
  ['IE', 'vat', '8?79739J'],
  ['IT', 'codicefiscale', 'CNTCHR83T32D969H'],
  ['IT', 'iva', '00743110158'],
  ['LT', 'asmens', '36813280103'],
  ['LT', 'pvm', '100001919018'],
  ['LU', 'tva', 'LU 150 274 43'],
  ['LV', 'pvn', '161375-19997'],
  ['LV', 'pvn', '328673-00677'],
  ['NL', 'bsn', '1'],
  ['NL', 'btw', '123456789B90'],
  ['NO', 'fodselsnummer', '17029012345'],
  ['NO', 'fodselsnummer', '19575770838'],
  ['NO', 'orgnr', '988 077 918'],
  ['PL', 'pesel', '02381307589'],
  ['PL', 'nip', '0000002000'],
  ['PL', 'regon', '12345678512348'],
  ['PT', 'cc', '00000000 0 ZZ3'],
  ['PT', 'nif', 'PT 501 964 842'],
  ['RO', 'cnp', '1632215123457'],
  ['RO', 'onrc', 'J49/750/2012'],
  ['RO', 'onrc', 'J49-750-2012'],
  ['RO', 'onrc', 'J1822012984405'],
  ['SE', 'personnummer', '880320+0017'],
  ['SE', 'personnummer', '8899200425'],
  ['SE', 'personnummer', '19670-19-9535'],
  ['SE', 'orgnr', '1234567891'],
  ['SE', 'vat', 'SE 123456789101'],
  ['SK', 'dph', 'SK 202 274 96 18'],
]

test.each(VALID)('%s %s %s', (country, type, number) => {
  expect(NUMBER_RULES[country]?.[type]?.(number)).toBe(true)
  expect(isIdentificationNumberValid(country, number)).toBe(true)
  expect(isIdentificationNumberValid('EU', number)).toBe(true)
})

test.each(INVALID)('not %s %s %s', (country, type, number) => {
  expect(NUMBER_RULES[country]?.[type]?.(number)).toBe(false)
})

test('all countries of the specification have rules, and each rule takes some number', () => {
  const listed = 'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HU IE IT LT LU LV NL NO PL PT RO SE SK'.split(' ')
  expect(Object.keys(NUMBER_RULES).sort()).toEqual(listed)
  expect(listed.filter((country) => !VALID.some(([of]) => of === country))).toEqual([])
})

describe('the numbers of the demo', () => {
  test.each([
    ['SE', '19900729-2387'],
    ['SE', '19410115-7545'],
    ['SE', '559999-0040'],
    ['NO', '12839140000'],
    ['NO', '999990037'],
    ['FI', '150388-901V'],
    ['FI', '9999002-3'],
    ['DK', '99999012'],
  ])('%s %s', (country, number) => {
    expect(isIdentificationNumberValid(country, number)).toBe(true)
  })
})

test('a coordination number has sixty added to the day', () => {
  const front = '701063239'
  expect(isIdentificationNumberValid('SE', `${front.slice(0, 6)}-${front.slice(6)}${luhnDigit(front)}`)).toBe(
    true,
  )
})

test('nobody is born tomorrow, where the day is known', () => {
  const rule = NUMBER_RULES.DK?.cpr
  expect(rule?.('2110525629')).toBe(true)
  expect(rule?.('2110525629', date('2026-11-20'))).toBe(false)
  expect(rule?.('2110525629', date('2052-10-21'))).toBe(true)
})

test('a country without rules takes any text but none, also one named like a property', () => {
  expect(isIdentificationNumberValid('IS', 'anything')).toBe(true)
  expect(isIdentificationNumberValid('constructor', 'anything')).toBe(true)
  expect(isIdentificationNumberValid('IS', '  ')).toBe(false)
  expect(isIdentificationNumberValid('EU', 'anything')).toBe(false)
})

test.each(['1', ' ', '-', 'A', '1-', 'é', '\u0000'])('a hundred thousand times "%s" is no number', (part) => {
  const text = part.repeat(100_000)
  for (const country of Object.keys(NUMBER_RULES)) {
    expect(isIdentificationNumberValid(country, text)).toBe(false)
  }
})
