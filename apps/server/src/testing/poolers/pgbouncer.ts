/** PgBouncer, as some operators have it between program and database. Where it is installed. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const hasPgBouncer = (): boolean => spawnSync('pgbouncer', ['--version']).status === 0

export type Pooler = {
  readonly host: '127.0.0.1'
  readonly port: number
  stop(): Promise<void>
}

type Wishes = {
  /** The database's socket folder, and the port in its name. */
  readonly host: string
  readonly port: number
  readonly mode: 'session' | 'transaction'
  /** So many of the database's connections serve all of the program's, of each database. */
  readonly connections: number
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/**
 * It hands a connection of the database to one client after another, each for as long as that is connected or for a transaction, and
 * drops what a client asks for at its start.
 */
export async function startPgBouncer({ host, port, mode, connections }: Wishes): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-pooler-'))
  const listen = await freePort()
  writeFileSync(join(folder, 'users.txt'), '"kvitt_app" ""\n"postgres" ""\n')
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${host} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = ${mode}
default_pool_size = ${connections}
max_client_conn = 1000
server_idle_timeout = 2
admin_users = postgres
ignore_startup_parameters = options,extra_float_digits
`,
  )
  chmodSync(folder, 0o755)
  // It refuses to work for root, and the database's socket is its own account's.
  const { uid, gid } = statSync(host)
  const child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
    ...(process.getuid?.() === 0 ? { uid, gid } : {}),
  })
  await sleep(500)
  return {
    host: '127.0.0.1',
    port: listen,
    async stop() {
      child.kill('SIGKILL')
      await sleep(100)
      rmSync(folder, { recursive: true })
    },
  }
}
