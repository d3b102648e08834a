import { ApiRefusal } from '@kvitt/ui/api.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { createQueries, failureText } from './calls.ts'
import { report } from './messages/messages.ts'

vi.mock('./messages/messages.ts', () => ({ report: vi.fn<typeof report>() }))
beforeEach(() => vi.mocked(report).mockClear())

async function ask(error: Error): Promise<void> {
  const queryFn = async (): Promise<never> => {
    throw error
  }
  await expect(createQueries().fetchQuery({ queryKey: ['x'], queryFn, retry: false })).rejects.toBe(error)
}

const refusal = (status: number, code = 'invalid_request') =>
  new ApiRefusal(status, { code, message: 'The period ends before it begins.' })
const later = () => new Promise((done) => setTimeout(done, 400))

test('what was refused is told where no block says it in its place', async () => {
  for (const status of [400, 404, 409]) await ask(refusal(status))
  await later()
  expect(report).toHaveBeenCalledTimes(3)
})

test('what a block says in its place is not told beside it', async () => {
  const shown = refusal(400)
  const isAsked = ask(shown)
  // A block draws what failed, as `BlockFailed` does.
  expect(failureText(shown)).toBe('The period ends before it begins.')
  await isAsked
  await later()
  expect(report).not.toHaveBeenCalled()
})

test('what a role may not see is not shown, nor that it was refused', async () => {
  await ask(refusal(403, 'not_allowed'))
  await ask(refusal(401, 'not_signed_in'))
  await later()
  expect(report).not.toHaveBeenCalled()
})

test('what failed otherwise is told at once', async () => {
  await ask(new ApiRefusal(500, { code: 'internal_error', message: 'A fault.' }))
  expect(report).toHaveBeenCalledTimes(1)
})
