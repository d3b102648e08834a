/** `npm run court -- --by NAME --reason TEXT (--claim N ... | --creditor ID ...)`: what persons decide about the court step. */
import { parseDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { COURT_DECISIONS, isCourtDecision } from '@kvitt/domain/court/court.ts'
import { isCurrency, parseAmount } from '@kvitt/domain/money.ts'
import { readOptions } from './command-options.ts'
import {
  applyToCourt,
  CourtRefused,
  endInstruction,
  findClaim,
  keepInstruction,
  recordApplication,
  recordDecision,
  recordNoApplication,
  type By,
} from '../src/court/court.ts'
import { CreditorUnknown } from '../src/creditors/creditors.ts'
import type { Instance } from '../src/instances/instances.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { findProvider, runCommand, type CommandContext } from './run-command.ts'

const USAGE = 'Usage: npm run court -- --by NAME --reason TEXT (--claim N | --creditor ID) ..., see --help'
const HELP = `${USAGE}

Nothing that costs or names an authority happens by schedule: it is done by a person, and recorded here. The same command again
tells the same and changes nothing.

  --reason TEXT               why

  --claim N                   the claim with this number, reference or id, and one of:
    --apply                   the creditor wants it taken to the authority: makes the task court_to_file
    --record-application DATE --authority A --case-number C
                              it was applied for on that day: the claim costs what that costs, once for the case number
    --record-decision KIND --on DATE --case-number C
                              OBJECTION (the claim is disputed), ORDER, NO_ASSETS (the claim is watched), REJECTED or
                              WITHDRAWN (what the application cost is taken back)
    --not-applied             nobody applied for what was charged by schedule in earlier versions: it is taken back

  --creditor ID               the creditor with this company number, name or id, and one of:
    --instruct --from DATE --to DATE --person NAME --largest-claim AMOUNT --currency C
                              a standing instruction: whose schedule ends in that time makes the task court_to_file at once
    --end-instruction --currency C
  --help                      this text

Exit status: 0, or 2 when nothing was done.
`

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const OPTIONS = {
  reason: text,
  claim: text,
  apply: flag,
  'record-application': text,
  authority: text,
  'case-number': text,
  'record-decision': text,
  on: text,
  'not-applied': flag,
  creditor: text,
  instruct: flag,
  from: text,
  to: text,
  person: text,
  'largest-claim': text,
  currency: text,
  'end-instruction': flag,
} as const

type Said = ReturnType<typeof readOptions<typeof OPTIONS>>['values']
type Deed = {
  readonly context: CommandContext
  readonly instance: Instance
  readonly today: CalendarDate
  readonly by: By
}
/** Does it and answers what to print. */
type Wish = (deed: Deed) => Promise<string>
type Wishes = { readonly by: By; readonly wish: Wish }

function need(values: Said, name: keyof Said): string {
  const value = values[name]
  if (typeof value !== 'string' || value.trim() === '')
    throw new StartupError(`--${name} is missing. ${USAGE}`)
  return value.trim()
}

function needDate(values: Said, name: keyof Said): CalendarDate {
  const day = parseDate(need(values, name))
  if (!day) throw new StartupError(`--${name} is a day such as 2026-11-20. ${USAGE}`)
  return day
}

/** Says one of several acts. */
function oneOf(values: Said, acts: Readonly<Partial<Record<keyof Said, () => Wish>>>): Wish {
  const wanted = Object.entries(acts).filter(([name]) => values[name as keyof Said] !== undefined)
  const [first, ...others] = wanted
  if (!first || others.length > 0)
    throw new StartupError(
      `Name one of ${Object.keys(acts)
        .map((name) => `--${name}`)
        .join(', ')}. ${USAGE}`,
    )
  return first[1]()
}

function wishOfClaim(values: Said, claim: string): Wish {
  const withKey =
    (work: (deed: Deed, key: { instanceId: string; claimId: string }) => Promise<string>): Wish =>
    async (deed) => {
      const instanceId = deed.instance.id
      return work(deed, { instanceId, claimId: await findClaim(deed.context.db, instanceId, claim) })
    }
  return oneOf(values, {
    apply: () =>
      withKey(async ({ context, today, by }, key) => {
        await applyToCourt(context, key, { today, by })
        return `to be filed  claim ${claim}: see the task court_to_file`
      }),
    'record-application': () => {
      const on = needDate(values, 'record-application')
      const application = {
        on,
        authority: need(values, 'authority'),
        caseNumber: need(values, 'case-number'),
      }
      return withKey(async ({ context, today, by }, key) => {
        const row = await recordApplication(context, key, { application, today, by })
        return `recorded     claim ${claim}: applied for on ${row.applied_on} at ${row.authority}, ${row.case_number}`
      })
    },
    'record-decision': () => {
      const kind = need(values, 'record-decision').toUpperCase()
      if (!isCourtDecision(kind))
        throw new StartupError(`--record-decision is one of ${COURT_DECISIONS.join(', ')}. ${USAGE}`)
      const decided = { kind, on: needDate(values, 'on'), caseNumber: need(values, 'case-number') }
      return withKey(async ({ context, today, by }, key) => {
        const row = await recordDecision(context, key, { decided, today, by })
        return `recorded     claim ${claim}: ${kind} of ${decided.on} in ${row.case_number}`
      })
    },
    'not-applied': () =>
      withKey(async ({ context, today, by }, key) => {
        await recordNoApplication(context, key, { today, by })
        return `taken back   claim ${claim}: nobody had applied`
      }),
  })
}

function currencyOf(values: Said) {
  const currency = need(values, 'currency').toUpperCase()
  if (!isCurrency(currency)) throw new StartupError(`--currency is SEK, NOK, DKK or EUR. ${USAGE}`)
  return currency
}

function wishOfCreditor(values: Said, creditor: string): Wish {
  return oneOf(values, {
    instruct: () => {
      const [from, to, currency] = [needDate(values, 'from'), needDate(values, 'to'), currencyOf(values)]
      if (to < from) throw new StartupError(`--to is before --from. ${USAGE}`)
      const largest = parseAmount(need(values, 'largest-claim'), currency)
      if (!largest || largest.minor <= 0)
        throw new StartupError(`--largest-claim is an amount such as 20000.00. ${USAGE}`)
      const wanted = {
        creditor,
        from,
        to,
        person: need(values, 'person'),
        largestMinor: largest.minor,
        currency,
      }
      return async ({ context, instance, by }) => {
        await keepInstruction(context, instance.id, wanted, by)
        return `kept         creditor ${creditor}: ${from} to ${to}, up to ${need(values, 'largest-claim')} ${currency}`
      }
    },
    'end-instruction': () => {
      const currency = currencyOf(values)
      return async ({ context, instance, by }) => {
        const ended = await endInstruction(context, instance.id, { creditor, currency }, by)
        return ended
          ? `ended        creditor ${creditor}`
          : `nothing      creditor ${creditor} has none in ${currency}`
      }
    },
  })
}

function readArguments(args: readonly string[]): Wishes {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const by = { actor: need(values, 'by'), reason: need(values, 'reason') }
  const { claim, creditor } = values
  if ((claim === undefined) === (creditor === undefined))
    throw new StartupError(`Name a claim or a creditor. ${USAGE}`)
  const wish = claim === undefined ? wishOfCreditor(values, creditor ?? '') : wishOfClaim(values, claim)
  return { by, wish }
}

async function work(context: CommandContext, { by, wish }: Wishes): Promise<number> {
  const instance = await findProvider(context)
  try {
    const today = context.clock.today(instance.timeZone)
    process.stdout.write(`${await wish({ context, instance, today, by })}\n`)
    return 0
  } catch (error) {
    if (error instanceof CourtRefused) throw new StartupError(`${error.message} (${error.code})`)
    if (error instanceof CreditorUnknown) throw new StartupError(error.message)
    throw error
  }
}

await runCommand({ help: HELP, readArguments, work })
