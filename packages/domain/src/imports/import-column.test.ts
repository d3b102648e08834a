import { expect, test } from 'vitest'
import { IMPORT_COLUMNS, missingColumns, nameKey, NEEDED_COLUMNS, proposeMapping } from './import-column.ts'

const NOTHING_KEPT = new Map()

test('our own names are known in any order, and none is missing', () => {
  const names = IMPORT_COLUMNS.toReversed()
  const mapping = proposeMapping(names, NOTHING_KEPT)
  for (const column of IMPORT_COLUMNS) expect(names[mapping[column] ?? -1]).toBe(column)
  expect(missingColumns(mapping)).toEqual([])
  expect(missingColumns({})).toEqual(NEEDED_COLUMNS)
})

test.each([
  ['Fakturanr', 'invoice_number'],
  ['FÖRFALLODATUM', 'due_date'],
  ['Förfallodag', 'due_date'],
  ['Org.nr/pnr', 'debtor_id'],
  ['Forfaldsdato', 'due_date'],
  ['Eräpäivä', 'due_date'],
  ['À-pris', 'unit_price'],
  ['Moms %', 'vat_percent'],
  ['ALV-%', 'vat_percent'],
  ['E-post', 'email'],
  ['Postnummer', 'zip'],
])('%s is %s', (name, column) => {
  expect(proposeMapping(['?', name], NOTHING_KEPT)).toEqual({ [column]: 1 })
})

test('what the creditor has said of a name comes first', () => {
  const kept = new Map([
    [nameKey('Kund'), null],
    [nameKey('Belopp'), 'unit_price' as const],
  ])
  expect(proposeMapping(['Kund', 'Pris', 'Belopp'], kept)).toEqual({ unit_price: 2 })
})

test('of two columns of one name the first is taken', () => {
  expect(proposeMapping(['Text', 'text'], NOTHING_KEPT)).toEqual({ description: 0 })
})
