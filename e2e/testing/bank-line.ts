/** A line to the bank that can hold the bank's answers back, to let its notices overtake them. */
import { readFileSync } from 'node:fs'
import { Agent, createServer, request } from 'node:https'
import { join } from 'node:path'

export type BankLine = {
  /** Answers to new payments stay on the line from now on. */
  hold(): void
  /** Lets them through, those that waited first. */
  release(): void
  close(): void
}

/** Listens on `port` and passes calls on to the bank at `bankPort`, with the sandbox's own certificates. */
export async function openBankLine(folder: string, port: number, bankPort: number): Promise<BankLine> {
  const read = (name: string): Buffer => readFileSync(join(folder, name))
  const agent = new Agent({
    ca: read('ca.pem'),
    cert: read('client.pem'),
    key: read('client-key.pem'),
    keepAlive: true,
  })
  let held: (() => void)[] | undefined
  const server = createServer(
    { cert: read('server.pem'), key: read('server-key.pem') },
    (incoming, outgoing) => {
      const { method, url: path, headers } = incoming
      const onward = request(
        { host: 'localhost', port: bankPort, method, path, headers, agent },
        (answer) => {
          const pass = (): void => {
            outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
            answer.pipe(outgoing)
          }
          if (held && method === 'POST') held.push(pass)
          else pass()
        },
      )
      onward.on('error', () => outgoing.destroy())
      incoming.pipe(onward)
    },
  )
  await new Promise<void>((settle, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', settle)
  })
  return {
    hold: () => void (held ??= []),
    release() {
      for (const pass of held ?? []) pass()
      held = undefined
    },
    close() {
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}
