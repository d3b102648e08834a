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

/** The program and the arguments that start a command, such as `task-cli`, as it was built for this run (global-setup.ts). */
export function programOf(name: string, args: readonly string[]): [program: string, args: string[]] {
  return [process.execPath, [fileURLToPath(new URL(`../../dist/${name}.js`, import.meta.url)), ...args]]
}

/** Runs a command of the server, such as `task-cli`, with these settings alone. */
export function runProgram(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  return new Promise((settle) => {
    execFile(...programOf(name, args), { env }, (error, stdout, stderr) => {
      settle({ status: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}
