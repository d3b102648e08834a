/** The program refuses to work as anybody who may do more than it was granted. */
import { randomBytes } from 'node:crypto'
import { createConnection, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { closeAfterwards } from '../../testing/close-afterwards.ts'
import { MIGRATIONS } from '../../testing/global-setup.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { openDatabase, statement, type DatabaseAddress } from './database.ts'
import { migrate } from './migrate.ts'

const base = await testDatabase()
const WHO = statement('test.who', 'select current_user::text as who')

async function whoWorks(address: DatabaseAddress): Promise<unknown> {
  const db = openDatabase(address, 1)
  try {
    return (await db.rows<{ who: string }>(WHO))[0]?.who
  } finally {
    await db.close()
  }
}

/** A login of its own for the test, gone after it. */
async function login(rights: string, memberOf?: string): Promise<DatabaseAddress> {
  const name = `guard_${randomBytes(6).toString('hex')}`
  await base.owner.query(`create role ${name} login ${rights}`)
  if (memberOf) await base.owner.query(`grant ${memberOf} to ${name}`)
  closeAfterwards(async () => {
    await base.owner.query(`drop role ${name}`)
  })
  return { ...base.address, user: name }
}

test('kvitt_app may work, and so may who can be no more than it', async () => {
  expect(await whoWorks(base.address)).toBe('kvitt_app')
  expect(await whoWorks(await login('', 'kvitt_app'))).toMatch(/^guard_/)
})

test.each([
  ['a superuser', 'superuser', undefined, /is a superuser/],
  ['who passes by row security', 'bypassrls', undefined, /passes by row security/],
  ['who may make roles', 'createrole', undefined, /may make roles/],
  ['a member of the tables’ owner', '', 'kvitt_owner', /owns the tables/],
  ['a member that inherits nothing', 'noinherit', 'kvitt_owner', /owns the tables/],
  ['who may write all tables', '', 'pg_write_all_data', /is a member of a role with more rights/],
])('%s may not', async (_, rights, memberOf, sentence) => {
  await expect(whoWorks(await login(rights, memberOf))).rejects.toThrow(sentence)
})

test('a login that has only stepped down may not, as it can step up again', async () => {
  const owner = await login('', 'kvitt_owner')
  await base.owner.query(`grant kvitt_app to ${owner.user}`)
  await base.owner.query(`alter role ${owner.user} set role kvitt_app`)
  await expect(whoWorks(owner)).rejects.toThrow(
    /known? ?.*as guard_.*\(acting as kvitt_app\), which owns the tables/,
  )
})

/** A pooler between program and database that drops what a client asks for at its start, as transaction poolers do. */
async function openPooler(address: DatabaseAddress): Promise<DatabaseAddress> {
  const server = createServer((program) => {
    const database = createConnection(join(address.host ?? '', `.s.PGSQL.${address.port}`))
    program.once('data', (startup: Buffer) => {
      const [version, pairs] = [startup.subarray(4, 8), startup.toString('latin1', 8).split('\0')]
      const kept: string[] = []
      for (let at = 0; pairs[at]; at += 2) {
        if (pairs[at] !== 'options') kept.push(pairs[at] ?? '', pairs[at + 1] ?? '')
      }
      const rest = Buffer.concat([version, Buffer.from(`${kept.join('\0')}\0\0`, 'latin1')])
      const length = Buffer.alloc(4)
      length.writeInt32BE(rest.length + 4)
      database.write(Buffer.concat([length, rest]))
      program.pipe(database)
    })
    database.pipe(program)
    for (const socket of [program, database]) socket.on('error', () => socket.destroy())
    program.on('close', () => database.destroy())
  })
  await new Promise<void>((settled) => server.listen(0, '127.0.0.1', settled))
  closeAfterwards(() => void server.close())
  return { ...address, host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}

test('behind a pooler that drops options the owner is refused, and the program works', async () => {
  await expect(whoWorks(await openPooler(base.ownerAddress))).rejects.toThrow(/is a superuser/)
  expect(await whoWorks(await openPooler(base.address))).toBe('kvitt_app')
})

test('behind a pooler that shares connections the role brings its limits along, which migrating has given it', async () => {
  const pooled = { ...(await openPooler(base.address)), isPooled: true }
  expect(await whoWorks(pooled)).toBe('kvitt_app')
  const { user = '' } = await login('', 'kvitt_app')
  await expect(whoWorks({ ...pooled, user })).rejects.toThrow(
    /kvitt_app has no limits of its own.*npm run migrate/,
  )
})

test('migrations are refused behind a pooler, and nothing is changed', async () => {
  const pooled = await openPooler(base.ownerAddress)
  await expect(migrate(pooled, MIGRATIONS)).rejects.toThrow(/leads to a pooler.*DATABASE_OWNER_URL/)
})
