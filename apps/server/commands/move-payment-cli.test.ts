import { expect, test } from 'vitest'
import {
  build,
  fileOf,
  OF_INSTANCE,
  one,
  server,
  takeFiles,
  useBankFiles,
} from '../src/testing/files/bank-files.ts'
import { runHere, urlOf, type Ended } from '../src/testing/run-program.ts'

useBankFiles()

const run = (...args: string[]): Promise<Ended> =>
  runHere('move-payment-cli', args, { DATABASE_URL: urlOf(server.test) })

test('money is moved, once, with who and why; a mistake is one sentence', { timeout: 120_000 }, async () => {
  const [wrong, right] = [await build(84_200), await build(84_200)]
  await takeFiles(fileOf([{ reference: wrong.reference, amountMinor: 84_200 }], { bankgiro: OF_INSTANCE }))
  const { id } = await one<{ id: string }>('select id from bank_line where invoice_id = $1', wrong.id)
  const why = ['--reason', 'the payer named the wrong invoice', '--by', 'kim']
  for (let again = 0; again < 2; again++) {
    expect(await run('--line', id, '--invoice', right.number, ...why)).toEqual({
      status: 0,
      stderr: '',
      stdout: `moved  842.00 SEK  line ${id}  on invoice ${right.number}\n`,
    })
  }
  expect(await one('select moved_by, reason from moved_payment where line_id = $1', id)).toEqual({
    moved_by: 'person:kim',
    reason: why[1],
  })
  for (const [args, sentence] of [
    [['--line', id], /^Say why, in --reason/],
    [['--reason', 'x'], /^No payment was named/],
    [['--line', id, '--invoice', '1', '--claim', '1', ...why], /^Name one place/],
    [['--line', id, '--invoice', 'nowhere', ...why], /has no invoice nowhere/],
  ] as const)
    expect(await run(...args)).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(sentence),
    })
})
