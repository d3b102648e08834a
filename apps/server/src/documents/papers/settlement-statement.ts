/** A settlement as a creditor's accountant files it, as a tagged PDF: who and when, how it is counted, what is agreed, and each line. */
import type { InstanceRow } from '../../instances/instances.ts'
import { LEFT, printedAmount, type Page } from '../../platform/files/pdf-page.ts'
import type { Row } from '../../platform/tables/table.ts'
import { writeRow } from '../../platform/tables/table-pdf.ts'
import type { Language, TextKey } from '../../platform/texts.ts'
import { openPage, placeOf } from '../letters.ts'

export type StatementParty = {
  readonly name: string
  readonly number: string | null
  readonly address: string | null
  readonly address2: string | null
  readonly zip: string | null
  readonly city: string | null
  readonly country: string
}

export type SettlementStatement = {
  readonly instance: InstanceRow
  readonly language: Language
  readonly title: string
  readonly creditor: StatementParty
  /** The day on which it was counted, which is also the day of the file. */
  readonly countedOn: string
  /** Label and value, in order. */
  readonly facts: readonly (readonly [string, string])[]
  /** What was collected and what is taken off it, which come to the last of them. */
  readonly sums: readonly (readonly [TextKey, number])[]
  readonly currency: string
  readonly paidOutMinor: number
  readonly agreed: readonly (readonly [TextKey, string])[]
  readonly agreedNote: string
  readonly columns: readonly { readonly label: string; readonly isAmount: boolean; readonly share: number }[]
  readonly rows: readonly Row[]
  /** Said above the lines when they are summed up here. */
  readonly linesNote: string | undefined
}

function heading(page: Page, key: TextKey): void {
  page.makeRoom(80)
  page.y += 14
  page.y += page.write('H2', page.say(key), { size: 13, bold: true }) + 6
}

/** A party's name, number and address under its label. Moves the pen below it. */
export function partyBlock(
  page: Page,
  { label, party, x = LEFT }: { label: TextKey; party: StatementParty; x?: number },
): void {
  const { name, number, address, address2, country, zip, city } = party
  page.y += page.write('P', page.say(label), { x, width: 220, size: 9, soft: true }) + 2
  for (const line of [name, number, address, address2, placeOf(country, zip, city)])
    if (line !== null && line.trim() !== '') page.y += page.write('P', line, { x, width: 220 }) + 1
}

export async function drawSettlement(statement: SettlementStatement): Promise<Uint8Array> {
  const { title, language, creditor, facts, sums, currency, agreed, columns, rows } = statement
  const amount = (minor: number): string => printedAmount(minor, currency, language)
  const page = await openPage({ ...statement, datedOn: statement.countedOn }, title)
  page.y += 10
  partyBlock(page, { label: 'settlement.to', party: creditor })
  page.y += 14
  for (const [label, value] of facts) page.row(label, value)
  heading(page, 'settlement.sums')
  for (const [label, minor] of sums) page.row(page.say(label), amount(minor))
  page.row(page.say('settlement.to_pay_out'), amount(statement.paidOutMinor), true)
  heading(page, 'settlement.agreed')
  page.paragraph(statement.agreedNote, { soft: true })
  for (const [label, value] of agreed) page.row(page.say(label), value)
  heading(page, 'settlement.lines')
  if (statement.linesNote !== undefined) page.paragraph(statement.linesNote)
  const table = { columns, language }
  writeRow(page, table, { cells: columns.map(({ label }) => label), isHeader: true })
  for (const cells of rows) writeRow(page, table, { cells, isHeader: false })
  page.makeRoom(40)
  page.y += 8
  page.row(page.say('settlement.to_pay_out'), amount(statement.paidOutMinor), true)
  return page.finish()
}
