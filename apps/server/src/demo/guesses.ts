/** Giving back all guesses, from the sandbox. Loopback only, and absent when the demo is off. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { requireLoopback } from '../platform/http/loopback.ts'
import { forgetAllGuesses } from '../sign-in/sign-in.ts'

export function serveDemoGuesses(app: FastifyInstance, { db }: Context): void {
  app.delete('/api/demo/guesses', async (request, reply) => {
    requireLoopback(request)
    await forgetAllGuesses(db)
    return reply.code(204).send()
  })
}
