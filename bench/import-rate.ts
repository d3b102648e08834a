/** The import measured against a durable database of its own, through the application role. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../apps/server/src/platform/clock.ts'
import { openDatabase } from '../apps/server/src/platform/database/database.ts'
import { openLog } from '../apps/server/src/platform/log.ts'
import { fillInstance, openBenchDatabase } from './bench-database.ts'
import { benchImport } from './import.ts'
import type { Result } from './run.ts'

export async function benchImportRate(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-bench-import-'))
  const database = await openBenchDatabase()
  const db = openDatabase(
    { host: database.host, port: database.port, user: 'kvitt_app', database: database.database },
    4,
  )
  try {
    const id = await fillInstance(database.owner)
    const context = { db, clock: systemClock(() => 0), log: openLog('error') }
    return await benchImport(context, { id, timeZone: 'Europe/Stockholm' }, { folder })
  } finally {
    await db.close()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
