/** The firm of a demo as the product's work behind its start: one process makes it, and all leave alone meanwhile what would disturb it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Jobs } from '../../platform/jobs.ts'
import type { AskProduct } from './desk.ts'
import { growFirm, readProgress, type FirmOptions } from './grow-firm.ts'

export type FirmJob = {
  /** Is the firm being made? What works as of today waits meanwhile: it would do the firm's past today. */
  readonly isUnderWay: () => Promise<boolean>
  readonly untilMade: () => Promise<void>
  /**
   * Does `work` between two steps of the firm, after which nothing of its past waits to be done. Where another process makes it,
   * nothing tells when that is: `work` is left out until the firm is made.
   */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>
  /** Makes it beside all else, now or when somebody asks for it. */
  readonly begin: (
    parts: { readonly app: FastifyInstance; readonly jobs: Jobs } & Omit<FirmOptions, 'ask'>,
  ) => void
  /** The step that is under way is the last. */
  readonly stop: () => void
}

const LOOK_MS = 250
/** How soon the firm begins that somebody asks for. */
const BEGIN_MS = 1_000

/** Without the demo nothing is ever under way. */
export function openFirmJob(context: Context, { isDemo }: { readonly isDemo: boolean }): FirmJob {
  const state = { isOver: !isDemo, isMaker: false, isStopped: false }
  let last: Promise<unknown> = Promise.resolve()
  const takeTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
  const isUnderWay = async (): Promise<boolean> => {
    if (state.isOver) return false
    const firm = await readProgress(context.db)
    // It is made once.
    state.isOver = firm?.isMade ?? false
    return firm !== undefined && !state.isOver
  }
  return {
    isUnderWay,
    async untilMade() {
      while (!state.isStopped && (await isUnderWay())) await sleep(LOOK_MS)
    },
    async inTurn(work) {
      if (state.isMaker) await takeTurn(work)
      else if (!(await isUnderWay())) await work()
    },
    begin({ app, jobs, ...given }) {
      state.isMaker = true
      const options = { ...given, ask: askOf(app) }
      const isStopped = (): boolean => state.isStopped
      jobs.every('make the demo firm', BEGIN_MS, async () => {
        if (await isUnderWay()) await growFirm({ context, options, isStopped, takeTurn })
      })
    },
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
