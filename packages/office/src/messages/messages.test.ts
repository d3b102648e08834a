import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a message stands four seconds and its fade, and stays in the log', async () => {
  vi.resetModules()
  const seen: string[][] = []
  vi.doMock('react', () => ({ useSyncExternalStore: (_: unknown, read: () => unknown) => read() }))
  const { report, useMessages, SHOWN_MS } = await import('./messages.ts')
  const note = (): void => void seen.push(useMessages().shown.map(({ text }) => text))
  report('ok', 'Saved', new Date(2026, 10, 20, 9, 5))
  report('bad', 'Unknown error')
  note()
  vi.advanceTimersByTime(SHOWN_MS)
  note()
  vi.advanceTimersByTime(600)
  note()
  expect(seen).toEqual([['Saved', 'Unknown error'], ['Saved', 'Unknown error'], []])
  expect(useMessages().log.map(({ text, time, tone }) => `${tone} ${text} ${time}`)[1]).toBe('ok Saved 09:05')
  vi.doUnmock('react')
})

test('on another page what failed is gone; what was done, and what stays, is not', async () => {
  vi.resetModules()
  vi.doMock('react', () => ({ useSyncExternalStore: (_: unknown, read: () => unknown) => read() }))
  const { leavePage, offerUndo, report, reportToStay, useMessages } = await import('./messages.ts')
  report('bad', 'Refused')
  report('ok', 'Saved')
  reportToStay('bad', 'Came back')
  offerUndo('Sent', { seconds: 5, act: () => {} })
  leavePage()
  expect(useMessages().shown.map(({ text }) => text)).toEqual(['Saved', 'Came back', 'Sent'])
  expect(useMessages().log.map(({ text }) => text)).toContain('Refused')
  vi.doUnmock('react')
})

test('what there is to a message stays with it, in the log too', async () => {
  vi.resetModules()
  vi.doMock('react', () => ({ useSyncExternalStore: (_: unknown, read: () => unknown) => read() }))
  const { dismiss, reportToStay, useMessages } = await import('./messages.ts')
  reportToStay('bad', 'Two were not done', () => 'which')
  const [shown] = useMessages().shown
  expect(shown?.details?.(() => {})).toBe('which')
  dismiss(shown?.id ?? 0)
  expect(useMessages().log[0]?.details?.(() => {})).toBe('which')
  vi.doUnmock('react')
})
