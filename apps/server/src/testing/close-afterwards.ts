/** What a test file has opened is closed after its last test, the newest first. */
import { afterAll } from 'vitest'

type Close = () => void | Promise<void>
const opened: Close[] = []

// Said when the file is read: a hook that is made inside of another one, such as beforeAll, is never called.
afterAll(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

/** Closes something when the tests of this file are over; may be called anywhere, in a hook as well as in a test. */
export function closeAfterwards(close: Close): void {
  opened.push(close)
}
