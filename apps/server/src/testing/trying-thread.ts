/** The thread of tests: does with each part what it says. */
import { getPriority } from 'node:os'
import { workInThread } from '../platform/files/thread.ts'

export type Trial = string | { readonly act: 'throw' | 'exit' | 'hang' | 'swell' | 'priority' }

await workInThread<Trial>(async (parts) => {
  const words: string[] = []
  for await (const part of parts) {
    if (typeof part === 'string') words.push(part)
    else if (part.act === 'throw') throw new Error('no ink')
    else if (part.act === 'exit') process.exit(7)
    else if (part.act === 'hang') for (;;);
    else if (part.act === 'swell')
      for (const all: unknown[] = []; ; ) all.push(Array.from({ length: 10_000 }, () => ({})))
    else words.push(String(getPriority(0)))
  }
  return Buffer.from(words.join(' '))
})
