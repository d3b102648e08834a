import { expect, test } from 'vitest'
import { runHere, urlOf } from '../src/testing/run-program.ts'
import { testDatabase } from '../src/testing/test-database.ts'

const built = await testDatabase()

async function migrate(env: Record<string, string>, args: readonly string[] = []): Promise<string> {
  const { status, stdout, stderr } = await runHere('migrate-cli', args, env)
  return `${status} ${stdout}${stderr}`
}

test('the owner’s login brings the database up to date, and the program’s says whose it needs', async () => {
  const [asOwner, asProgram] = [urlOf(built), urlOf(built, 'kvitt_app')]
  await built.owner.query(
    'delete from migration where number = (select max(number) from migration where number in (70, 71))',
  )
  expect(await migrate({ DATABASE_URL: asProgram, DATABASE_OWNER_URL: asOwner })).toBe(
    '0 Migrations applied: 1. The database is up to date.\n',
  )
  expect(await migrate({ DATABASE_URL: asOwner })).toBe('0 The database is up to date.\n')
  expect(await migrate({ DATABASE_URL: asProgram })).toMatch(/^2 DATABASE_URL is the login of the program/)
  expect(await migrate({ DATABASE_URL: asOwner }, ['--force'])).toMatch(/^2 --force is not an option/)
})
