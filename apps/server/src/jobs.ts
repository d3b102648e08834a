/** What the product does by itself: the jobs of every process (platform/jobs.ts). */
import { forgetIssuerTries } from './issuers/issuers.ts'
import { doBulks, doDueActs, forgetOldActs, forgetOldBulks } from './acts/acts.ts'
import { ACTS } from './api.ts'
import { forgetOldAnswers } from './articles/articles.ts'
import { anchorAudit, forgetOldEvents } from './audit/audit.ts'
import { openBankFolder, placeLeftLines } from './bank-files/bank-files.ts'
import { performRunAgain } from './collection/collection.ts'
import type { Context } from './context.ts'
import { keepErased } from './data-protection/erased-file.ts'
import { forgetExports, makeExports } from './data-protection/exports/person-exports.ts'
import { eraseApproved, findRetention } from './data-protection/retention.ts'
import { foldFigures } from './dashboard/dashboard.ts'
import { endOverRepresentatives } from './representatives/representatives.ts'
import { endLapsedPlans } from './conversations/plan-answers.ts'
import type { Credentials } from './credentials/credentials.ts'
import { forgetOldOrders } from './electronic-id/electronic-id.ts'
import { workImports } from './imports/imports.ts'
import type { Instance, Instances } from './instances/instances.ts'
import { beginToShow } from './payee-accounts/payee-accounts.ts'
import { putTakenAway } from './mail/mail.ts'
import type { Jobs } from './platform/jobs.ts'
import { forgetOldCallbacks } from './payments/payments.ts'
import { forgetLines } from './platform/store/line-journal.ts'
import { openStore } from './platform/store/open-store.ts'
import { forgetOldReleases, SEE_MS, type KeptAssets } from './platform/pages/kept-assets.ts'
import { sweepRefunds } from './refunds/refunds.ts'
import { doAskedRuns } from './runs/runs.ts'
import { makeDueSettlements, makeSettlementsOf } from './settlements/settlements.ts'
import { forgetEndedSessions } from './sign-in/sessions.ts'
import { forgetExpiredGuesses } from './sign-in/sign-in.ts'
import { forgetBegunFactors } from './second-factor/second-factor.ts'
import { forgetIdleSessions, forgetOldKeys } from './staff/staff.ts'
import { forgetOldSignIns } from './staff-sign-in/staff-sign-in.ts'
import { forgetOldWebhookEvents, type openWebhookSender } from './webhooks/webhooks.ts'

/** How soon after midnight, at the latest, a daily run begins; asking whether one is due costs a read. */
const DAILY_RUN_MS = 20_000
const MAIL_MS = 5_000
/** How soon what somebody approves to be sent today is sent. */
const SEND_APPROVED_MS = 2_000
/** How soon an import goes on that a process has left undone; what is sent is read at once. */
const IMPORTS_MS = 2_000
/** Two looks at a file of a bank that somebody puts into the folder: it has grown, or is whole. */
const FOLDER_MS = 5_000
/** How soon lines of a bank's file are placed that their own call has not come to. */
const LINES_MS = 60_000
/** How soon after midnight a period that has ended is settled, at most. */
const SETTLEMENTS_MS = 60_000
/** How soon after midnight a creditor's proposal of a plan ends that its debtor has not answered, and who acts for a debtor does no more. */
const LAPSED_MS = 60_000
/** How long what the dashboard's figures moved by lies beside them; it is read with them. */
const FIGURES_MS = 10_000
/** How soon debtors are shown an account when its day of waiting is over. */
const PAYEES_MS = 5_000
/** How soon a run begins that somebody asks for. */
const ASKED_RUNS_MS = 1_000
/** How soon an act is done when the time to take it back is over. */
const ACTS_MS = 500
/** How soon an act for many rows begins that is not done before its answer. */
const BULKS_MS = 500
/** How soon an event is sent to a webhook. */
const EVENTS_MS = 1_000
/** How soon after midnight (UTC) the day's anchors are written; asking whether they are costs a look at a folder. */
const ANCHOR_MS = 10 * 60 * 1000
/** How long another process's change to a provider's credentials may stay unseen, at most. */
const CREDENTIALS_MS = 2_000
const FORGET_MS = 60 * 60 * 1000
/** How often is looked for what is over its time: nothing of it is over by the hour. */
const RETENTION_MS = 24 * FORGET_MS
/** How soon a copy of somebody's data begins to be made, and one whose time is over goes. */
const EXPORTS_MS = 1_000
/** How soon what a person has approved to go begins to go. */
const ERASE_MS = 2_000

type Work = {
  readonly work: Context
  readonly instances: Instances
  readonly performRuns: (waitMs: number) => Promise<void>
  readonly sendNow: () => Promise<void>
  readonly sendMail: () => Promise<void>
  readonly sweepMoney: () => Promise<void>
  readonly events: ReturnType<typeof openWebhookSender>
  readonly sweepMs: number
  /** Does what works as of today rest, because the demo's past is still being lived through? */
  readonly isHeld: () => Promise<boolean>
}

/** What the product does by itself. */
export function beginJobs(jobs: Jobs, { work, instances, ...does }: Work): void {
  const unlessHeld = (job: () => Promise<void>) => async (): Promise<void> => {
    if (!(await does.isHeld())) await job()
  }
  jobs.every('sweep payments', does.sweepMs, does.sweepMoney)
  jobs.every('sweep refunds', does.sweepMs, () => sweepRefunds(work, { all: false }))
  jobs.every(
    'run due nights',
    DAILY_RUN_MS,
    unlessHeld(() => does.performRuns(0)),
  )
  jobs.every('send approved invoices', SEND_APPROVED_MS, does.sendNow)
  jobs.every('do acts that waited', ACTS_MS, async () =>
    doDueActs({ context: work, acts: ACTS, instances: await instances.all() }),
  )
  jobs.every('go on with acts for many', BULKS_MS, async () =>
    doBulks({ context: work, acts: ACTS, instances: await instances.all() }),
  )
  jobs.every('send messages', MAIL_MS, does.sendMail)
  jobs.every('send events to webhooks', EVENTS_MS, () => does.events.begin(jobs.beside))
  jobs.every('go on with imports', IMPORTS_MS, async () => workImports(work, await instances.all()))
  const folder = openBankFolder()
  jobs.every('take in files of banks', FOLDER_MS, async () => folder.look(work, await instances.all()))
  jobs.every('place bank lines', LINES_MS, async () => placeLeftLines(work, await instances.all()))
  jobs.every('show accounts that have waited', PAYEES_MS, async () =>
    beginToShow(work, await instances.all()),
  )
  const runs = {
    DAILY_RUN: (instance: Instance) => performRunAgain(work, instance),
    SETTLEMENTS: (instance: Instance) => makeSettlementsOf(work, instance),
  }
  jobs.every(
    'do asked runs',
    ASKED_RUNS_MS,
    unlessHeld(async () => doAskedRuns(work, await instances.all(), runs)),
  )
  jobs.every('end plans nobody answered', LAPSED_MS, async () => endLapsedPlans(work, await instances.all()))
  jobs.every('end who represents no more', LAPSED_MS, async () =>
    endOverRepresentatives(work, await instances.all()),
  )
  jobs.every('fold kept figures', FIGURES_MS, () => foldFigures(work))
  jobs.every('find what is over its time', RETENTION_MS, async () =>
    findRetention(work, await instances.all()),
  )
  jobs.every('make copies of personal data', EXPORTS_MS, async () => makeExports(work, await instances.all()))
  jobs.every('erase what is approved', ERASE_MS, () => eraseApproved(work))
  jobs.every('write down what is erased', ANCHOR_MS, () => keepErased(work))
  jobs.every(
    'make settlements',
    SETTLEMENTS_MS,
    unlessHeld(async () => makeDueSettlements(work, await instances.all())),
  )
}

/** What another process changed is read. Of every process, whatever its role. */
export function keepUp(jobs: Jobs, credentials: Credentials, kept: KeptAssets | undefined): void {
  jobs.every('read credentials', CREDENTIALS_MS, () => credentials.refresh())
  if (kept) jobs.every('say which release is served', SEE_MS, () => kept.see())
}

/** What nobody needs any more goes, and the day's anchors are written. */
export function keepHouse(jobs: Jobs, work: Context): void {
  jobs.every('forget old guesses', FORGET_MS, () =>
    forgetExpiredGuesses(work.db, new Date(work.clock.now()).toISOString()),
  )
  jobs.every('forget ended sessions', FORGET_MS, () => forgetEndedSessions(work))
  jobs.every('forget old sign-ins of staff', FORGET_MS, () => forgetOldSignIns(work))
  jobs.every('forget browsers that were sent to an issuer', FORGET_MS, () => forgetIssuerTries(work))
  jobs.every('forget second factors that were not confirmed', FORGET_MS, () => forgetBegunFactors(work))
  jobs.every('forget idle sessions of staff', FORGET_MS, () => forgetIdleSessions(work))
  jobs.every('forget old keys of calls', FORGET_MS, () => forgetOldKeys(work))
  jobs.every('forget old acts', FORGET_MS, () => forgetOldActs(work))
  jobs.every('forget old acts for many', FORGET_MS, () => forgetOldBulks(work))
  jobs.every('forget old orders', FORGET_MS, () => forgetOldOrders(work))
  jobs.every('forget callbacks that nobody knows', FORGET_MS, () => forgetOldCallbacks(work))
  jobs.every('forget old lines of the journal', FORGET_MS, () =>
    forgetLines(openStore(work.config.stores.journal), work.clock),
  )
  jobs.every('put printed letters away', ANCHOR_MS, () =>
    putTakenAway(work.config.stores.letters, work.clock.now()),
  )
  jobs.every('forget releases that are gone', FORGET_MS, () => forgetOldReleases(work.db))
  jobs.every('anchor the audit log', ANCHOR_MS, () => anchorAudit(work))
  jobs.every('forget old events of webhooks', FORGET_MS, () => forgetOldWebhookEvents(work))
  jobs.every('forget old answers', FORGET_MS, () => forgetOldAnswers(work))
  jobs.every('forget copies of personal data', FORGET_MS, () => forgetExports(work))
  jobs.every('forget old audit events', FORGET_MS, () => forgetOldEvents(work))
}
