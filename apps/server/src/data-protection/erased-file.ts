/**
 * What was erased, by ids alone, beside the database: a backup from before has it again, and then it goes again (threat T-ERASE). The
 * file stands with the anchors of the audit log, and only grows.
 */
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RETENTION_KINDS, type RetentionKind } from '@kvitt/domain/data-protection/retention.ts'
import { isUuid } from '@kvitt/domain/ids.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { newId } from '../platform/identity.ts'
import { insertRunOfFile, readErased, type Erased } from './erased-file.queries.ts'

const FILE = 'erased.txt'

type Parts = Pick<Context, 'db' | 'clock'> & { readonly config: Pick<Context['config'], 'auditAnchorDir'> }

const lineOf = ({ kind, instanceId, subjectId }: Erased): string => `${kind} ${instanceId} ${subjectId}`

function readLine(line: string): Erased[] {
  const [kind = '', instanceId = '', subjectId = ''] = line.split(' ')
  const isWhole =
    (RETENTION_KINDS as readonly string[]).includes(kind) && isUuid(instanceId) && isUuid(subjectId)
  return isWhole ? [{ kind: kind as RetentionKind, instanceId, subjectId }] : []
}

/**
 * Adds what has gone since to the file; what the file has and the database has not settled becomes a run that is approved already,
 * since it was once. Throws when the folder cannot be written. A line that is no line says nothing.
 */
export async function keepErased({ db, clock, config }: Parts): Promise<void> {
  await mkdir(config.auditAnchorDir, { recursive: true, mode: 0o750 })
  const path = join(config.auditAnchorDir, FILE)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return ''
  })
  const written = new Map(
    text
      .split('\n')
      .flatMap(readLine)
      .map((erased) => [lineOf(erased), erased]),
  )
  const known = await readErased(db)
  const settled = new Set(known.filter((erased) => erased.isSettled).map(lineOf))
  const missing = known.filter((erased) => erased.isDone && !written.has(lineOf(erased)))
  if (missing.length > 0)
    await appendFile(path, missing.map((erased) => `${lineOf(erased)}\n`).join(''), { mode: 0o640 })
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
