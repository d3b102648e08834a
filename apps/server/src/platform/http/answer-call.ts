/** Sends what a use case has answered, as its contract has it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Contract } from '@kvitt/domain/contract.ts'
import { AsFile, WithCookies, type Answered } from './call.ts'
import { writeJson } from './json.ts'
import { isListed, linkHeader, pageOfWhole } from './paging.ts'
import { Later, Proposed, Replayed } from './replayed.ts'
import { isFile, sendFile } from './send-file.ts'

type To = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Compares the answer with its contract and turns a difference into a 500. */
  readonly checkAnswers: boolean
}

const JSON_TYPE = 'application/json; charset=utf-8'

export function answerCall(contract: Contract, { given, query, setCookie }: Answered, to: To): FastifyReply {
  const { reply } = to
  if (given instanceof Proposed) return sendAnswer({ ...contract, status: 202 }, given.answer, to)
  const said = given instanceof Replayed ? given.answer : given
  if (given instanceof Replayed) reply.header('idempotency-hit', 'true')
  if (said instanceof Later) {
    return reply
      .code(202)
      .header('content-type', JSON_TYPE)
      .send(writeJson({ actId: said.actId }))
  }
  const { answer: told, cookies } = said instanceof WithCookies ? said : { answer: said, cookies: [] }
  const answer = Array.isArray(told) ? pageOfWhole(told, query as object) : told
  const all = setCookie ? [setCookie, ...cookies] : cookies
  if (all.length > 0) reply.header('set-cookie', [...all])
  return sendAnswer(contract, answer, to)
}

function sendAnswer(contract: Contract, answer: unknown, { request, reply, checkAnswers }: To): FastifyReply {
  if (isFile(answer)) return sendFile(reply, answer)
  if (answer instanceof AsFile) {
    const { file } = answer
    const type = file.mimeType.split(';', 1)[0] ?? ''
    if (!contract.alsoFiles?.includes(type)) throw new Error(`${contract.name} broke its contract: ${type}`)
    return sendFile(reply, file)
  }
  if (contract.status === 204) return reply.code(204).send()
  const listed = isListed(answer) ? answer : undefined
  const json = writeJson(listed ? listed.items : answer)
  if (checkAnswers) {
    const checked = contract.response.safeParse(JSON.parse(json))
    if (!checked.success) throw new Error(`${contract.name} broke its contract: ${checked.error.message}`)
  }
  if (listed) {
    reply.header('x-total-count', listed.total)
    reply.header('link', linkHeader(request.url, listed))
  }
  return reply.code(contract.status).header('content-type', JSON_TYPE).send(json)
}
