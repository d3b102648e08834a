// The programs that `npm start` runs and watches over.
//
// What a child promises:
// - it sends { type: 'ready', port, lines? } over IPC once it serves; `lines` is what the welcome says;
// - it ends cleanly on SIGTERM and SIGINT, and on the process event 'disconnect': so it learns that this supervisor was killed;
// - it prints a sentence to stderr before it ends with a status other than 0, and 2 means: a person has to act. For one that
//   was killed we say so.
//
// Children run in a process group of their own, so Ctrl-C reaches the supervisor alone, and the order of stopping is ours.
import { spawn } from 'node:child_process'
import { root } from './install.mjs'

/** After SIGTERM the server answers on for so long. */
const drainMs = 1_000 * (Number(process.env.DRAIN_SECONDS) || 5)

/**
 * @param {{name: string, command: string[]}} program command: arguments for node
 * @returns {{name: string, ready: Promise<{port: number, lines?: string[]} | undefined>,
 *   ended: Promise<number>, stop: (signal?: NodeJS.Signals, patienceMs?: number) => Promise<void>}}
 *   ready answers undefined when the program ends first; ended answers its exit status (1 when a signal ended it)
 */
export function startChild({ name, command }) {
  const child = spawn(process.execPath, command, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  let isStopping = false
  const ended = new Promise((settle) => {
    child.once('error', (error) => {
      console.error(`The ${name} could not be started (${error.message}).`)
      settle(1)
    })
    child.once('exit', (code, signal) => {
      // It could not say anything itself.
      if (signal !== null && !isStopping) console.error(`The ${name} was killed (${signal}).`)
      settle(code ?? 1)
    })
  })
  const ready = new Promise((settle) => {
    child.on('message', (message) => {
      if (message?.type === 'ready') settle(message)
    })
    void ended.then(() => settle(undefined))
  })
  const stop = (signal = 'SIGTERM', patienceMs = 40_000 + drainMs) => {
    isStopping = true
    return stopChild(child, ended, { signal, patienceMs })
  }
  return { name, ready, ended, stop }
}

async function stopChild(child, ended, { signal, patienceMs }) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  await ended
  clearTimeout(timer)
}
