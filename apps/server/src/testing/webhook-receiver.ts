/** A creditor's program that receives events: it verifies and keeps what comes, and does what receivers should not. */
import { createHmac } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeAfterwards } from './close-afterwards.ts'

export type Received = {
  readonly id: string
  readonly body: {
    readonly type: string
    readonly timestamp: string
    readonly data: Readonly<Record<string, unknown>>
  }
  readonly text: string
  /** The secrets of `receiver.secrets` that have signed it. */
  readonly signedBy: readonly string[]
}

export type Receiver = {
  readonly origin: string
  readonly received: Received[]
  readonly secrets: string[]
  /** How it answers; `taken` when nothing else is said. */
  answer: (response: ServerResponse) => void
}

const taken = (response: ServerResponse): void => void response.writeHead(204).end()

/** Listens until the tests of the file are over. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (text += part))
    request.on('end', () => {
      const [id, at, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
        String(request.headers[name]),
      )
      const isBy = (secret: string): boolean => {
        const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
        const mine = createHmac('sha256', key).update(`${id}.${at}.${text}`).digest('base64')
        return (signatures ?? '').split(' ').includes(`v1,${mine}`)
      }
      const isNow = Math.abs(Date.now() / 1_000 - Number(at)) < 300
      const signedBy = isNow ? receiver.secrets.filter(isBy) : []
      receiver.received.push({ id: id ?? '', body: JSON.parse(text), text, signedBy })
      receiver.answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeAfterwards(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const receiver: Receiver = { origin, received: [], secrets: [], answer: taken }
  return receiver
}
