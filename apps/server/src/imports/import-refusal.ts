import type { ImportProblem } from '@kvitt/domain/imports/import-problem.ts'

/** Where in a file something is: the path of elements from the root, and the position of its first character. */
export type FilePlace = { readonly path?: string; readonly line?: number; readonly column?: number }

/** What whoever imports in a portal is told, in the own language. */
type Told = Pick<ImportProblem, 'code' | 'params'>

/**
 * A file cannot be imported. The message is a sentence for the person who imports: what is wrong and, when it
 * is not plain, what to do. It never names the file: the caller knows it.
 */
export class ImportRefusal extends Error {
  override readonly name = 'ImportRefusal'
  readonly place: FilePlace
  readonly told: Told | undefined

  constructor(message: string, place: FilePlace = {}, told?: Told) {
    super(message)
    this.place = place
    this.told = told
  }
}

/** "invoice.xml, Invoice/DueDate, line 7, column 5: The due date ..." */
export function describeRefusal(file: string, { message, place }: ImportRefusal): string {
  const position = place.line === undefined ? undefined : `line ${place.line}, column ${place.column ?? 1}`
  const where = [file, place.path, position].filter((part) => part !== undefined && part !== '')
  return `${where.join(', ')}: ${message}`
}
