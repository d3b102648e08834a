/** `npm run decide-dispute -- [--provider ALIAS] [--dispute ID (--uphold | --uphold-part A | --reject) --answer TEXT --by NAME]` */
import {
  decideDispute,
  DecisionRefused,
  readOpenDisputes,
  type DisputeAnswer,
  type OpenDispute,
} from '../src/collection/collection.ts'
import { readId, readOptions } from './command-options.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { findProvider, reading, runCommand, type CommandContext } from './run-command.ts'

const USAGE =
  'Usage: npm run decide-dispute -- [--provider ALIAS] [--dispute ID (--uphold | --uphold-part A | --reject) --answer TEXT --by NAME]'
const HELP = `${USAGE}

Without options: lists the disputes that wait for an answer, oldest first. With them one is decided, once: the same command
again tells the same and changes nothing.

  --dispute ID      the dispute, as the list names it
  --uphold          the debtor was right: all is credited, fees and interest are taken back, what was paid is owed back
  --uphold-part A   so much is credited, VAT included, such as 250.00; fees and interest are taken back, and the rest is
                    due in fourteen days
  --reject          the debt stands: it goes on, in fourteen days at the earliest
  --answer TEXT     what the debtor is told
  --help            this text

Exit status: 0, or 2 when nothing was done.
`

const OPTIONS = {
  dispute: { type: 'string' },
  uphold: { type: 'boolean' },
  'uphold-part': { type: 'string' },
  reject: { type: 'boolean' },
  answer: { type: 'string' },
} as const

type Asked = Omit<DisputeAnswer, 'instanceId'>

function readArguments(args: readonly string[]): Asked | undefined {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  if (Object.keys(values).every((name) => name === 'provider')) return undefined
  const { dispute, uphold, 'uphold-part': amount, reject, answer, by } = values
  if (dispute === undefined) throw new StartupError(`No dispute was named. ${USAGE}`)
  const decisions: DisputeAnswer['decision'][] = [
    ...(uphold ? (['UPHOLD'] as const) : []),
    ...(amount === undefined ? [] : (['UPHOLD_PART'] as const)),
    ...(reject ? (['REJECT'] as const) : []),
  ]
  const [decision, ...others] = decisions
  if (!decision || others.length > 0) throw new StartupError(`Name one decision. ${USAGE}`)
  if (answer === undefined || by === undefined)
    throw new StartupError(`Say what the debtor is told, and who decides. ${USAGE}`)
  return { disputeId: readId(dispute, 'dispute', USAGE), decision, amount, answer, by }
}

function describe({ id, opened_on: openedOn, reason, instance_name: instance, about }: OpenDispute): string {
  // What a debtor wrote is shown in a terminal.
  const said = reason.replaceAll(/\p{C}+/gu, ' ').trim()
  return [openedOn, `dispute ${id}`, about, `of ${instance}`, said].join('  ')
}

/** Without a provider all of them are listed; decided is at the one that was named, or the default one. */
async function work(context: CommandContext, wish: Asked | undefined): Promise<number> {
  if (!wish) {
    const instanceId = context.provider === undefined ? null : (await findProvider(context)).id
    const open = await reading(context.db, (tx) => readOpenDisputes(tx, instanceId))
    process.stdout.write(`${[...open.map(describe), `${open.length} to answer`].join('\n')}\n`)
    return 0
  }
  try {
    const { id: instanceId } = await findProvider(context)
    const { number, isNew } = await decideDispute(context, { ...wish, instanceId })
    const done = wish.decision === 'REJECT' ? 'rejected' : 'upheld'
    process.stdout.write(`${isNew ? done : `${done} before`}  ${number}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof DecisionRefused)) throw error
    throw new StartupError(error.message)
  }
}

await runCommand({ help: HELP, readArguments, work })
