/** The proof of client funds of a day as a tagged PDF: by currency each term, what comes of it, and the accounts at the bank. */
import type { InstanceRow } from '../../instances/instances.ts'
import type { Page } from '../../platform/files/pdf-page.ts'
import type { Language, TextKey } from '../../platform/texts.ts'
import { openPage } from '../letters.ts'

/** Label and printed amount. */
type Line = readonly [string, string]

export type FundsPaper = {
  readonly instance: InstanceRow
  readonly language: Language
  readonly title: string
  /** The day of the file. */
  readonly madeOn: string
  readonly opening: string
  readonly parts: readonly {
    /** The currency. */
    readonly title: string
    readonly verdict: string
    readonly sides: readonly { readonly rows: readonly Line[]; readonly total: Line | undefined }[]
    readonly accounts: readonly Line[]
    /** What is held for each creditor; empty where it is not asked for. */
    readonly held: readonly Line[]
  }[]
  readonly belowZero: readonly Line[]
  /** Somebody of the operator signs it. */
  readonly isSigned: boolean
}

function heading(page: Page, text: string, tag: 'H2' | 'H3'): void {
  page.makeRoom(70)
  page.y += 12
  page.y += page.write(tag, text, { size: tag === 'H2' ? 15 : 12, bold: true }) + 6
}

function list(page: Page, key: TextKey, lines: readonly Line[]): void {
  if (lines.length === 0) return
  heading(page, page.say(key), 'H3')
  for (const [label, value] of lines) page.row(label, value)
}

export async function drawFunds(paper: FundsPaper): Promise<Uint8Array> {
  const page = await openPage({ ...paper, datedOn: paper.madeOn }, paper.title)
  page.y += 8
  page.paragraph(paper.opening)
  page.row(page.say('funds.made_on'), paper.madeOn)
  for (const { title, verdict, sides, accounts, held } of paper.parts) {
    heading(page, title, 'H2')
    page.paragraph(verdict, { bold: true })
    page.y += 4
    for (const { rows, total } of sides) {
      for (const [label, value] of rows) page.row(label, value)
      if (total) page.row(total[0], total[1], true)
      page.y += 6
    }
    list(page, 'funds.accounts', accounts)
    list(page, 'funds.held', held)
  }
  if (paper.parts.length === 0) page.paragraph(page.say('funds.nothing'))
  list(page, 'funds.below_zero', paper.belowZero)
  if (paper.isSigned) {
    page.makeRoom(110)
    page.y += 24
    page.paragraph(page.say('funds.signed'), { soft: true })
    page.y += 40
    page.rule(false)
  }
  return page.finish()
}
