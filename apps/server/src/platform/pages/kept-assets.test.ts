import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../testing/test-database.ts'
import type { Database } from '../database/database.ts'
import { openLog } from '../log.ts'
import { forgetOldReleases, openKeptAssets, type KeptAssets } from './kept-assets.ts'
import { servePortals, type Portal } from './portals.ts'

const { db, owner } = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'kvitt-kept-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(async () => void (await owner.query('truncate portal_release, portal_asset, portal_release_file')))

type Files = Readonly<Record<string, string>>

/** What a build leaves: a packed twin for text. */
function build(release: string, files: Files): string {
  const built = join(folder, release)
  rmSync(built, { recursive: true, force: true })
  mkdirSync(join(built, 'assets'), { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(built, 'assets', name), text)
    if (/\.(js|css)$/.test(name)) writeFileSync(join(built, 'assets', `${name}.br`), brotliCompressSync(text))
  }
  return built
}

const keep = (built: string, reads: Database = db): Promise<KeptAssets> =>
  openKeptAssets({ db: reads, work: db, log: openLog('silent'), version: '1.2.3', folders: [built] })

async function start(release: string, files: Files, reads: Database = db): Promise<FastifyInstance> {
  const built = build(release, files)
  const kept = await keep(built, reads)
  const app = Fastify()
  app.decorateRequest('tenant', undefined)
  app.addHook('onRequest', async (request) => {
    request.tenant = { id: '1', language: 'sv', mode: 'test' }
  })
  const portal: Portal = { name: 'debtor', folder: built, answer: () => undefined }
  const staff: Portal = { ...portal, name: 'client' }
  servePortals(app, [portal, staff], () => undefined, kept)
  return app
}

const get = (app: FastifyInstance, name: string, encoding = 'gzip, br') =>
  app.inject({ url: `/assets/${name}`, headers: { 'accept-encoding': encoding } })

const OLD = { 'index-OLDOLDOL.js': 'old()', 'late-AAAAAAAA.js': 'late()', 'a-BBBBBBBB.woff2': 'font' }
const NEW = { 'index-NEWNEWNE.js': 'new()', 'late-AAAAAAAA.js': 'late()' }

test('T-RELEASES: a process of either release serves what the other was built to, packed as it was', async () => {
  const [older, newer] = [await start('old', OLD), await start('new', NEW)]
  for (const [app, name, text] of [
    [older, 'index-NEWNEWNE.js', 'new()'],
    [newer, 'index-OLDOLDOL.js', 'old()'],
  ] as const) {
    const answer = await get(app, name)
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, 'br'])
    expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(text)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
    const plain = await get(app, name, 'identity')
    expect([plain.payload, plain.headers['content-encoding']]).toEqual([text, undefined])
  }
  const font = await get(newer, 'a-BBBBBBBB.woff2')
  expect([font.payload, font.headers['content-type']]).toEqual(['font', 'font/woff2'])
  const { rows } = await owner.query('select count(*)::int as n from portal_asset')
  expect(rows, 'what both have is kept once').toEqual([{ n: 4 }])
})

test('a process knows a release that came after it had asked for the names', async () => {
  const older = await start('old', OLD)
  expect((await get(older, 'index-NEWNEWNE.js')).statusCode).toBe(404)
  await start('new', NEW)
  expect((await get(older, 'index-NEWNEWNE.js')).statusCode).toBe(200)
})

test('its own files never come from the database, and strangers cannot make it ask for each name', async () => {
  const asked: string[] = []
  const counting: Database = {
    ...db,
    rows: (sql, values) => {
      asked.push(sql.name)
      return db.rows(sql, values)
    },
  }
  const app = await start('old', OLD, counting)
  for (const name of Object.keys(OLD)) expect((await get(app, name)).statusCode).toBe(200)
  expect((await get(app, 'index.js')).statusCode).toBe(404)
  expect((await get(app, `${'a'.repeat(300)}-AAAAAAAA.js`)).statusCode).toBe(404)
  expect((await get(app, '..%2findex-NEWNEWNE.html')).statusCode).toBe(404)
  expect(asked).toEqual([])
  const guesses = Array.from({ length: 200 }, (_, n) => get(app, `index-${String(n).padStart(8, 'x')}.js`))
  expect((await Promise.all(guesses)).map(({ statusCode }) => statusCode)).toEqual(Array(200).fill(404))
  expect(asked.length).toBeLessThanOrEqual(2)
  await start('new', NEW)
  asked.length = 0
  const many = await Promise.all(Array.from({ length: 50 }, () => get(app, 'index-NEWNEWNE.js')))
  expect(new Set(many.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  await get(app, 'index-NEWNEWNE.js')
  expect(asked).toEqual(['portal-assets.names', 'portal-assets.content'])
})

test('what is not what its hash says is not served', async () => {
  await start('new', NEW)
  await owner.query(`update portal_asset set packing = 'none', content = 'stolen()' where hash = (
    select hash from portal_release_file where name = 'index-NEWNEWNE.js')`)
  const older = await start('old', OLD)
  expect((await get(older, 'index-NEWNEWNE.js')).statusCode).toBe(404)
  await owner.query(`update portal_asset set packing = 'br', content = 'no brotli'`)
  expect((await get(older, 'index-NEWNEWNE.js')).statusCode).toBe(404)
})

test('a release is kept for a day after its last process, then goes with what only it had; one that is served again is kept again', async () => {
  const kept = await keep(build('old', OLD))
  await keep(build('new', NEW))
  const names = async (): Promise<string[]> =>
    (await owner.query('select distinct name from portal_release_file order by 1')).rows.map(
      ({ name }) => name,
    )
  const age = (hours: number) =>
    owner.query(
      `update portal_release set seen_at = now() - make_interval(hours => $1) where id in (
      select release_id from portal_release_file where name = 'index-OLDOLDOL.js')`,
      [hours],
    )
  await age(24)
  await forgetOldReleases(db)
  expect(await names()).toHaveLength(4)
  await age(26)
  await forgetOldReleases(db)
  expect(await names()).toEqual(['index-NEWNEWNE.js', 'late-AAAAAAAA.js'])
  expect((await owner.query('select count(*)::int as n from portal_asset')).rows).toEqual([{ n: 2 }])
  await kept.see()
  expect(await names()).toHaveLength(4)
  await age(26)
  await kept.see()
  await forgetOldReleases(db)
  expect(await names(), 'whoever serves it says so').toHaveLength(4)
})

test('processes that start at once while old releases are forgotten all keep what they have', async () => {
  const built = [build('old', OLD), build('new', NEW)]
  for (let round = 0; round < 5; round++) {
    await owner.query(`update portal_release set seen_at = '-infinity'`)
    const starting = built.flatMap((one) => [keep(one), keep(one)])
    await Promise.all([...starting, forgetOldReleases(db), forgetOldReleases(db)])
    for (const kept of await Promise.all(starting)) await kept.see()
    expect((await owner.query('select count(*)::int as n from portal_release_file')).rows).toEqual([{ n: 5 }])
  }
})
