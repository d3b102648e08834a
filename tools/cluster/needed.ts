/** The programs that a cluster is made of: Debian's. What is absent is named with the command that installs it. */
import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** 3.0.2, which Debian 12 has, loses acknowledged payments in a freeze. From Debian 13, unpacked: it is Python alone. */
const PATRONI = {
  version: '4.0.7-3~deb13u1',
  sha256: 'b8a6d276d3adb0c9b8a6d6198575c6081134bd2038b4780d08a6c34375972931',
}
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'
const PYTHON = '/usr/bin/python3'

/** What is asked for, and the package that has it. */
const PROGRAMS: readonly (readonly [path: string, debian: string])[] = [
  ['/usr/bin/etcd', 'etcd-server'],
  ['/usr/sbin/haproxy', 'haproxy'],
  [PYTHON, 'python3'],
]
const MODULES: readonly (readonly [module: string, debian: string])[] = [
  ['psycopg2', 'python3-psycopg2'],
  ['etcd', 'python3-etcd'],
  ['dns', 'python3-dnspython'],
  ['psutil', 'python3-psutil'],
  ['prettytable', 'python3-prettytable'],
  ['click', 'python3-click'],
  ['dateutil', 'python3-dateutil'],
  ['urllib3', 'python3-urllib3'],
  ['yaml', 'python3-yaml'],
]

export type Needed = {
  readonly etcd: string
  readonly haproxy: string
  readonly python: string
  /** The folder that Python finds Patroni in. */
  readonly patroni: string
  readonly patronictl: string
  readonly postgresBin: string
}

/** The newest of Debian's PostgreSQL here. */
function findPostgres(): string | undefined {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  return versions
    .filter((version) => existsSync(`/usr/lib/postgresql/${version}/bin/pg_rewind`))
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => `/usr/lib/postgresql/${version}/bin`)[0]
}

const hasModule = (name: string): boolean =>
  spawnSync(PYTHON, ['-c', `import ${name}`], { stdio: 'ignore' }).status === 0

/** The packages of Debian that are absent. */
export function findMissing(): string[] {
  return [
    ...PROGRAMS.flatMap(([path, debian]) => (existsSync(path) ? [] : [debian])),
    ...(findPostgres() ? [] : ['postgresql']),
    ...(existsSync(PYTHON) ? MODULES.flatMap(([name, debian]) => (hasModule(name) ? [] : [debian])) : []),
  ]
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(command, [...args], { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr.trim().slice(-400)}`)
}

/** Patroni in a folder of ours, through apt with settings of its own: nothing of the machine is changed. */
function fetchPatroni(folder: string): string {
  const unpacked = join(folder, 'patroni')
  const modules = join(unpacked, 'usr/lib/python3/dist-packages')
  if (existsSync(join(modules, 'patroni'))) return modules
  const apt = join(folder, 'apt')
  for (const name of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(apt, name), { recursive: true })
  writeFileSync(
    join(apt, 'sources.list'),
    `deb [signed-by=${KEYRING}] http://deb.debian.org/debian trixie main\n`,
  )
  const options = [
    `Dir::Etc::sourcelist=${join(apt, 'sources.list')}`,
    'Dir::Etc::sourceparts=/dev/null',
    `Dir::State::lists=${join(apt, 'lists')}`,
    `Dir::Cache=${join(apt, 'cache')}`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option])
  run('apt-get', [...options, 'update'], apt)
  run('apt-get', [...options, 'download', `patroni=${PATRONI.version}`], apt)
  const file = readdirSync(apt).find((name) => /^patroni_.*\.deb$/.test(name)) ?? ''
  const found = createHash('sha256')
    .update(readFileSync(join(apt, file)))
    .digest('hex')
  if (found !== PATRONI.sha256) throw new Error(`${file} is not the one that was tried (${found}).`)
  run('dpkg', ['-x', join(apt, file), unpacked], apt)
  // It only draws differences in colours, and Debian 12 has none that fits.
  writeFileSync(
    join(modules, 'ydiff.py'),
    'class PatchStream:\n    pass\ndef markup_to_pager(*_):\n    pass\n',
  )
  return modules
}

/** Everything that a cluster needs. Throws one sentence that says what to install. */
export function findNeeded(folder: string): Needed {
  const missing = findMissing()
  if (missing.length > 0)
    throw new Error(
      `The cluster needs packages of Debian: apt-get install --no-install-recommends ${missing.join(' ')}`,
    )
  const patroni = fetchPatroni(folder)
  return {
    etcd: '/usr/bin/etcd',
    haproxy: '/usr/sbin/haproxy',
    python: PYTHON,
    patroni,
    patronictl: join(patroni, '../../../bin/patronictl'),
    postgresBin: findPostgres() ?? '',
  }
}
