/** A file of the sandbox's bank comes in, as one does by the command. Loopback only, and absent when the demo is off. */
import type { FastifyInstance } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'
import { importBankFiles } from '../bank-files/bank-files.ts'
import type { Context } from '../context.ts'
import { openInstances } from '../instances/instances.ts'
import { requireLoopback } from '../platform/http/loopback.ts'
import { readLinesOfFile, type TakenLine } from './bank-files.queries.ts'

type Taken = { readonly refused: string | null; readonly lines: readonly TakenLine[] }

/** Takes the file in for the default instance, and tells what became of its lines. The same file again tells the same. */
async function takeFile(context: Context, name: string, content: Uint8Array): Promise<Taken> {
  const instance = await openInstances(context.db, context.clock).ofHost('localhost')
  if (!instance) throw new Refusal('not_found')
  const input = {
    name,
    async *open() {
      yield content
    },
  }
  let refused: string | null = null
  for await (const { file, outcome, reason } of importBankFiles(context, instance, [input])) {
    if (file === name && outcome === 'refused') refused = reason
  }
  return { refused, lines: await readLinesOfFile(context.db, instance.id, name) }
}

/** `content` is the file's bytes in base64. */
export function serveDemoBankFiles(app: FastifyInstance, context: Context): void {
  app.post('/api/demo/bank-files', async (request) => {
    requireLoopback(request)
    const { name, content } = (request.body ?? {}) as { name?: unknown; content?: unknown }
    if (typeof name !== 'string' || !/^[\w. -]{1,100}$/.test(name))
      throw new Refusal('invalid_request', {}, ['name'])
    if (typeof content !== 'string') throw new Refusal('invalid_request', {}, ['content'])
    return takeFile(context, name, Buffer.from(content, 'base64'))
  })
}
