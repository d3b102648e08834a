/** The files that portals of other releases were built to. */
import { statement, type Connection, type Transaction } from '../database/database.ts'

export type KeptFile = {
  readonly name: string
  readonly hash: string
  readonly packing: 'br' | 'none'
  readonly content: Buffer
}

const SEE = statement(
  'portal-assets.see',
  'update portal_release set seen_at = now() where id = $1 returning id',
)

/** Says that a release is served now; false when it is not kept. */
export async function seeRelease(db: Connection, id: string): Promise<boolean> {
  return (await db.rows(SEE, [id])).length > 0
}

/** Whoever writes and whoever forgets take turns: what one has just found another could take away. */
const TAKE_TURN = statement('portal-assets.take-turn', 'select pg_advisory_xact_lock(7214903)')
const ADD_RELEASE = statement(
  'portal-assets.add-release',
  'insert into portal_release (id, version) values ($1, $2) on conflict (id) do update set seen_at = now()',
)
const ADD_ASSETS = statement(
  'portal-assets.add-assets',
  `insert into portal_asset (hash, packing, content)
    select * from unnest($1::text[], $2::text[], $3::bytea[]) on conflict do nothing`,
)
const ADD_FILES = statement(
  'portal-assets.add-files',
  `insert into portal_release_file (release_id, name, hash)
    select $1, name, hash from unnest($2::text[], $3::text[]) as f (name, hash) on conflict do nothing`,
)

/** Keeps a release whole. Once more is harmless. */
export async function addRelease(
  tx: Transaction,
  release: { readonly id: string; readonly version: string },
  files: readonly KeptFile[],
): Promise<void> {
  await tx.rows(TAKE_TURN)
  tx.send(ADD_RELEASE, [release.id, release.version])
  tx.send(ADD_ASSETS, [
    files.map(({ hash }) => hash),
    files.map(({ packing }) => packing),
    files.map(({ content }) => content),
  ])
  tx.send(ADD_FILES, [release.id, files.map(({ name }) => name), files.map(({ hash }) => hash)])
}

const NAMES = statement(
  'portal-assets.names',
  `select f.name, f.hash from portal_release_file f join portal_release r on r.id = f.release_id order by r.seen_at`,
)

/** Every name that is kept with the hash of its content; where two releases share one, the release that was seen last wins. */
export async function readNames(db: Connection): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows<Pick<KeptFile, 'name' | 'hash'>>(NAMES)
  return new Map(rows.map(({ name, hash }) => [name, hash]))
}

const CONTENT = statement(
  'portal-assets.content',
  'select packing, content from portal_asset where hash = $1',
)

export async function readContent(
  db: Connection,
  hash: string,
): Promise<Pick<KeptFile, 'packing' | 'content'> | undefined> {
  return (await db.rows<Pick<KeptFile, 'packing' | 'content'>>(CONTENT, [hash]))[0]
}

const FORGET_RELEASES = statement(
  'portal-assets.forget-releases',
  'delete from portal_release where seen_at < now() - make_interval(hours => $1)',
)
const FORGET_ASSETS = statement(
  'portal-assets.forget-assets',
  'delete from portal_asset a where not exists (select from portal_release_file f where f.hash = a.hash)',
)

/** Forgets releases that nobody has served for `hours`, and what only they had. */
export async function forgetReleases(tx: Transaction, hours: number): Promise<void> {
  await tx.rows(TAKE_TURN)
  tx.send(FORGET_RELEASES, [hours])
  tx.send(FORGET_ASSETS)
}
