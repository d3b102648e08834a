import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { testDatabase } from './testing/test-database.ts'

const CLI = fileURLToPath(new URL('migrate-cli.ts', import.meta.url))
const { ownerAddress, owner } = await testDatabase()
const urlOf = (user: string | undefined): string =>
  `postgresql://${user}@localhost:${ownerAddress.port}/${ownerAddress.database}?host=${encodeURIComponent(ownerAddress.host ?? '')}`

function migrate(env: Record<string, string>, args: readonly string[] = []): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', CLI, ...args], { env }, (error, stdout, stderr) => {
      resolve(`${error ? error.code : 0} ${stdout}${stderr}`)
    })
  })
}

test('the owner’s login brings the database up to date, and the program’s says whose it needs', async () => {
  const [asOwner, asProgram] = [urlOf(ownerAddress.user), urlOf('kvitt_app')]
  await owner.query(
    'delete from migration where number = (select max(number) from migration where number in (70, 71))',
  )
  expect(await migrate({ DATABASE_URL: asProgram, DATABASE_OWNER_URL: asOwner })).toBe(
    '0 Migrations applied: 1. The database is up to date.\n',
  )
  expect(await migrate({ DATABASE_URL: asOwner })).toBe('0 The database is up to date.\n')
  expect(await migrate({ DATABASE_URL: asProgram })).toMatch(/^2 DATABASE_URL is the login of the program/)
  expect(await migrate({ DATABASE_URL: asOwner }, ['--force'])).toMatch(/^2 --force is not an option/)
})
