/** Texts that staff type: kept as they can be seen (plain-text.ts), whatever stood between the letters. */
import { z } from 'zod'
import { manyLines, oneLine } from './plain-text.ts'

/** U+0000 and half a letter come from a program that is wrong: what it meant is not guessed. */
const isWhole = (text: string): boolean => !/\p{Cs}|\0/u.test(text)

/** Normalising can make a text longer: it is measured before and after. */
const typed = (most: number, clean: (text: string) => string, isRight = isWhole) =>
  z.string().max(most).refine(isRight).overwrite(clean).max(most)

/** A name, or another text of one line: at least a letter of it can be seen. */
export const typedLine = (most: number) => typed(most, oneLine).min(1)

/** The same, where a break or another control is a mistake too. */
export const strictLine = (most: number) =>
  typed(most, oneLine, (text) => !/[\p{Cc}\p{Cs}]/u.test(text)).min(1)

/** A reason or a note; may be empty. */
export const typedLines = (most: number) => typed(most, manyLines)
