/**
 * Once a day the last row of each chain of the audit log is written down outside the database. A chain shows what was
 * changed or taken out of it, but not what was cut off its end; compared with these files it does. A file is written
 * once and never again.
 */
import { mkdir, open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { openTask } from '../tasks/tasks.ts'
import {
  endOldCuts,
  findBrokenAnchors,
  findOwnerOfChain,
  hasUnseenCut,
  readLastRows,
  type Anchor,
  type BrokenAnchor,
  type Witness,
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
 * The comparison alone, because somebody of the instance asks. Answers how many files were compared; undefined where nothing can be
 * said: no file is here, one cannot be read, or none that is older holds what was found cut before. Then nothing ends.
 */
export async function compareAnchors(
  context: AnchorContext,
  instanceId: string,
): Promise<number | undefined> {
  const names = await readdir(context.config.auditAnchorDir).catch(() => [])
  const files = names
    .filter((name) => NAME.test(name))
    .sort()
    .slice(-COMPARED)
  return (await compare(context, files, instanceId)) ? files.length : undefined
}

const aboutCut = ({ chain, seq }: BrokenAnchor): string => `chain:${chain}:${seq}`

/** Of one instance, or of all. Answers whether the files say whether the log fits. */
async function compare(
  { db, log, config }: AnchorContext,
  files: readonly string[],
  instanceId: string | null = null,
): Promise<boolean> {
  const known: (Anchor & Witness)[] = []
  let isReadable = files.length > 0
  for (const file of files) {
    const read = await readFileOf(join(config.auditAnchorDir, file))
    if (read) known.push(...read)
    else {
      isReadable = false
      log.error({ file }, 'an anchor of the audit log cannot be read')
    }
  }
  const cut = await findBrokenAnchors(db, known)
  const broken = cut.map(({ chain }) => chain)
  const witnesses = known
    .filter(({ chain }) => !broken.includes(chain))
    .map(({ chain, writtenAt }) => ({ chain, writtenAt }))
  const isUnseen = await hasUnseenCut(db, { witnesses, broken }, instanceId)
  // A file that cannot be read may be the one that would not fit.
  if (isReadable) await endOldCuts(db, witnesses, instanceId)
  for (const found of cut) {
    const owner = await findOwnerOfChain(db, found.chain)
    if (!owner || (instanceId && owner !== instanceId)) continue
    log.error(found, 'the audit log is not what it was')
    const about = aboutCut(found)
    await openTask(db, { instanceId: owner, kind: 'audit_cut', about, details: {} })
  }
  return isReadable && !isUnseen
}

/** Undefined where it is no anchor, or cannot be read. */
async function readFileOf(path: string): Promise<(Anchor & Witness)[] | undefined> {
  try {
    const [text, { mtime }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
    const writtenAt = mtime.toISOString()
    return readAnchors(text)?.map((anchor) => ({ ...anchor, writtenAt }))
  } catch {
    return undefined
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
