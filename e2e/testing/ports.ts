import { createServer } from 'node:net'

/** Ports for each worker of the test runner, who looks for his among them alone. The last are of whoever is no worker. */
const EACH = 100
const WORKER = Number(process.env['VITEST_POOL_ID'] ?? 8) - 1
const FIRST = 18_500 + EACH * (WORKER % 8)

function isFree(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const probe = createServer()
    probe.once('error', () => settle(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => settle(true)))
  })
}

/**
 * The first of five neighbouring ports that nobody listens on: the product, the three of the sandbox, and one to spare.
 * Below the range that systems give to outgoing connections, so that none of them slips in. A worker has a range of its
 * own: whoever looks holds a port for a moment, in which another's program that was to have it would not start.
 */
export async function findPorts(): Promise<number> {
  const steps = EACH / 5
  const begin = Math.floor(Math.random() * steps)
  for (let step = 0; step < steps; step += 1) {
    const port = FIRST + 5 * ((begin + step) % steps)
    const free = await Promise.all([port, port + 1, port + 2, port + 3, port + 4].map(isFree))
    if (free.every(Boolean)) return port
  }
  throw new Error(`The journeys need five free ports from ${FIRST} to ${FIRST + EACH - 1}.`)
}
