/** Texts that staff type: kept as they can be seen (plain-text.ts), whatever stood between the letters. */
import { z } from 'zod'
import { manyLines, oneLine } from './plain-text.ts'

/** Normalising can make a text longer: it is measured before and after. A name, or another text of one line: at least a letter of it can be seen. */
export const typedLine = (most: number) => z.string().max(most).overwrite(oneLine).min(1).max(most)

/** A reason or a note; may be empty. */
export const typedLines = (most: number) => z.string().max(most).overwrite(manyLines).max(most)
