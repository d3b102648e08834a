/**
 * What was erased, by ids alone, beside the database: a backup from before has it again, and then it goes again (threat T-ERASE). The
 * files stand with the anchors of the audit log, and are only added to.
 */
import { RETENTION_KINDS, type RetentionKind } from '@kvitt/domain/data-protection/retention.ts'
import { isUuid } from '@kvitt/domain/ids.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { newId } from '../platform/identity.ts'
import { openStore } from '../platform/store/open-store.ts'
import type { Store } from '../platform/store/store.ts'
import { insertRunOfFile, readErased, type Erased } from './erased-file.queries.ts'

/** One file for each time that something had gone. */
const FOLDER = 'erased'
/** The one that all was once added to. */
const FIRST = 'erased.txt'

type Parts = Pick<Context, 'db' | 'clock'> & {
  readonly config: { readonly stores: Pick<Context['config']['stores'], 'anchors'> }
}

const lineOf = ({ kind, instanceId, subjectId }: Erased): string => `${kind} ${instanceId} ${subjectId}`

function readLine(line: string): Erased[] {
  const [kind = '', instanceId = '', subjectId = ''] = line.split(' ')
  const isWhole =
    (RETENTION_KINDS as readonly string[]).includes(kind) && isUuid(instanceId) && isUuid(subjectId)
  return isWhole ? [{ kind: kind as RetentionKind, instanceId, subjectId }] : []
}

/** What the files have, by its line. A line that is no line says nothing. */
async function readWritten(store: Store): Promise<Map<string, Erased>> {
  const names = [FIRST, ...(await store.list(FOLDER)).map(({ name }) => `${FOLDER}/${name}`)]
  const written = new Map<string, Erased>()
  for (const name of names) {
    const text = (await store.get(name))?.bytes.toString('utf8') ?? ''
    for (const erased of text.split('\n').flatMap(readLine)) written.set(lineOf(erased), erased)
  }
  return written
}

/**
 * Writes down what has gone since; what the files have and the database has not settled becomes a run that is approved already,
 * since it was once. Throws StoreUnavailable.
 */
export async function keepErased({ db, clock, config }: Parts): Promise<void> {
  const store = openStore(config.stores.anchors)
  const written = await readWritten(store)
  const known = await readErased(db)
  const settled = new Set(known.filter((erased) => erased.isSettled).map(lineOf))
  const missing = known.filter((erased) => erased.isDone && !written.has(lineOf(erased)))
  if (missing.length > 0) {
    const lines = missing.map((erased) => `${lineOf(erased)}\n`).join('')
    await store.put(`${FOLDER}/${newId(clock.now())}.txt`, Buffer.from(lines))
  }
  const back = [...written.values()].filter((erased) => !settled.has(lineOf(erased)))
  for (const instanceId of new Set(back.map((erased) => erased.instanceId))) {
    const id = newId(clock.now())
    const items = back.filter((erased) => erased.instanceId === instanceId)
    await db.transaction(async (tx) => {
      if (!(await insertRunOfFile(tx, { instanceId, id, items }))) return
      const about = `retention:${id}`
      await noteDeed(tx, {
        instanceId,
        kind: 'retention_approved',
        by: 'kvitt',
        about,
        reason: 'erased before',
        after: { count: items.length },
      })
    })
  }
}
