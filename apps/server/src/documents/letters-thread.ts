/** The thread in which letters are drawn. */
import { workInThread } from '../platform/files/thread.ts'
import { LETTERS, type WantedLetter } from './letter-kinds.ts'

await workInThread<WantedLetter>(async (letters) => {
  for await (const { kind, facts } of letters) {
    const draw = LETTERS[kind] as (...facts: readonly unknown[]) => Promise<Uint8Array>
    return draw(...facts)
  }
  throw new Error('no letter was asked for')
})
