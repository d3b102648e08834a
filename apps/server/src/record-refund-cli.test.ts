import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { build, fileOf, OF_INSTANCE, server, takeFiles, useBankFiles } from './testing/bank-files.ts'

const CLI = fileURLToPath(new URL('record-refund-cli.ts', import.meta.url))
useBankFiles()

function run(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const { host, port, user, database } = server.test.ownerAddress
  const env = {
    DATABASE_URL: `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host ?? '')}`,
  }
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', CLI, ...args], { env }, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

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
