/** Where a test run keeps its databases. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** What a whole run needs of it, its journeys included. */
const ENOUGH_BYTES = 4 * 1024 ** 3

/**
 * A folder in memory, where there is a large one, and else the system's temporary folder. A database is a thousand files: to
 * clone one for each test file cost a disk up to a second of a core, and costs memory a twentieth.
 */
export function quickFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= ENOUGH_BYTES && runsPrograms(MEMORY) ? MEMORY : tmpdir()
}

/** A container may forbid it, and the programs of the database may have to be copied beside it. */
function runsPrograms(parent: string): boolean {
  const folder = mkdtempSync(join(parent, 'kvitt-try-'))
  try {
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    return spawnSync(program).status === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
