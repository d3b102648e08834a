/** A day of 35,000 entries: everybody else's work goes on while it is read and kept. */
import { expect, test } from 'vitest'
import { camt } from '../../testing/files/bank-formats.ts'
import { context, instance, server, useBankFiles } from '../../testing/files/bank-files.ts'
import { TODAY } from '../../testing/build.ts'
import { BANK_FILES_OF } from '../../payments/payments.ts'
import { keepFile } from '../keep-file.ts'
import { readBankFile } from '../read-bank-file.ts'

useBankFiles()

const ENTRIES = 35_000
/**
 * The largest part of the whole work's processor time that one turn of the event loop may take. A file that is read or
 * written in one go takes a third of it, one that breathes a hundredth; milliseconds would depend on the machine and on what else it does.
 */
const LARGEST_TURN = 0.1

/** The part of the processor time until the function that is answered is called that its largest turn took. */
function watchTurns(): () => number {
  const used = (): number => process.cpuUsage().user
  const start = used()
  let [last, longest] = [start, 0]
  const timer = setInterval(() => {
    const now = used()
    longest = Math.max(longest, now - last)
    last = now
  }, 1)
  return () => {
    clearInterval(timer)
    return longest / (used() - start)
  }
}

const free = async (): Promise<boolean> =>
  (
    await server.test.owner.query<{ free: boolean }>(
      `select pg_try_advisory_xact_lock_shared(${BANK_FILES_OF}) as free`,
      [instance.id],
    )
  ).rows[0]?.free ?? false

test('no booking waits, and more than 500,000 elements are no limit', { timeout: 180_000 }, async () => {
  const text = camt({
    account: { other: '99900227' },
    entries: Array.from({ length: ENTRIES }, (_, n) => ({
      amountMinor: 10_000 + (n % 700),
      currency: 'SEK',
      day: TODAY,
      bankId: `L${n}`,
      endToEndId: `E${n}`,
      reference: String(1_000_000 + n),
      payer: `Payer ${n}`,
      message: 'Faktura',
    })),
  })
  expect(text.match(/<[A-Z]/g)?.length).toBeGreaterThan(500_000)
  const files = [text, text.replace('<MsgId>M1', '<MsgId>M2')].map((file) => Buffer.from(file))
  const largestTurn = watchTurns()
  const take = async (bytes: Buffer): Promise<number> => {
    const read = await readBankFile({
      name: 'large',
      async *open() {
        for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
      },
    })
    return server.test.db.transaction(async (tx) => {
      const { lines } = await keepFile(
        tx,
        { instanceId: instance.id, clock: context().clock, by: null },
        read,
      )
      // Whoever books money of a gateway shares this lock with whoever places lines, not with whoever keeps a file.
      expect(await free()).toBe(true)
      return lines
    })
  }
  const kept: number[] = []
  for (const bytes of files) kept.push(await take(bytes))
  expect(kept).toEqual([ENTRIES, 0])
  expect(largestTurn()).toBeLessThan(LARGEST_TURN)
})
