/** What a test file has opened is closed after its last test, the newest first (each-file.ts). */
type Close = () => void | Promise<void>
const opened: Close[] = []

/** Closes something when the tests of this file are over; may be called anywhere, in a hook as well as in a test. */
export function closeAfterwards(close: Close): void {
  opened.push(close)
}

/** Closes what was opened, the newest first. */
export async function closeAll(): Promise<void> {
  for (const close of opened.splice(0).reverse()) await close()
}
