/** `npm run second-factor -- --reset EMAIL [--provider ALIAS]`: takes away what somebody has lost whom no manager can help. */
import { readOptions } from './command-options.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { resetByOperator } from '../src/second-factor/second-factor.ts'
import { findProvider, runCommand, type CommandContext } from './run-command.ts'

const USAGE = 'Usage: npm run second-factor -- [--provider ALIAS] --reset EMAIL'
const HELP = `${USAGE}

For somebody of the staff who has lost the app and the recovery codes, and whom no other manager can help. Call them first, at a
number that was known before. They are signed out everywhere, told by e-mail, and sign in with the password alone; where a
second factor is required, they set a new one up right after it.

  --reset EMAIL      whose
  --help             this text

Exit status: 0, or 2 when nothing was done.
`

const OPTIONS = { reset: { type: 'string' } } as const

function readArguments(args: readonly string[]): string {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  if (!values.reset) throw new StartupError(`Name whose with --reset. ${USAGE}`)
  return values.reset.trim().toLowerCase()
}

async function work(context: CommandContext, email: string): Promise<number> {
  const instance = await findProvider(context)
  try {
    await resetByOperator(context, instance, { email, by: context.by })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new StartupError(
      error.code === 'not_found'
        ? `Nobody with the address ${email} works at ${instance.row.name}.`
        : `${email} has no second factor.`,
    )
  }
  process.stdout.write(`The second factor of ${email} is gone, and every session has ended.\n`)
  return 0
}

await runCommand({ help: HELP, readArguments, work })
