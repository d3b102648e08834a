/** A page of a letter as a tagged PDF, with the pen where the next line goes. No network is touched. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { textOf, type Language, type TextKey } from '../texts.ts'

export { printedAmount } from '../printed-amount.ts'

export const LEFT = 56
export const RIGHT = 539
export const INK = '#16181d'
const SOFT = '#4a4f57'
const LINE = '#d9dce1'
/** What is drawn is kept in blocks of this size. */
const BLOCK_BYTES = 64 * 1024
/** The space below which a new page begins. */
const BOTTOM = 760

/** What the built-in fonts can print. */
const BUILT_IN = /[\u0020-\u007e\u00a0-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u20ac\u2026]/
/** Letters of Polish, Czech, Baltic and other names, for which we bring a font of the same measures. */
const EXTENDED = /[\u0100-\u02af\u1e00-\u1e9f\u1ef2-\u1eff]/

/** One line of text for people: composed, without its accents or "?" where no font of ours has a letter. */
export function printable(text: string): string {
  return Array.from(text.normalize('NFC').replace(/\p{Cc}/gu, ' '), (c) => {
    if (BUILT_IN.test(c) || EXTENDED.test(c)) return c
    const bare = c.normalize('NFD').replace(/\p{M}/gu, '')
    return BUILT_IN.test(bare) ? bare : '?'
  }).join('')
}

/** The same text in letters that Helvetica can measure. */
function bare(text: string): string {
  return Array.from(printable(text), (c) => (BUILT_IN.test(c) ? c : (c.normalize('NFD')[0] ?? c)))
    .map((c) => (BUILT_IN.test(c) ? c : 'o'))
    .join('')
}

/** Arimo, read when the first letter needs it. It is as wide as Helvetica, so that lines break the same. */
const EXTENDED_FONTS = {
  regular: import.meta.resolve('@fontsource/arimo/files/arimo-latin-ext-400-normal.woff'),
  bold: import.meta.resolve('@fontsource/arimo/files/arimo-latin-ext-700-normal.woff'),
}
const readFonts = new Map<string, Buffer>()

function extendedFont(weight: keyof typeof EXTENDED_FONTS): Buffer {
  const font = readFonts.get(weight) ?? readFileSync(fileURLToPath(EXTENDED_FONTS[weight]))
  readFonts.set(weight, font)
  return font
}

type Run = { readonly text: string; readonly font: string | Buffer }

/** A text in pieces that one font can print each. */
function runsOf(text: string, isBold: boolean): Run[] {
  return (text.match(/[\u0100-\u02af\u1e00-\u1eff]+|[^\u0100-\u02af\u1e00-\u1eff]+/g) ?? ['']).map(
    (piece) => ({
      text: piece,
      font: EXTENDED.test(piece)
        ? extendedFont(isBold ? 'bold' : 'regular')
        : isBold
          ? 'Helvetica-Bold'
          : 'Helvetica',
    }),
  )
}

/** What every letter says about itself. */
export type PageInfo = {
  readonly language: Language
  readonly instance: { readonly name: string }
  /** The day that the file says it was made on; left out, it is now. With it, the same letter is the same bytes. */
  readonly datedOn?: string
}

/** A page with the pen where the next line goes. */
export class Page {
  readonly doc: PDFKit.PDFDocument
  readonly language: Language
  y = 56

  private readonly blocks: Buffer[] = []
  private filled = 0
  private readonly written: Promise<void>

  private constructor(doc: PDFKit.PDFDocument, language: Language) {
    this.doc = doc
    this.language = language
    doc.on('data', (piece: Uint8Array) => this.keep(piece))
    this.written = new Promise((resolve, reject) => {
      doc.on('end', resolve)
      doc.on('error', reject)
    })
  }

  /** It comes in pieces of some twenty bytes, each of which would take a hundred more. */
  private keep(piece: Uint8Array): void {
    for (let at = 0; at < piece.length; ) {
      let block = this.blocks.at(-1)
      if (!block || this.filled === BLOCK_BYTES) {
        block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
        this.blocks.push(block)
        this.filled = 0
      }
      const part = piece.subarray(at, at + BLOCK_BYTES - this.filled)
      block.set(part, this.filled)
      this.filled += part.length
      at += part.length
    }
  }

  /** The first page of a document. What draws is loaded with the first one: it is 20 MB, and most calls draw nothing. */
  static async open(title: string, letter: PageInfo): Promise<Page> {
    const { default: PDFDocument } = await import('pdfkit')
    const doc = new PDFDocument({
      size: 'A4',
      margins: { top: 56, bottom: 40, left: LEFT, right: 56 },
      tagged: true,
      displayTitle: true,
      lang: letter.language,
      pdfVersion: '1.7',
      info: {
        Title: title,
        Author: letter.instance.name,
        Creator: 'Kvitt',
        Producer: 'Kvitt',
        ...(letter.datedOn === undefined ? {} : { CreationDate: new Date(letter.datedOn) }),
      },
    })
    return new Page(doc, letter.language)
  }

  say(key: TextKey, params: Record<string, string | number> = {}): string {
    return textOf(this.language, key, params)
  }

  /** One tagged piece of text at the pen. */
  write(
    tag: string,
    text: string,
    at: {
      x?: number
      width?: number
      size?: number
      bold?: boolean
      soft?: boolean
      align?: 'left' | 'right'
    } = {},
  ): number {
    const { x = LEFT, width = RIGHT - LEFT, size = 10, bold = false, soft = false, align = 'left' } = at
    let height = 0
    this.doc.addStructure(
      this.doc.struct(tag, {}, () => {
        const runs = runsOf(printable(text), bold)
        this.doc.fontSize(size).fillColor(soft ? SOFT : INK)
        const measured = this.doc.font(bold ? 'Helvetica-Bold' : 'Helvetica')
        // Their accents do not make letters wider.
        const wide = measured.widthOfString(bare(text))
        // What fits into one line is not looked through for where to break it.
        const isOneLine = wide <= width && runs.length === 1
        height = isOneLine ? measured.currentLineHeight(true) : measured.heightOfString(bare(text), { width })
        const isShifted = align === 'right' && (isOneLine || runs.length > 1)
        const shift = isShifted ? Math.max(0, width - wide) : 0
        for (const [index, run] of runs.entries()) {
          const options = {
            ...(isOneLine
              ? { lineBreak: false }
              : { width: width - shift, align: runs.length === 1 ? align : 'left' }),
            // One line to stand on for both fonts: Helvetica's, whose letters reach 0.718 of their size.
            baseline: -0.718 * size,
            continued: index < runs.length - 1,
          } as const
          this.doc.font(run.font)
          if (index === 0) this.doc.text(run.text, x + shift, this.y, options)
          else this.doc.text(run.text, options)
        }
      }),
    )
    return height
  }

  paragraph(text: string, at: Parameters<Page['write']>[2] = {}): void {
    this.y += this.write('P', text, at) + 4
  }

  /** A label to the left and a value to the right, over a hairline. */
  row(label: string, value: string, isTotal = false): void {
    this.makeRoom(26)
    const style = { size: isTotal ? 12 : 10, bold: isTotal }
    const height = this.write('P', label, { ...style, width: 300, soft: !isTotal })
    const valueHeight = this.write('P', value, { ...style, x: 330, width: RIGHT - 330, align: 'right' })
    this.y += Math.max(height, valueHeight, 12) + 5
    this.rule(isTotal)
    this.y += 6
  }

  /** A hairline, or under a final total the double rule of bookkeeping. Decoration, so not tagged. */
  rule(isDouble: boolean): void {
    this.doc.markContent('Artifact', { type: 'Layout' })
    this.doc.lineWidth(isDouble ? 1 : 0.5).strokeColor(isDouble ? INK : LINE)
    this.doc
      .moveTo(isDouble ? 420 : LEFT, this.y)
      .lineTo(RIGHT, this.y)
      .stroke()
    if (isDouble)
      this.doc
        .moveTo(420, this.y + 3)
        .lineTo(RIGHT, this.y + 3)
        .stroke()
    this.doc.endMarkedContent()
    if (isDouble) this.y += 4
  }

  makeRoom(height: number): void {
    if (this.y + height > BOTTOM) this.turn()
  }

  /** The next page. */
  turn(): void {
    this.doc.addPage()
    this.y = 56
  }

  async finish(): Promise<Uint8Array> {
    this.doc.end()
    await this.written
    const last = this.blocks.pop()
    return Buffer.concat(last ? [...this.blocks, last.subarray(0, this.filled)] : [])
  }
}
