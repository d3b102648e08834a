/** Files of banks that other programs put into a folder: whole ones are booked once, others are refused and asked about. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import {
  build,
  context,
  fileOf,
  instance,
  one,
  rows,
  server,
  stateOf,
  useBankFiles,
} from '../../testing/files/bank-files.ts'
import { openBankFolder, type BankFolder } from './bank-folder.ts'

useBankFiles()
const root = mkdtempSync(join(tmpdir(), 'kvitt-bank-folder-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folder: BankFolder
let own = ''
let unknown = 7_700_000

const look = async (by = folder): Promise<void> => {
  const work = { ...context(), config: { ...server.product.context.config, bankFilesDir: root } }
  await by.look(work, [instance])
}
const put = (name: string, text: string): void => writeFileSync(join(own, name), Buffer.from(text, 'latin1'))
const filesIn = (place: string): string[] =>
  existsSync(join(own, place)) ? readdirSync(join(own, place)).map((name) => name.replace(/^\S+ /, '')) : []
const waiting = (): string[] =>
  readdirSync(own, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name)
const tasks = () =>
  rows<{ about: string; details: { file: string; reason: string }; done: boolean }>(
    `select about, details, done_at is not null as done from task where kind = 'bank_file_refused' order by about`,
  )
const kept = async (name: string) =>
  (await one<{ count: number }>('select count(*)::int as count from bank_file where name = $1', name)).count

beforeEach(async () => {
  folder = openBankFolder()
  await look()
  const [alias] = readdirSync(root)
  own = join(root, alias ?? '')
})

test('a file is taken in at the second look, booked once, and put away', async () => {
  const invoice = await build(50_000)
  put('day.txt', fileOf([{ reference: invoice.reference, amountMinor: 50_000 }]))
  await look()
  expect(waiting()).toEqual(['day.txt'])
  await look()
  expect([waiting(), filesIn('done')]).toEqual([[], ['day.txt']])
  expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
  const deeds = await rows<{ actor: string }>(
    `select actor from audit_event where kind = 'payments_imported' and about = 'payment-batch:' || (select id from bank_file where name = 'day.txt')`,
  )
  expect(deeds).toEqual([{ actor: 'kvitt' }])
})

test('the same file again is put away, and changes nothing', async () => {
  const invoice = await build(70_000)
  const text = fileOf([{ reference: invoice.reference, amountMinor: 30_000 }])
  for (const name of ['first.txt', 'second.txt', 'first.txt']) {
    put(name, text)
    await look()
    await look()
  }
  expect(waiting()).toEqual([])
  expect(filesIn('done').toSorted().slice(-3)).toEqual(['first.txt', 'first.txt', 'second.txt'])
  expect(await stateOf(invoice)).toEqual({ status: 'ACTIVATED', owed: 40_000 })
  expect([await kept('first.txt'), await kept('second.txt')]).toEqual([1, 0])
})

test('what still grows, is hidden, has an unfinished name or is a link is left alone', async () => {
  const invoice = await build(40_000)
  const text = fileOf([{ reference: invoice.reference, amountMinor: 40_000 }])
  put('grows.txt', text.slice(0, 90))
  await look()
  put('grows.txt', text.slice(0, 170))
  await look()
  expect(waiting()).toEqual(['grows.txt'])
  rmSync(join(own, 'grows.txt'))
  put('.hidden', text)
  put('a.part', text)
  put('b.TMP', text)
  symlinkSync('/etc/hostname', join(own, 'link.txt'))
  mkdirSync(join(own, 'a folder'), { recursive: true })
  await look()
  await look()
  expect(waiting().toSorted()).toEqual(['.hidden', 'a.part', 'b.TMP', 'link.txt'])
  expect(await stateOf(invoice)).toEqual({ status: 'ACTIVATED', owed: 40_000 })
  renameSync(join(own, 'a.part'), join(own, 'a.txt'))
  await look()
  await look()
  expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
  for (const name of waiting()) rmSync(join(own, name))
})

test('a file that is refused keeps no other back, and its task ends when a good one comes under its name', async () => {
  const invoice = await build(60_000)
  const text = fileOf([{ reference: invoice.reference, amountMinor: 60_000 }])
  put('a-empty.txt', '')
  put('b-cut.txt', text.slice(0, Math.floor(text.length / 2)))
  put('c-good.txt', fileOf([{ reference: String((unknown += 1)), amountMinor: 900 }]))
  await look()
  await look()
  expect([waiting(), filesIn('refused').toSorted()]).toEqual([[], ['a-empty.txt', 'b-cut.txt']])
  expect(await kept('c-good.txt')).toBe(1)
  const [empty, cut] = await tasks()
  expect(empty).toMatchObject({
    about: 'bank-file:a-empty.txt',
    done: false,
    details: { reason: 'The file is empty.' },
  })
  expect(cut).toMatchObject({ about: 'bank-file:b-cut.txt', done: false, details: { file: 'b-cut.txt' } })
  expect(await stateOf(invoice)).toEqual({ status: 'ACTIVATED', owed: 60_000 })
  put('b-cut.txt', text)
  await look()
  await look()
  expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
  expect((await tasks()).map(({ done }) => done)).toEqual([false, true])
})

test('two processes that look at once book a file once', async () => {
  const invoice = await build(90_000)
  put('twice.txt', fileOf([{ reference: invoice.reference, amountMinor: 20_000 }]))
  const other = openBankFolder()
  await look()
  await look(other)
  await Promise.allSettled([look(), look(other)])
  expect(waiting()).toEqual([])
  expect(await stateOf(invoice)).toEqual({ status: 'ACTIVATED', owed: 70_000 })
  expect(await kept('twice.txt')).toBe(1)
})

test('a process that died after the books and before the file was put away leaves nothing doubled', async () => {
  const invoice = await build(80_000)
  put('died.txt', fileOf([{ reference: invoice.reference, amountMinor: 10_000 }]))
  await look()
  await look()
  const [name] = readdirSync(join(own, 'done')).filter((one) => one.endsWith('died.txt'))
  renameSync(join(own, 'done', name ?? ''), join(own, 'died.txt'))
  await look(openBankFolder())
  await look()
  await look()
  expect(await stateOf(invoice)).toEqual({ status: 'ACTIVATED', owed: 70_000 })
  expect(waiting()).toEqual([])
})
