/** The pictures of the brand, as the provider's own managers send and take them away. */
import type { BodyOf } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { removePicture, sendPicture } from '@kvitt/domain/instances/instance-provider.contract.ts'
import type { Context } from '../context.ts'
import { lockOwnProvider, readOwnProvider } from '../instances/own-provider.ts'
import {
  cleanPicture,
  keepPicture,
  keepProvider,
  PICTURE_COLUMNS,
  PictureRefused,
  type CleanPicture,
  type Picture,
} from '../instances/provider-settings.ts'
import { newId } from '../platform/identity.ts'
import { takeTry } from '../sign-in/sign-in.ts'
import { actorOf, type OperatorMember } from '../staff/staff.ts'
import { presentProvider } from './provider-desk.ts'

type Wish = { readonly context: Context; readonly principal: OperatorMember }
type Change = { readonly picture: Picture; readonly version: number; readonly clean: CleanPicture | null }

/** In a day, of one provider. */
const MOST_PICTURES = 50
const DAY_MS = 86_400_000

/** Refuses `picture_refused` with what is wrong, and `changed_meanwhile`: then nothing has changed. */
export async function sendOwnPicture(wish: Wish, { file, picture, version }: BodyOf<typeof sendPicture>) {
  const bytes = await file.read()
  const budgets = [{ name: 'brand', limit: MOST_PICTURES }]
  const { context, principal } = wish
  if (!(await takeTry(context, principal.instance, { scope: 'picture', budgets, windowMs: DAY_MS })))
    throw new Refusal('picture_refused', { why: 'often' }, ['file'])
  // Decoded before the transaction: it takes as long as it takes, and nobody waits for it.
  const clean = await cleanPicture(picture, bytes).catch((error: unknown) => {
    if (!(error instanceof PictureRefused)) throw error
    throw new Refusal('picture_refused', { why: error.fault }, ['file'])
  })
  const provider = await changePicture(wish, { picture, version: Number(version), clean })
  return { provider, removed: clean.removed }
}

export function removeOwnPicture(wish: Wish, { picture, version }: BodyOf<typeof removePicture>) {
  return changePicture(wish, { picture, version, clean: null })
}

function changePicture({ context, principal }: Wish, { picture, version, clean }: Change) {
  const { id } = principal.instance
  return context.db.transaction(async (tx) => {
    const before = await lockOwnProvider(tx, id)
    if (!before) throw new Refusal('not_found')
    if (before.version !== version) throw new Refusal('changed_meanwhile', {}, ['version'])
    const column = PICTURE_COLUMNS[picture]
    const name = clean && (await keepPicture(tx, id, { picture, clean, id: newId(context.clock.now()) }))
    if (before.row[column] === name) return presentProvider({ id, ...before })
    const after = { ...before.row, [column]: name }
    await keepProvider(tx, { before: before.row, after, by: actorOf(principal) })
    const changed = await readOwnProvider(tx, id)
    if (!changed) throw new Error('a provider that was changed is not there')
    return presentProvider({ id, ...changed })
  })
}
