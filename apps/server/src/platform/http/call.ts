/** A call of a contract: what comes with it, and what a binding answers. Who makes it, features know (sign-in/bind.ts). */
import type { z } from 'zod'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Contract, Door, Loosen } from '@kvitt/domain/contract.ts'
import type { Context } from '../../context.ts'
import { formOf } from './forms.ts'
import type { JsonText } from './json.ts'
import type { Listed } from './paging.ts'
import type { Later, Proposed, Replayed } from './replayed.ts'
import { readInput, refuseBroken, sentTo } from './read-input.ts'
import type { FileAnswer } from './send-file.ts'
import type { Language } from '../texts.ts'

/** Whose host a request came to. Features know more of it. */
export type Tenant = { readonly id: string; readonly language: Language; readonly mode: 'test' | 'live' }

/** What a handler is given: who asks, and the checked input. */
export type Call<Principal, Query, Body> = {
  readonly context: Context
  readonly principal: Principal
  readonly query: Query
  readonly body: Body
  readonly request: FastifyRequest
  /** Ends when whoever asked has gone. */
  readonly untilGone: () => AbortSignal
  /** Receives and checks the body of a call that takes a form; `body` is undefined then. */
  readonly receive: () => Promise<Body>
}

/** What a handler may answer where its contract has a `T`. */
export type Answer<T> =
  | Loosen<T>
  /** JSON that the database has written; the tests compare it with the contract. */
  | JsonText
  | Replayed<Loosen<T> | JsonText | Later>
  /** Where the contract says that it can wait, or be only proposed. */
  | Later
  | Proposed<JsonText>
  | WithCookies<Loosen<T>>
  | AsFile
  /** A list of staff is also a file, when that is what they accept. */
  | (T extends readonly (infer Item)[]
      ? readonly Loosen<Item>[] | Listed<Loosen<Item> | JsonText> | FileAnswer
      : never)
  | (unknown extends T ? FileAnswer : never)

/** An answer that also sets cookies. */
export class WithCookies<T = unknown> {
  readonly answer: T
  readonly cookies: readonly string[]
  constructor(answer: T, cookies: readonly string[]) {
    this.answer = answer
    this.cookies = cookies
  }
}

/** The answer as a file, in a type that the call's contract has among its `alsoFiles`. */
export class AsFile {
  readonly file: FileAnswer
  constructor(file: FileAnswer) {
    this.file = file
  }
}

/** A call as it comes to a door. */
export type Asked = {
  readonly context: Context
  readonly tenant: Tenant
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** What a use case has answered, and the cookie for the browser. */
export type Answered = {
  readonly given: unknown
  readonly query: unknown
  readonly setCookie: string | undefined
}

/** A contract, and at each of its doors the use case that answers it to whoever comes that way. */
export type Binding = {
  readonly contract: Contract
  readonly routes: readonly { readonly door: Door; readonly answer: (asked: Asked) => Promise<Answered> }[]
}

/** The checked input of a call. Whoever may not make it has to be refused before. */
export function readInputs<Query extends z.ZodType, Body extends z.ZodType>(
  { context, request }: Asked,
  contract: Contract<Query, Body>,
) {
  const query = readInput(contract.query, request.query)
  const ofStaff = contract.doors.some((door) => door === 'client' || door === 'admin')
  if (ofStaff) refuseBroken(query)
  const form = formOf(request, contract, context.config.dataDir)
  if (form) return { query, body: undefined as z.output<Body>, form }
  const sent = contract.method === 'GET' ? undefined : sentTo(contract, request.body)
  const body = readInput(contract.body, sent)
  // What debtors write is cleaned instead (`manyLines`): they paste, and a program can be told.
  if (ofStaff) refuseBroken(body)
  return { query, body, form }
}

/** Of a call that takes no form. */
export function noForm(): Promise<never> {
  return Promise.reject(new Error('this call takes no form'))
}
