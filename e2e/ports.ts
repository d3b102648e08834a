import { createServer } from 'node:net'

const FIRST = 18_500
const LAST = 18_599

function isFree(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const probe = createServer()
    probe.once('error', () => settle(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => settle(true)))
  })
}

/**
 * The first of five neighbouring ports that nobody listens on: the product, the three of the sandbox, and one to spare.
 * Below the range that systems give to outgoing connections, so that none of them slips in.
 */
export async function findPorts(): Promise<number> {
  const steps = Math.floor((LAST - FIRST + 1) / 5)
  const begin = Math.floor(Math.random() * steps)
  for (let step = 0; step < steps; step += 1) {
    const port = FIRST + 5 * ((begin + step) % steps)
    const free = await Promise.all([port, port + 1, port + 2, port + 3, port + 4].map(isFree))
    if (free.every(Boolean)) return port
  }
  throw new Error(`The journeys need five free ports between ${FIRST} and ${LAST}.`)
}
