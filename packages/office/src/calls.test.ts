import { ApiRefusal } from '@kvitt/ui/api.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { createQueries } from './calls.ts'
import { report } from './messages/messages.ts'

vi.mock('./messages/messages.ts', () => ({ report: vi.fn<typeof report>() }))
beforeEach(() => vi.mocked(report).mockClear())

async function ask(error: Error): Promise<void> {
  const queryFn = async (): Promise<never> => {
    throw error
  }
  await expect(createQueries().fetchQuery({ queryKey: ['x'], queryFn, retry: false })).rejects.toBe(error)
}

test('what was refused is said in its place alone; what failed otherwise is told', async () => {
  for (const status of [400, 403, 404, 409])
    await ask(
      new ApiRefusal(status, { code: 'invalid_request', message: 'The period ends before it begins.' }),
    )
  expect(report).not.toHaveBeenCalled()
  await ask(new ApiRefusal(500, { code: 'internal_error', message: 'A fault.' }))
  expect(report).toHaveBeenCalledTimes(1)
})
