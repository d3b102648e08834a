/** The keys of lines that were placed while a migration gave them their keys. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fileOf, one, rows, server, takeFiles, useBankFiles, violated } from '../testing/files/bank-files.ts'

useBankFiles()

const file = new URL('../../migrations/0089_bank_line_keys_as_lines.sql', import.meta.url)
const mend = (): Promise<unknown> => rows(readFileSync(file, 'utf8'))

test('they are put right, also beside one that is placed just then, and however often', async () => {
  await takeFiles(fileOf([{ reference: '700900', amountMinor: 32_900 }]))
  const { id } = await one<{ id: string }>(`select id from bank_line where payment_references = '{700900}'`)
  const stale = () => rows(`update bank_line_key set status = 'WAITING' where line_id = $1`, id)
  const keys = () => rows('select status from bank_line_key where line_id = $1', id)
  await stale()
  expect(await violated()).toContain('inv_i31_bank_lines_have_their_keys')
  await mend()
  await mend()
  expect([await keys(), await violated()]).toEqual([[{ status: 'SUSPENSE' }], []])
  await stale()
  const placing = await server.test.owner.connect()
  await placing.query('begin')
  await placing.query(`update bank_line set bank_date = bank_date - 1 where id = $1`, [id])
  const mended = mend()
  await expect
    .poll(() =>
      rows(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%for share of l%'`),
    )
    .toHaveLength(1)
  await placing.query('commit')
  placing.release()
  await mended
  // Nobody but this test gives a line that is in the books another day.
  expect([await keys(), await violated()]).toEqual([
    [{ status: 'SUSPENSE' }],
    ['inv_i36_bank_days_are_of_lines'],
  ])
  await rows('update bank_line set bank_date = bank_date + 1 where id = $1', id)
  expect(await violated()).toEqual([])
})
