import { expect, test } from 'vitest'
import { openJobs } from './jobs.ts'
import { openLog } from './log.ts'

test('work beside its caller is waited for, and tells why it failed', async () => {
  const jobs = openJobs(openLog('silent'))
  const seen: string[] = []
  let open = (): void => {}
  const gate = new Promise<void>((resolve) => (open = resolve))
  jobs.beside(
    async () => {
      await gate
      seen.push('done')
    },
    () => seen.push('failed'),
  )
  jobs.beside(
    () => Promise.reject(new Error('no')),
    (error) => seen.push(`failed: ${(error as Error).message}`),
  )
  const rested = jobs.rest().then(() => seen.push('rested'))
  const stopped = jobs.stop().then(() => seen.push('stopped'))
  await turn()
  expect(seen).toEqual(['failed: no'])
  open()
  await Promise.all([rested, stopped])
  expect(seen.slice(0, 2)).toEqual(['failed: no', 'done'])
  expect(new Set(seen.slice(2))).toEqual(new Set(['rested', 'stopped']))
})

test('a job comes again after it failed, and not after the stop', async () => {
  const jobs = openJobs(openLog('silent'))
  let runs = 0
  await new Promise<void>((resolve) => {
    jobs.every('fails', 1, () => {
      runs += 1
      if (runs === 3) resolve()
      return Promise.reject(new Error('no'))
    })
  })
  await jobs.stop()
  const before = runs
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(runs).toBe(before)
})

/** Everything that is due has run. */
const turn = () => new Promise((resolve) => setTimeout(resolve, 5))
