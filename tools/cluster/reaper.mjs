// Ends the programs of the cluster when whoever started them is gone, killed or not: `node reaper.mjs LIST DATA_DIR...`
// LIST holds an id and the moment of its start a line; a database outlives what has started it, and is found in its folder.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const [list = '', ...dataDirs] = process.argv.slice(2)
/** A database writes what it has before it ends. */
const PATIENCE_MS = 15_000

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
process.stdin.resume()
process.stdin.once('end', () => void endAll())
process.stdin.once('error', () => void endAll())

function fieldsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return undefined
  }
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const isDead = (fields) => fields === undefined || fields[0] === 'Z'

/** Those of the list that still are who they were. */
function listed() {
  const lines = read(list).trim().split('\n')
  return lines.flatMap((line) => {
    const [pid, started] = line.split(' ')
    const fields = pid ? fieldsOf(pid) : undefined
    return isDead(fields) || fields[19] !== started ? [] : [Number(pid)]
  })
}

function databases() {
  return dataDirs.flatMap((folder) => {
    const pid = Number(read(join(folder, 'postmaster.pid')).split('\n')[0])
    return pid && read(`/proc/${pid}/comm`).startsWith('postgres') && !isDead(fieldsOf(pid)) ? [pid] : []
  })
}

/** With all that descend from them: one that stands still would hear nothing. */
function family(pids) {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const found = new Set(pids)
  for (let before = 0; before < found.size; ) {
    before = found.size
    for (const pid of all) if (found.has(Number(fieldsOf(pid)?.[1]))) found.add(Number(pid))
  }
  return [...found]
}

function send(pids, signal) {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
  }
}

async function endAll() {
  send(family([...listed(), ...databases()]), 'SIGCONT')
  send(listed(), 'SIGTERM')
  for (let waited = 0; waited < PATIENCE_MS && listed().length > 0; waited += 100) await sleep(100)
  send(databases(), 'SIGINT')
  for (let waited = 0; waited < PATIENCE_MS && databases().length > 0; waited += 100) await sleep(100)
  send(family([...listed(), ...databases()]), 'SIGKILL')
  rmSync(list, { force: true })
  process.exit(0)
}
