/** A server with the interface of S3, where this machine has one: moto (Python), Debian's package or another, by PYTHONPATH too. */
import { spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import type { BucketConfig } from '../../platform/store/store.ts'
import { closeAfterwards } from '../close-afterwards.ts'

const PYTHON = 'python3'

/** Why there is none here; undefined where there is one. */
export const noMoto: string | undefined =
  spawnSync(PYTHON, ['-c', 'import moto.server, flask']).status === 0
    ? undefined
    : 'python3 has no moto with its server (Debian trixie: python3-moto)'

const RUN = 'import sys; from moto.server import main; main(sys.argv[1:])'

/** Starts it with one bucket, and stops it after the last test of the file. */
export async function startMoto(): Promise<BucketConfig> {
  const port = randomInt(12_000, 32_000)
  const server = spawn(PYTHON, ['-c', RUN, '-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
  closeAfterwards(() => void server.kill('SIGKILL'))
  const endpoint = `http://127.0.0.1:${port}`
  const keys = { accessKey: 'key', secretKey: 'secret', region: 'eu-north-1' }
  const client = new AwsClient({
    accessKeyId: 'key',
    secretAccessKey: 'secret',
    region: keys.region,
    service: 's3',
  })
  const make = (): Promise<Response | undefined> =>
    client
      .fetch(`${endpoint}/kvitt-files`, {
        method: 'PUT',
        body: `<CreateBucketConfiguration><LocationConstraint>${keys.region}</LocationConstraint></CreateBucketConfiguration>`,
      })
      .catch(() => undefined)
  for (let tries = 0; ; tries++) {
    const made = await make()
    if (made?.ok) break
    if (tries > 300) throw new Error(`moto does not answer: ${made?.status} ${await made?.text()}`)
    await pause(100)
  }
  return { endpoint, bucket: 'kvitt-files', isPathStyle: true, ...keys }
}
