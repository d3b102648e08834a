/** A line to the bank and to Swish that a test can cut at a call, and that counts the orders that go by. */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent, createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export type Act = 'create' | 'read' | 'cancel'

/** Before a call gets through, or after it was done and before its answer is known. */
export type CounterpartyMoment = { readonly when: 'before' | 'after'; readonly act: Act }

export type CounterpartyLine = {
  readonly port: number
  /** Calls `hit` at the moment, once; that call is never answered. */
  arm(moment: CounterpartyMoment, hit: () => void): void
  reset(): void
  /** How often an order was sent, by the payment's id as it travels. */
  creates(): ReadonlyMap<string, number>
  close(): void
}

const ACTS: Readonly<Record<string, Act>> = {
  POST: 'create',
  PUT: 'create',
  GET: 'read',
  DELETE: 'cancel',
  PATCH: 'cancel',
}

/** The payment's id: Swish has it in the address, the bank in the order. Both without hyphens, in their own case. */
function keyOf(path: string, body: Buffer): string {
  const swish = /\/paymentrequests\/(\w+)$/.exec(path)?.[1]
  const order =
    swish ?? (JSON.parse(body.toString()) as { endToEndIdentification: string }).endToEndIdentification
  return order.toLowerCase()
}

/** Passes calls on to `apiPort`, with the sandbox's own certificates. */
export async function openCounterpartyLine(folder: string, apiPort: number): Promise<CounterpartyLine> {
  const read = (name: string): Buffer => readFileSync(join(folder, name))
  const agent = new Agent({
    ca: read('ca.pem'),
    cert: read('client.pem'),
    key: read('client-key.pem'),
    keepAlive: true,
  })
  const creates = new Map<string, number>()
  let armed: { moment: CounterpartyMoment; hit: () => void } | undefined
  /** True when this was the moment: the call ends here. */
  const isMoment = (when: 'before' | 'after', act: Act | undefined): boolean => {
    if (armed?.moment.when !== when || armed.moment.act !== act) return false
    const { hit } = armed
    armed = undefined
    hit()
    return true
  }
  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = incoming
    const act = ACTS[method]
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    if (isMoment('before', act)) return
    if (act === 'create') creates.set(keyOf(path, body), (creates.get(keyOf(path, body)) ?? 0) + 1)
    const onward = request({ host: 'localhost', port: apiPort, method, path, headers, agent }, (answer) => {
      if (isMoment('after', act)) return answer.resume()
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      return answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    onward.end(body)
  }
  const server = createServer(
    { cert: read('server.pem'), key: read('server-key.pem') },
    // A caller that was killed in the middle of its call gets no answer.
    (incoming, outgoing) => void pass(incoming, outgoing).catch(() => outgoing.destroy()),
  )
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  return {
    port: (server.address() as AddressInfo).port,
    arm: (moment, hit) => void (armed = { moment, hit }),
    reset: () => void (armed = undefined),
    creates: () => creates,
    close() {
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}
