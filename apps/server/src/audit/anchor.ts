/**
 * Once a day the last row of each chain of the audit log is written down outside the database. A chain shows what was
 * changed or taken out of it, but not what was cut off its end; compared with these files it does. A file is written
 * once and never again.
 */
import type { Context } from '../context.ts'
import { openStore } from '../platform/store/open-store.ts'
import type { Store } from '../platform/store/store.ts'
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
  readonly config: { readonly stores: Pick<Context['config']['stores'], 'anchors'> }
}

/**
 * Compares the log with what was written down before, and writes today's anchors (UTC) down, unless that has been done.
 * Safe from any number of processes. Throws StoreUnavailable.
 */
export async function anchorAudit(context: AnchorContext): Promise<void> {
  const { db, clock, config } = context
  const store = openStore(config.stores.anchors)
  const today = `audit-${new Date(clock.now()).toISOString().slice(0, 10)}.json`
  const names = await listAnchors(store)
  if (names.includes(today)) return
  await compare(context, names.slice(-COMPARED))
  // The first one stays.
  await store.put(today, Buffer.from(`${JSON.stringify(await readLastRows(db))}\n`))
}

/**
 * The comparison alone, because somebody of the instance asks. Answers how many files were compared; undefined where nothing can be
 * said: no file is here, one cannot be read, or none that is older holds what was found cut before. Then nothing ends.
 */
export async function compareAnchors(
  context: AnchorContext,
  instanceId: string,
): Promise<number | undefined> {
  const names = await listAnchors(openStore(context.config.stores.anchors)).catch(() => [])
  const files = names.slice(-COMPARED)
  return (await compare(context, files, instanceId)) ? files.length : undefined
}

async function listAnchors(store: Store): Promise<string[]> {
  return (await store.list('')).map(({ name }) => name).filter((name) => NAME.test(name))
}

const aboutCut = ({ chain, seq }: BrokenAnchor): string => `chain:${chain}:${seq}`

/** Of one instance, or of all. Answers whether the files say whether the log fits. */
async function compare(
  { db, log, config }: AnchorContext,
  files: readonly string[],
  instanceId: string | null = null,
): Promise<boolean> {
  const store = openStore(config.stores.anchors)
  const known: (Anchor & Witness)[] = []
  let isReadable = files.length > 0
  for (const file of files) {
    const read = await readFileOf(store, file)
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
async function readFileOf(store: Store, name: string): Promise<(Anchor & Witness)[] | undefined> {
  try {
    const kept = await store.get(name)
    if (!kept) return undefined
    const writtenAt = new Date(kept.writtenAtMs).toISOString()
    return readAnchors(kept.bytes.toString('utf8'))?.map((anchor) => ({ ...anchor, writtenAt }))
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
