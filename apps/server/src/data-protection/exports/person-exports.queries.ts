/** The SQL of copies of what is held about a person. Each question starts from who has asked for the copy. */
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { listPersonExports } from '@kvitt/domain/data-protection/person-export.contract.ts'
import { statement, type Connection, type Transaction } from '../../platform/database/database.ts'
import { instantText } from '../../platform/database/sql-json.ts'

export type ListedExport = AnswerOf<typeof listPersonExports>['exports'][number]

export type ExportRow = {
  readonly instanceId: string
  readonly id: string
  readonly debtorId: string
  readonly personId: string
  readonly membershipId: string
  readonly format: ListedExport['format']
  readonly language: string
  readonly reason: string
}

const insert = statement(
  'personExports.insert',
  `insert into person_export (instance_id, id, debtor_id, person_id, membership_id, format, language, reason, asked_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (instance_id, debtor_id, person_id, format, language, reason) where status = 'WAITING' do nothing`,
)
const waiting = statement(
  'personExports.waiting',
  `select id from person_export where instance_id = $1 and debtor_id = $2 and person_id = $3 and format = $4 and language = $5
     and reason = $6 and status = 'WAITING'`,
)

/** Answers the copy that waits: this one, or the same that was asked for before. */
export async function insertExportRow(tx: Transaction, row: ExportRow, at: string): Promise<string> {
  const { instanceId, id, debtorId, personId, membershipId, format, language, reason } = row
  const values = [instanceId, id, debtorId, personId, membershipId, format, language, reason, at]
  await tx.rows(insert, values)
  const of = [instanceId, debtorId, personId, format, language, reason]
  // Made between the two, it is asked for anew.
  return (await tx.rows<{ id: string }>(waiting, of))[0]?.id ?? insertExportRow(tx, row, at)
}

const SHOWN = `select id, format, status, ${instantText('asked_at')} as "askedAt",
     case when status = 'READY' then ${instantText('until')} end as until
   from person_export where instance_id = $1 and debtor_id = $2 and person_id = $3`

const listed = statement('personExports.listed', `${SHOWN} order by asked_at desc, id desc limit 20`)
const read = statement('personExports.read', `${SHOWN} and id = $4`)

/** One of the copies that a person has asked for, however old. */
export async function readExport(
  db: Connection,
  { instanceId, debtorId, personId, id }: Pick<ExportRow, 'instanceId' | 'debtorId' | 'personId' | 'id'>,
): Promise<ListedExport | undefined> {
  return (await db.rows<ListedExport>(read, [instanceId, debtorId, personId, id]))[0]
}

/** The newest copies that a person has asked for. */
export function readExports(
  db: Connection,
  { instanceId, debtorId, personId }: Pick<ExportRow, 'instanceId' | 'debtorId' | 'personId'>,
): Promise<ListedExport[]> {
  return db.rows<ListedExport>(listed, [instanceId, debtorId, personId])
}

const file = statement(
  'personExports.file',
  `select id, format, content, reason, debtor_ids as "debtorIds" from person_export
   where instance_id = $1 and id = $2 and person_id = $3 and status = 'READY' and until > $4 for share`,
)

export type ExportFile = {
  readonly id: string
  readonly format: ListedExport['format']
  readonly content: Buffer
  readonly reason: string
  readonly debtorIds: readonly string[]
}

/** The file of a copy that the person has asked for and that is kept at the moment. Whoever is erasing is waited for, and waits. */
export async function lockExportFile(
  tx: Transaction,
  { instanceId, id, personId }: Pick<ExportRow, 'instanceId' | 'id' | 'personId'>,
  at: string,
): Promise<ExportFile | undefined> {
  return (await tx.rows<ExportFile>(file, [instanceId, id, personId, at]))[0]
}

const due = statement(
  'personExports.due',
  `select distinct instance_id as "instanceId" from person_export where status = 'WAITING' and next_at <= $1`,
)

/** The providers for whom a copy waits to be made. */
export async function readProvidersToMakeFor(db: Connection, at: string): Promise<string[]> {
  return (await db.rows<{ instanceId: string }>(due, [at])).map(({ instanceId }) => instanceId)
}

/** A copy that is being made. */
export type BegunExport = ExportRow & { readonly tries: number }

const begin = statement(
  'personExports.begin',
  `update person_export set tries = tries + 1 where instance_id = $1 and status = 'WAITING' and tries < $2
     and id = (select id from person_export where instance_id = $1 and status = 'WAITING' and tries < $2 and next_at <= $3
       order by asked_at, id limit 1)
   returning instance_id as "instanceId", id, debtor_id as "debtorId", person_id as "personId", membership_id as "membershipId", format,
     language, reason, tries`,
)

/** The next copy to make, counted as tried. */
export async function beginExportRow(
  db: Connection,
  instanceId: string,
  { mostTries, at }: { readonly mostTries: number; readonly at: string },
): Promise<BegunExport | undefined> {
  return (await db.rows<BegunExport>(begin, [instanceId, mostTries, at]))[0]
}

const giveUp = statement(
  'personExports.giveUp',
  `update person_export set status = 'FAILED', ended_at = $3 where instance_id = $1 and status = 'WAITING' and tries >= $2`,
)
const postpone = statement(
  'personExports.postpone',
  `update person_export set next_at = $3 where instance_id = $1 and id = $2 and status = 'WAITING'`,
)
const fail = statement(
  'personExports.fail',
  `update person_export set status = 'FAILED', ended_at = $3 where instance_id = $1 and id = $2 and status = 'WAITING'`,
)

type Key = Pick<ExportRow, 'instanceId' | 'id'>

/** It is not tried again before. */
export async function postponeExportRow(db: Connection, { instanceId, id }: Key, at: string): Promise<void> {
  await db.rows(postpone, [instanceId, id, at])
}

/** It is not tried again. */
export async function failExportRow(db: Connection, { instanceId, id }: Key, at: string): Promise<void> {
  await db.rows(fail, [instanceId, id, at])
}

export async function giveUpExportRows(
  db: Connection,
  instanceId: string,
  { mostTries, at }: { readonly mostTries: number; readonly at: string },
): Promise<void> {
  await db.rows(giveUp, [instanceId, mostTries, at])
}

const hold = statement(
  'personExports.holdPersons',
  'select id from debtor where instance_id = $1 and id = any ($2) order by id for share',
)

/** Whoever erases one of them waits, and is waited for: had before the row of a copy, as where one is erased. */
export async function holdPersons(
  tx: Transaction,
  instanceId: string,
  debtorIds: readonly string[],
): Promise<void> {
  await tx.rows(hold, [instanceId, debtorIds])
}

const enter = statement(
  'personExports.enter',
  `update person_export set debtor_ids = $3 where instance_id = $1 and id = $2 and status = 'WAITING' returning id`,
)

/** Whose data are about to be read: from now on, the copy goes with each of them. False when it does not wait any more. */
export async function enterPersons(
  tx: Transaction,
  { instanceId, id }: Key,
  debtorIds: readonly string[],
): Promise<boolean> {
  return (await tx.rows(enter, [instanceId, id, debtorIds])).length > 0
}

const finish = statement(
  'personExports.finish',
  `update person_export set status = 'READY', content = $3, ended_at = $4, until = $5
   where instance_id = $1 and id = $2 and status = 'WAITING' returning id`,
)

export type MadeExport = {
  readonly content: Buffer
  readonly at: string
  readonly until: string
}

/** False when it does not wait any more: another has made it, or the person was erased. */
export async function finishExportRow(
  tx: Transaction,
  { instanceId, id }: Key,
  { content, at, until }: MadeExport,
): Promise<boolean> {
  return (await tx.rows(finish, [instanceId, id, content, at, until])).length > 0
}

const expire = statement(
  'personExports.expire',
  `update person_export set status = 'GONE', content = null where status = 'READY' and until <= $1`,
)
const forget = statement('personExports.forget', 'delete from person_export where asked_at < $1')

/** What is kept no longer goes, and its row says so. */
export async function expireExportRows(db: Connection, at: string): Promise<void> {
  await db.rows(expire, [at])
}

export async function forgetExportRows(db: Connection, before: string): Promise<void> {
  await db.rows(forget, [before])
}
