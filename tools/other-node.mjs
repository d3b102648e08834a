// The product on another version of Node: a copy of this checkout, started as its user starts it, and one payment.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './install.mjs'

const READY_MS = 300_000
const PAID_MS = 60_000
/** An invoice of the demo that nothing has been paid on, and what it owes (docs/demo.md). */
const INVOICE = { reference: '260101314920', zip: '41105', amount: '842.00' }

/**
 * Gets Node from the npm registry, where it is a package, once for each major version.
 * @returns {string | undefined} the folder that holds the program `node`; undefined when it cannot be had here
 */
export function installNode(major) {
  const folder = join(root, '.cache/node', String(major))
  const bin = join(folder, 'package/bin')
  if (existsSync(join(bin, 'node'))) return bin
  mkdirSync(folder, { recursive: true })
  const name = `node-${process.platform}-${process.arch}@${major}`
  const packed = npm(['pack', name, '--silent', '--pack-destination', folder])
  const archive = packed.stdout?.toString().trim().split('\n').at(-1)
  if (packed.status !== 0 || !archive) return undefined
  const unpacked = spawnSync('tar', ['-xzf', join(folder, archive), '-C', folder])
  rmSync(join(folder, archive), { force: true })
  return unpacked.status === 0 && existsSync(join(bin, 'node')) ? bin : undefined
}

function npm(args) {
  const cli = process.env.npm_execpath
  return cli !== undefined && /\.c?js$/.test(cli)
    ? spawnSync(process.execPath, [cli, ...args])
    : spawnSync('npm', args)
}

/**
 * Copies what git knows of this checkout, changes included, into a new folder, as a fresh clone has it.
 * @returns {string | undefined} the folder, to be removed by the caller; undefined where this is no checkout
 */
export function copyCheckout() {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  })
  if (listed.status !== 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-clone-'))
  // The database runs under another account than root, and has to get through this folder.
  chmodSync(folder, 0o755)
  for (const path of listed.stdout.toString().split('\0').filter(Boolean)) {
    if (!existsSync(join(root, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path))
  }
  return folder
}

/** The environment of a person who has only that Node: no setting of the product, none of the npm that runs us. */
export function environmentOf(bin, settings = {}) {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|DEMO$|DATA_DIR$|DATABASE_URL$|PORT$)/.test(name),
  )
  return {
    ...Object.fromEntries(kept),
    ...settings,
    PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
  }
}

/**
 * Starts the checkout in `folder` with `npm start` under the Node in `bin`, pays an invoice of the demo and stops it again.
 * Throws with what was printed when it does not start, or the payment does not complete.
 */
export async function startAndPay({ folder, bin, port }) {
  const product = spawn('npm', ['start'], {
    cwd: folder,
    env: environmentOf(bin, { PORT: String(port), SANDBOX_PORT: String(port + 4) }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let printed = ''
  const ended = new Promise((settle) => product.once('exit', settle))
  const ready = new Promise((settle) => {
    const read = (text) => {
      printed += text
      if (/^ready /m.test(printed)) settle('ready')
    }
    product.stdout.on('data', read)
    product.stderr.on('data', read)
  })
  try {
    const first = await Promise.race([ready, ended, sleep(READY_MS, 'too late', { ref: false })])
    if (first !== 'ready') throw new Error(`npm start did not get ready (${first}):\n${printed.slice(-4000)}`)
    await payInvoice(`http://localhost:${port}`, `http://localhost:${port + 4}`)
  } finally {
    product.kill('SIGTERM')
    await Promise.race([ended, sleep(40_000)])
    const isRunning = product.exitCode === null && product.signalCode === null
    if (isRunning && product.pid !== undefined) process.kill(-product.pid, 'SIGKILL')
  }
}

async function payInvoice(address, sandbox) {
  const page = await fetch(`${address}/`)
  if (!page.ok || !(await page.text()).includes('<html')) throw new Error('the start page did not come')
  const path = `${address}/api/public/invoices/${INVOICE.reference}/${INVOICE.zip}/payment-requests`
  const { today } = await send('GET', `${sandbox}/control/clock`)
  const order = { paymentDate: today, amount: INVOICE.amount, serviceProviderCode: 'DIRECT_BANK' }
  const payment = await send('POST', path, { ...order, redirectUri: `${address}/` })
  const waiting = (await send('GET', `${sandbox}/control/orders`)).find(({ kind }) => kind === 'bank')
  await send('POST', `${sandbox}/control/orders/${waiting.id}/approve`, {})
  for (const startedAt = Date.now(); ; await sleep(500)) {
    const all = await send('PUT', `${path}/status`)
    if (all.find(({ id }) => id === payment.id)?.status === 'COMPLETED') return
    if (Date.now() - startedAt > PAID_MS)
      throw new Error(`the payment did not complete: ${JSON.stringify(all)}`)
  }
}

async function send(method, address, body) {
  const answer = await fetch(address, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  if (!answer.ok)
    throw new Error(`${method} ${new URL(address).pathname.split('/').at(-1)}: ${answer.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
