import { expect, test } from 'vitest'
import {
  build,
  fileOf,
  OF_INSTANCE,
  server,
  takeFiles,
  useBankFiles,
} from '../src/testing/files/bank-files.ts'
import { runHere, urlOf, type Ended } from '../src/testing/run-program.ts'

useBankFiles()

const run = (...args: string[]): Promise<Ended> =>
  runHere('record-refund-cli', args, { DATABASE_URL: urlOf(server.test) })

test('what is owed back is listed and recorded once; a mistake is one sentence', {
  timeout: 120_000,
}, async () => {
  const { reference } = await build(84_200)
  await takeFiles(fileOf([{ reference, amountMinor: 90_000 }], { bankgiro: OF_INSTANCE }))
  const { stdout } = await run()
  expect(stdout).toMatch(
    /^ +58\.00 SEK {2}instance sends {2}nordklar AB {2}payment:[0-9a-f-]{36}\n1 owed back\n$/,
  )
  const about = /payment:[0-9a-f-]{36}/.exec(stdout)?.[0] ?? ''
  for (let again = 0; again < 2; again++)
    expect(await run('--about', about)).toEqual({
      status: 0,
      stderr: '',
      stdout: `recorded  ${about}\n0 owed back\n`,
    })
  expect(await run('--about', 'payment:1')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^Nothing is owed back for payment:1/),
  })
  expect(await run('--left')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^Say what it is about/),
  })
  expect(await run('--about', about, '--left', '--creditor')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^--left is of money/),
  })
})
