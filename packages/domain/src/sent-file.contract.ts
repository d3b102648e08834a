/** A file that comes with a form. */
import { z } from 'zod'

/** A file as it arrived with a form: kept for as long as the call lasts. */
export type SentFile = {
  /** As its sender called it; anything. */
  readonly name: string
  readonly size: number
  /** All of it: as many bytes as the contract allows. */
  read(): Promise<Uint8Array>
  /** The same in pieces of one megabyte; the last is shorter. */
  pieces(): AsyncIterable<Uint8Array>
}

/** The file of a form, in the schema of its body. */
export const sentFile = z
  .custom<SentFile>((value) => typeof value === 'object' && value !== null && 'read' in value)
  .meta({ type: 'string', contentMediaType: 'application/octet-stream' })
