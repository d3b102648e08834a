/** Asking for the firm of a demo that stands without it, from the sandbox. Loopback only, and absent when the demo is off. */
import type { FastifyInstance } from 'fastify'
import type { Connection } from '../../platform/database/database.ts'
import { requireLoopback } from '../../platform/http/loopback.ts'
import { refreshShift, type DemoClock } from '../clock.ts'
import { beginFirm, readProgress } from './grow-firm.ts'

/** What the start says of a firm that a demo does not have. */
export async function howToGetFirm(db: Connection): Promise<string[]> {
  if (await readProgress(db)) return []
  return ['A full firm    Make the firm on the sandbox page, or DEMO_FIRM=on at the first start']
}

/** Answers how far it is, as the demo's clock does. Asked again it changes nothing: a demo has one firm. */
export function serveDemoFirm(app: FastifyInstance, demo: DemoClock): void {
  app.post('/api/demo/firm', async (request) => {
    requireLoopback(request)
    const { db, clock } = demo.context
    // Its past ends on the demo's day, which may have been moved.
    await refreshShift(demo)
    await beginFirm(db, clock.today(demo.timeZone))
    return readProgress(db)
  })
}
