/** What an operator looks at first: what of it is done beside the calls. */
import type { Context } from '../context.ts'
import { foldMoves } from './dashboard.queries.ts'

/** So many moves in one transaction: what has piled up is worked off in steps. */
const BATCH = 50_000

/** Puts what has moved since into the figures that are read; they say the same before and after. One process at a time does it. */
export async function foldFigures({ db }: Pick<Context, 'db'>): Promise<void> {
  while ((await foldMoves(db, BATCH)) === BATCH);
}
