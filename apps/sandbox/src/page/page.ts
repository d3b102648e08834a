import type { Answer, Call } from '../serve.ts'

export async function answerPage(_: unknown, call: Call): Promise<Answer | undefined> {
  if (call.path !== '/' || call.method !== 'GET') return undefined
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: 'Sandbox' }
}
