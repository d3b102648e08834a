/** Prepares what all journeys begin with, while other tests run, and clears up when the workers have gone. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestProject } from 'vitest/node'
import { findEmbeddedPostgres } from '../../apps/server/src/platform/embedded-postgres/embedded-postgres.ts'
import { makeFolder, prepareData } from './prepared-data.ts'
import { stopDatabase } from './programs.ts'

const PATIENCE_MS = 20_000

export default function setup(project: TestProject): () => Promise<void> {
  const folder = makeFolder()
  project.provide('journeys', folder)
  // Not waited for here: whoever needs the data does.
  const prepared = prepareData(folder)
  return async () => {
    await prepared
    for (const name of readdirSync(folder)) await waitForEnd(join(folder, name, 'data'))
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A shared product stops when its worker has gone, and its database with it. */
async function waitForEnd(dataDir: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS && findEmbeddedPostgres(dataDir); waitedMs += 100) {
    await sleep(100)
  }
  await stopDatabase(dataDir)
}
