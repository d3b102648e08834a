/** A letter is shown once and lost never, wherever a host dies, on a store that moves and on one that can only copy. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '../platform/store/open-store.ts'
import type { Store, StorePlace } from '../platform/store/store.ts'
import { closeAfterwards } from '../testing/close-afterwards.ts'
import { noMoto, startMoto } from '../testing/store/moto.ts'
import { fateOf, openPrintQueue, putTakenAway, readPrintQueue, type LetterTry } from './print-queue.ts'
import { NotSent } from './smtp.ts'

const root = mkdtempSync(join(tmpdir(), 'kvitt-print-'))
closeAfterwards(() => rmSync(root, { recursive: true, force: true }))
let bucket: StorePlace | undefined
if (noMoto === undefined)
  beforeAll(async () => {
    bucket = { bucket: await startMoto(), prefix: 'print' }
  }, 60_000)

let serial = 0
const aPlace = (): StorePlace => ({ folder: join(root, String((serial += 1))) })
const aBucket = (): StorePlace =>
  bucket && 'bucket' in bucket ? { ...bucket, prefix: `print-${(serial += 1)}` } : aPlace()

class Died extends Error {}

/** As a bucket does it, over a folder: so that it can die between copying and removing. */
function copying(store: Store): Store {
  return {
    ...store,
    async move(from, to) {
      const found = await store.get(from)
      if (!found) return
      await this.put(to, found.bytes)
      await this.remove(from)
    },
  }
}

/** Dies at the call with this number: before it is done, or after. */
function dyingAt(store: Store, at: number, isAfter: boolean): Store & { readonly calls: () => number } {
  let calls = 0
  const count = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const isLast = (calls += 1) === at
    if (isLast && !isAfter) throw new Died()
    const result = await work()
    if (isLast) throw new Died()
    return result
  }
  const dying: Store = {
    place: store.place,
    put: (name, bytes) => count(() => store.put(name, bytes)),
    get: (name) => count(() => store.get(name)),
    has: (name) => count(() => store.has(name)),
    list: (under) => count(() => store.list(under)),
    move: (from, to) => count(() => store.move(from, to)),
    remove: (name) => count(() => store.remove(name)),
  }
  return { ...dying, calls: () => calls }
}

const ID = '0198e1c0-5a1b-7c3d-8e4f-0123456789ab'
type Row = { id: string; status: 'WAITING' | 'SENT'; tries: number }

/** As deliver-mail.ts does it: finish what lies there, take a try, stage, let the database say so, release. */
async function deliver(store: Store, row: Row): Promise<void> {
  const queue = openPrintQueue({ folder: '' }, store)
  for (const letter of await queue.staged()) {
    const fate = fateOf(letter, row)
    if (fate !== 'wait') await queue[fate](letter)
  }
  if (row.status === 'SENT') return
  row.tries += 1
  const mine: LetterTry = { id: ID, tries: row.tries }
  await queue.stage(mine, { title: 'Krav', to: ['Alva'] }, Buffer.from('%PDF'))
  row.status = 'SENT'
  await queue.release(mine)
}

const KINDS: [string, () => StorePlace, (store: Store) => Store, string | undefined][] = [
  ['a folder', aPlace, (store) => store, undefined],
  ['a folder that only copies', aPlace, copying, undefined],
  ['a bucket', aBucket, copying, noMoto],
]

/** One who prints what is in view and has not been taken, and says so or takes it away. */
async function print(store: Store, isTold: boolean): Promise<number> {
  let printed = 0
  for (const { name } of await store.list('')) {
    const id = name.slice(0, 36)
    if (!name.endsWith('.pdf') || (await store.has(`taken/${id}`))) continue
    expect((await store.get(name))?.bytes.toString()).toBe('%PDF')
    expect(await store.has(`${id}.json`), 'what belongs to it is there too').toBe(true)
    printed += 1
    if (isTold) await store.put(`taken/${id}`, Buffer.alloc(0))
    else for (const ending of ['pdf', 'json']) await store.remove(`${id}.${ending}`)
  }
  return printed
}

describe.each(KINDS)('%s', (kind, place, shape, why) => {
  test('a host that dies before or after any line: printed once', { timeout: 120_000 }, async ({ skip }) => {
    skip(why !== undefined, why)
    const isMoving = kind === 'a folder'
    for (const isAfter of [false, true])
      for (let at = 1; ; at++) {
        const whole = shape(openStore(place()))
        const row: Row = { id: ID, status: 'WAITING', tries: 0 }
        const dying = dyingAt(whole, at, isAfter)
        const acting = isMoving ? dying : copying(dying)
        const died = await deliver(acting, row).then(
          () => false,
          (error: unknown) => {
            if (!(error instanceof Died || error instanceof NotSent)) throw error
            return true
          },
        )
        // Whoever prints looks at once, and again when another host has gone on.
        let printed = await print(whole, !isMoving)
        for (let again = 0; again < 2; again++) {
          await deliver(whole, row)
          printed += await print(whole, !isMoving)
        }
        expect(printed, `died ${isAfter ? 'after' : 'before'} call ${at}`).toBe(1)
        expect(row.status).toBe('SENT')
        expect(await whole.list('.staged')).toEqual([])
        if (!died) break
      }
  })

  test('what was printed is put away, and counts no more; what still may be shown again stays', async ({
    skip,
  }) => {
    skip(why !== undefined, why)
    const at = place()
    const store = openStore(at)
    const row: Row = { id: ID, status: 'WAITING', tries: 0 }
    await deliver(store, row)
    expect(await readPrintQueue(at)).toMatchObject({ letters: 1, oldestAt: expect.stringMatching(/^20/) })
    await print(store, true)
    expect(await readPrintQueue(at)).toEqual({ isConfigured: true, letters: 0, oldestAt: null })
    await store.put(`.staged/${ID}.1.pdf`, Buffer.from('%PDF'))
    await putTakenAway(at, Date.now())
    expect(await store.has(`${ID}.pdf`)).toBe(true)
    await deliver(store, row)
    await putTakenAway(at, Date.now())
    expect((await store.list('')).map(({ name }) => name)).toEqual([])
    expect(await store.has(`taken/${ID}`)).toBe(true)
    await putTakenAway(at, Date.now() + 3 * 24 * 60 * 60 * 1000)
    expect(await store.has(`taken/${ID}`)).toBe(false)
  })
})
