/**
 * Once a day the last row of each chain of the audit log is written down outside the database. A chain shows what was
 * changed or taken out of it, but not what was cut off its end; compared with these files it does. A file is written
 * once and never again.
 */
import { mkdir, open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { openTask } from '../tasks/tasks.ts'
import {
  endOldCuts,
  findBrokenAnchors,
  findOwnerOfChain,
  readLastRows,
  type Anchor,
  type BrokenAnchor,
} from './anchor.queries.ts'

const NAME = /^audit-\d{4}-\d\d-\d\d\.json$/
/** Each file is compared for as many days: whoever cuts the log has a month to be found. */
const COMPARED = 31

type AnchorContext = Pick<Context, 'db' | 'log' | 'clock'> & {
  readonly config: Pick<Context['config'], 'auditAnchorDir'>
}

/**
 * Compares the log with what was written down before, and writes today's anchors (UTC) down, unless that has been done.
 * Safe from any number of processes. Throws when the folder cannot be written.
 */
export async function anchorAudit(context: AnchorContext): Promise<void> {
  const { db, clock, config } = context
  const folder = config.auditAnchorDir
  await mkdir(folder, { recursive: true, mode: 0o750 })
  const today = `audit-${new Date(clock.now()).toISOString().slice(0, 10)}.json`
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort()
  if (names.includes(today)) return
  await compare(context, names.slice(-COMPARED))
  await writeOnce(join(folder, today), `${JSON.stringify(await readLastRows(db))}\n`)
}

/**
 * The comparison alone, because somebody asks. Answers how many files were compared; undefined where this process has no folder of
 * them, which is no sign that the log fits: then nothing ends.
 */
export async function compareAnchors(context: AnchorContext): Promise<number | undefined> {
  const names = await readdir(context.config.auditAnchorDir).catch(() => undefined)
  if (!names) return undefined
  const files = names
    .filter((name) => NAME.test(name))
    .sort()
    .slice(-COMPARED)
  await compare(context, files)
  return files.length
}

const aboutCut = ({ chain, seq }: BrokenAnchor): string => `chain:${chain}:${seq}`

async function compare({ db, log, config }: AnchorContext, files: readonly string[]): Promise<void> {
  const known: Anchor[] = []
  for (const file of files) {
    const anchors = readAnchors(await readFile(join(config.auditAnchorDir, file), 'utf8'))
    if (anchors) known.push(...anchors)
    else log.error({ file }, 'an anchor of the audit log cannot be read')
  }
  const cut = await findBrokenAnchors(db, known)
  await endOldCuts(db, cut.map(aboutCut))
  for (const broken of cut) {
    log.error(broken, 'the audit log is not what it was')
    const instanceId = await findOwnerOfChain(db, broken.chain)
    const about = aboutCut(broken)
    if (instanceId) await openTask(db, { instanceId, kind: 'audit_cut', about, details: {} })
  }
}

function readAnchors(text: string): Anchor[] | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) && read.every(isAnchor) ? read : undefined
  } catch {
    return undefined
  }
}

function isAnchor(value: unknown): value is Anchor {
  const { chain, seq, hash, at } = (value ?? {}) as Record<string, unknown>
  return (
    typeof chain === 'string' &&
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(chain) &&
    Number.isSafeInteger(seq) &&
    typeof hash === 'string' &&
    typeof at === 'string' &&
    !Number.isNaN(Date.parse(at))
  )
}

/** The first one stays. In one piece and under its own name: the folder may let us add to it and nothing else. */
async function writeOnce(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o640).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return undefined
  })
  try {
    await file?.writeFile(text)
    await file?.sync()
  } finally {
    await file?.close()
  }
}
