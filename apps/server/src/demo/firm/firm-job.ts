/** The firm of a demo as the product's work behind its start: one process makes it, and all leave alone meanwhile what would disturb it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Jobs } from '../../platform/jobs.ts'
import type { AskProduct } from './desk.ts'
import { growFirm, isGrowing } from './grow-firm.ts'

export type FirmJob = {
  /** Is the firm being made? What works as of today waits meanwhile: it would do the firm's past today. */
  readonly isUnderWay: () => Promise<boolean>
  readonly untilMade: () => Promise<void>
  /** Makes it beside all else. `folder` holds cast.json. */
  readonly begin: (parts: {
    readonly app: FastifyInstance
    readonly jobs: Jobs
    readonly folder: string
  }) => void
  /** The step that is under way is the last. */
  readonly stop: () => void
}

const LOOK_MS = 250

/** Without the demo and its firm nothing is ever under way. */
export function openFirmJob(context: Context, { isDemo }: { readonly isDemo: boolean }): FirmJob {
  let isOver = !isDemo || !context.config.demoFirm
  const state = { isStopped: false }
  const isUnderWay = async (): Promise<boolean> => {
    // It is begun before anything else is, and made once.
    if (!isOver) isOver = !(await isGrowing(context.db))
    return !isOver
  }
  return {
    isUnderWay,
    async untilMade() {
      while (!state.isStopped && (await isUnderWay())) await sleep(LOOK_MS)
    },
    begin: ({ app, jobs, folder }) =>
      jobs.beside(
        () => growFirm({ context, options: { folder, ask: askOf(app) }, isStopped: () => state.isStopped }),
        (error) => context.log.error({ err: error }, 'demo firm not made'),
      ),
    stop: () => {
      state.isStopped = true
    },
  }
}

/** Calls as from this machine, without a network between. */
export function askOf(app: FastifyInstance): AskProduct {
  return async (method, url, { headers, payload }) => {
    const answer = await app.inject({
      method: method as 'GET' | 'POST' | 'PUT',
      url,
      headers: { ...headers },
      ...(payload === undefined ? {} : { payload }),
    })
    return { status: answer.statusCode, text: answer.body }
  }
}
