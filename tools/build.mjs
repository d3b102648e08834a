// Builds what `npm start` runs: one bundle each for the server and the sandbox, the debtor portal, the creditor portal, the homepage and the support site.
// A target whose sources have not changed since its last build is left alone. `node tools/build.mjs server` builds that one.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkNode, installDependencies, root } from './install.mjs'

const targets = [
  {
    name: 'server',
    entries: [
      'main.ts',
      '../commands/import-cli.ts',
      '../commands/import-payments-cli.ts',
      '../commands/migrate-cli.ts',
      '../commands/payment-account-cli.ts',
      '../commands/court-cli.ts',
      '../commands/move-payment-cli.ts',
      '../commands/reverse-payment-cli.ts',
      '../commands/place-payment-cli.ts',
      '../commands/read-journal-cli.ts',
      '../commands/record-refund-cli.ts',
      '../commands/decide-debt-cli.ts',
      '../commands/decide-dispute-cli.ts',
      '../commands/reminder-fee-cli.ts',
      '../commands/charge-owner-cli.ts',
      '../commands/agreement-cli.ts',
      '../commands/credentials-cli.ts',
      '../commands/provider-cli.ts',
      '../commands/second-factor-cli.ts',
      '../commands/sign-in-issuer-cli.ts',
      '../commands/first-manager-cli.ts',
      '../commands/refund-payment-cli.ts',
      '../commands/task-cli.ts',
      'platform/embedded-postgres/data-folder-lock.ts',
      'documents/letters-thread.ts',
      'platform/tables/table-thread.ts',
      'imports/office/workbook-program.ts',
    ],
    sources: [
      'apps/server/src',
      'apps/server/commands',
      'apps/server/config',
      'apps/server/package.json',
      'packages/domain/src',
      'packages/domain/package.json',
      'packages/site/src',
      'packages/ui/src/language',
      'packages/ui/src/money-text.ts',
    ],
    make: bundle,
  },
  {
    name: 'sandbox',
    entries: ['main.ts'],
    sources: ['apps/sandbox/src', 'apps/sandbox/package.json'],
    make: bundle,
  },
  {
    name: 'debtor',
    entries: ['../index.html'],
    sources: ['apps/debtor', 'packages/ui', 'packages/domain/src', 'packages/domain/package.json'],
    make: buildPortal,
  },
  {
    name: 'staff',
    entries: ['../index.html'],
    sources: [
      'apps/staff',
      'packages/office',
      'packages/ui',
      'packages/domain/src',
      'packages/domain/package.json',
    ],
    make: buildPortal,
  },
  ...['home', 'support'].map((name) => ({
    name,
    entries: ['main.ts'],
    sources: [`apps/${name}`, 'packages/site', 'packages/ui', 'packages/domain/src'],
    make: buildPortal,
  })),
]

/**
 * Builds every stale target, or those of these names.
 * @param {string[]} names of targets; none is all
 * @returns {Promise<string[]>} names of the targets that were built
 */
export async function build(names = []) {
  const stale = targets
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .map((target) => ({ ...target, fingerprint: fingerprint(target), files: listEntries(target) }))
    .filter((target) => target.files.length > 0 && !isFresh(target))
  await Promise.all(
    stale.map(async (target) => {
      // A build that fails leaves nothing, or half of it: that is not what was built before.
      rmSync(stampOf(target), { force: true })
      await target.make(target)
      mkdirSync(join(root, '.cache'), { recursive: true })
      writeFileSync(stampOf(target), target.fingerprint)
    }),
  )
  return stale.map((target) => target.name)
}

/** As build, but says in a sentence what went wrong and what to do, and ends the program with status 1. */
export async function buildOrExit(names = []) {
  try {
    return await build(names)
  } catch (error) {
    const [reason] = String(error.message).trim().split('\n')
    console.error(
      `The build failed (${reason}). Remove the folder node_modules and run the command again; LOG_LEVEL=debug shows more.`,
    )
    if (process.env.LOG_LEVEL === 'debug') console.error(error.stack)
    process.exit(1)
  }
}

function listEntries({ name, entries }) {
  return entries.map((entry) => join(root, 'apps', name, 'src', entry)).filter((file) => existsSync(file))
}

const stampOf = ({ name }) => join(root, '.cache', `build-${name}`)

function isFresh(target) {
  if (!existsSync(join(root, 'apps', target.name, 'dist')) || !existsSync(stampOf(target))) return false
  return readFileSync(stampOf(target), 'utf8') === target.fingerprint
}

function fingerprint({ sources }) {
  const hash = createHash('sha256')
  const files = [...sources, 'package-lock.json', 'tools/build.mjs'].flatMap((source) => listFiles(source))
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

function listFiles(path) {
  const full = join(root, path)
  if (!existsSync(full)) return []
  const entries = readDirectory(full)
  if (entries === undefined) return [path]
  return entries
    .filter(({ name }) => name !== 'dist' && name !== 'node_modules' && !/\.test\.tsx?$/.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name }) => listFiles(`${path}/${name}`))
}

function readDirectory(path) {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (error) {
    if (error.code === 'ENOTDIR') return undefined
    throw error
  }
}

/** Our own packages go into the bundle; what npm installed stays outside and is loaded from node_modules. */
async function bundle({ name, files }) {
  const { build: rolldown } = await import('rolldown')
  await rolldown({
    input: Object.fromEntries(files.map((file) => [file.replace(/^.*\/|\.ts$/g, ''), file])),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !isAbsolute(id) && !id.startsWith('@kvitt/'),
    logLevel: 'warn',
    output: {
      dir: join(root, 'apps', name, 'dist'),
      format: 'esm',
      sourcemap: true,
      cleanDir: true,
      entryFileNames: '[name].js',
      chunkFileNames: 'part-[hash].js',
    },
  })
}

async function buildPortal({ name }) {
  const { build: vite } = await import('vite')
  await vite({ root: join(root, 'apps', name), logLevel: 'warn' })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  checkNode()
  installDependencies()
  const built = await buildOrExit(process.argv.slice(2))
  console.log(built.length === 0 ? 'Everything is built already' : `Built ${built.join(', ')}`)
}
