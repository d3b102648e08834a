/**
 * Reads the XML of one document, piece by piece, into the elements of its vocabulary. Strict about what XML may
 * do to us: no document type, no entities of its own, and a limit on everything that can grow.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { XmlDecoder } from './decode-xml.ts'
import { ImportRefusal, type FilePlace } from './import-refusal.ts'
import { UBL, type Shape, type Vocabulary } from './ubl-shape.ts'

const DEEPEST = 100
const MOST_ATTRIBUTES = 100
const MOST_ELEMENTS = 500_000
/** Characters before the first element. */
const LONGEST_PROLOG = 65_536
/** Characters without any markup in between, and of a single tag or comment. */
const LONGEST_RUN = 1_000_000
export const LARGEST_ATTACHMENT_BYTES = 10 * 1_048_576
/** In base64, with as much room again for its line ends and what they are indented with. */
const LONGEST_ATTACHMENT = Math.ceil((LARGEST_ATTACHMENT_BYTES * 4) / 3) * 2

export type ReadElement = {
  readonly name: string
  readonly parent: ReadElement | undefined
  readonly line: number
  readonly column: number
  readonly attributes: SaxesTagNS['attributes']
  readonly shape: Shape
  readonly children: ReadElement[]
  text: string
}

/** The place of an element, as a refusal names it. */
export function placeOf(element: ReadElement): FilePlace {
  const names: string[] = []
  for (let e: ReadElement | undefined = element; e; e = e.parent) names.unshift(e.name)
  return { path: names.join('/'), line: element.line, column: element.column }
}

export class ElementReader {
  readonly #decoder = new XmlDecoder()
  readonly #parser = new SaxesParser({ xmlns: true })
  readonly #vocabulary: Vocabulary
  #document: ReadElement | undefined
  #current: ReadElement | undefined
  /** How deep we are below an element that we do not read. */
  #skipped = 0
  #depth = 0
  #elements = 0
  #written = 0
  /** Where the last markup ended, in characters. */
  #markedAt = 0
  #startLine = 1
  #startColumn = 1

  constructor(vocabulary: Vocabulary = UBL) {
    this.#vocabulary = vocabulary
    // At most six handlers: with a seventh, V8 keeps the parser as a dictionary and reading takes five times as long.
    this.#parser.on('doctype', () =>
      this.#refuse('A document type (DOCTYPE) is not allowed. Remove it from the file.'),
    )
    this.#parser.on('opentag', (tag) => this.#enter(tag))
    this.#parser.on('text', (text) => this.#take(text, 0))
    this.#parser.on('cdata', (text) => this.#take(text, 1))
    this.#parser.on('closetag', () => this.#leave())
  }

  /** Throws ImportRefusal as soon as the file cannot be what is wanted any more. */
  write(chunk: Uint8Array): void {
    this.#parse(this.#decoder.write(chunk))
  }

  /** The document's element. */
  end(): ReadElement {
    this.#parse(this.#decoder.end())
    this.#feed(null)
    return this.#document ?? this.#refuse('The envelope holds no Invoice and no CreditNote.')
  }

  #parse(text: string): void {
    // Small pieces, so that a limit is met soon after it is passed.
    for (let from = 0; from < text.length; from += LONGEST_PROLOG) {
      const piece =
        from === 0 && text.length <= LONGEST_PROLOG ? text : text.slice(from, from + LONGEST_PROLOG)
      this.#feed(piece)
      this.#written += piece.length
      if (this.#elements === 0 && this.#written >= LONGEST_PROLOG) {
        this.#refuse('The file does not begin like XML.')
      }
      const longest = this.#current?.name === this.#vocabulary.attachment ? LONGEST_ATTACHMENT : LONGEST_RUN
      if (this.#written - this.#markedAt > longest) this.#refuseLength()
    }
  }

  #feed(text: string | null): void {
    try {
      this.#parser.write(text)
    } catch (error) {
      if (error instanceof ImportRefusal) throw error
      // Without a handler of its own the parser throws what is not well-formed.
      this.#refuse(`This is not well-formed XML: ${withoutPosition((error as Error).message)}.`)
    }
  }

  #refuseLength(): never {
    if (this.#current && this.#current.name === this.#vocabulary.attachment) {
      throw new ImportRefusal(
        'An attachment is larger than 10 MB. Send it another way.',
        placeOf(this.#current),
      )
    }
    return this.#refuse(`A text is longer than ${LONGEST_RUN} characters.`)
  }

  #refuse(message: string): never {
    throw new ImportRefusal(message, {
      ...(this.#current ? { path: placeOf(this.#current).path ?? '' } : {}),
      line: this.#parser.line,
      column: this.#parser.column + 1,
    })
  }

  /** Something ended here, and the next tag starts `offset` characters on. */
  #mark(offset: number): void {
    this.#markedAt = this.#parser.position
    this.#startLine = this.#parser.line
    this.#startColumn = this.#parser.column + offset
  }

  #enter(tag: SaxesTagNS): void {
    this.#elements += 1
    this.#depth += 1
    if (this.#depth > DEEPEST) this.#refuse(`Elements are nested more than ${DEEPEST} deep.`)
    const most = this.#vocabulary.mostElements ?? MOST_ELEMENTS
    if (this.#elements > most) this.#refuse(`The file has more than ${most} elements.`)
    if (Object.keys(tag.attributes).length > MOST_ATTRIBUTES) {
      this.#refuse(`An element has more than ${MOST_ATTRIBUTES} attributes.`)
    }
    if (this.#skipped > 0) this.#skipped += 1
    else this.#add(tag)
    this.#mark(1)
  }

  #add(tag: SaxesTagNS): void {
    const shape = this.#current
      ? this.#vocabulary.namespaces.has(tag.uri)
        ? this.#current.shape.get(tag.local)
        : undefined
      : this.#documentShape(tag)
    if (!shape) {
      // The envelope itself is not skipped: the document is inside it.
      if (this.#current || this.#depth > 1) this.#skipped = 1
      return
    }
    const element: ReadElement = {
      name: tag.local,
      parent: this.#current,
      line: this.#startLine,
      column: this.#startColumn,
      attributes: tag.attributes,
      shape,
      children: [],
      text: '',
    }
    if (this.#current) this.#current.children.push(element)
    else this.#document = element
    this.#current = element
  }

  #documentShape(tag: SaxesTagNS): Shape | undefined {
    const name = `{${tag.uri}}${tag.local}`
    const shape = this.#vocabulary.documents.get(name)
    if (shape && this.#document) this.#refuse('The envelope holds more than one document. Send one a file.')
    if (!shape && this.#depth === 1 && name !== this.#vocabulary.envelope) {
      this.#refuse(`The file holds "${tag.local.slice(0, 80)}", not ${this.#vocabulary.wanted}`)
    }
    return shape
  }

  #take(text: string, offset: 0 | 1): void {
    if (this.#skipped === 0 && this.#current && this.#current.shape.size === 0) this.#current.text += text
    if (this.#current && this.#current.text.length > LONGEST_ATTACHMENT) this.#refuseLength()
    this.#mark(offset)
  }

  #leave(): void {
    this.#mark(1)
    this.#depth -= 1
    if (this.#skipped > 0) this.#skipped -= 1
    else this.#current = this.#current?.parent
  }
}

function withoutPosition(message: string): string {
  return message.replace(/^\d+:\d+:\s*/, '').replace(/\.+$/, '')
}
