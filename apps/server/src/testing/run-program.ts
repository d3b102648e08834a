/** A command as a person runs it, for tests: a process of its own over the database of the test. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TestDatabase } from './test-database.ts'

export type Ended = { readonly status: number; readonly stdout: string; readonly stderr: string }

/** The address of a test's database for DATABASE_URL, for its owner unless another login is named. */
export function urlOf({ ownerAddress }: Pick<TestDatabase, 'ownerAddress'>, login?: string): string {
  const { host, port, user, database } = ownerAddress
  return `postgresql://${login ?? user}@localhost:${port}/${database}?host=${encodeURIComponent(host ?? '')}`
}

/** Runs a file of the server's sources, such as `task-cli.ts`, with these settings alone. */
export function runProgram(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const program = fileURLToPath(new URL(`../${file}`, import.meta.url))
  return new Promise((settle) => {
    execFile(process.execPath, ['--import', 'tsx', program, ...args], { env }, (error, stdout, stderr) => {
      settle({ status: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}
