/** `npm run first-manager -- --email EMAIL --name NAME [--provider ALIAS]`: the first of a provider's people. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { inviteManagerOf } from '../src/users/first-manager.ts'
import { readOptions } from './command-options.ts'
import { findProvider, runCommand, type CommandContext } from './run-command.ts'

const USAGE = 'Usage: npm run first-manager -- [--provider ALIAS] --email EMAIL --name NAME'
const HELP = `${USAGE}

Invites the first manager of a provider, who invites all others in the portal. They are sent a link with which they choose a
password, good for three days; it is printed as well, for where no e-mail leaves yet. Until they have come it can be said again,
for another address too: then the link before is worth nothing. After that it is refused.

  --email EMAIL      where they are told
  --name NAME        what they are called
  --help             this text

Exit status: 0, or 2 when nothing was done.
`

const OPTIONS = { email: { type: 'string' }, name: { type: 'string' } } as const

type Wishes = { readonly email: string; readonly name: string }

function readArguments(args: readonly string[]): Wishes {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const [email, name] = [values.email?.trim().toLowerCase() ?? '', values.name?.trim() ?? '']
  if (email === '' || name === '') throw new StartupError(`Say who with --email and --name. ${USAGE}`)
  if (!/^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>"]+$/.test(email) || email.length > 254)
    throw new StartupError(`"${email}" is no e-mail address.`)
  if (name.length > 100) throw new StartupError('The name is longer than 100 characters.')
  return { email, name }
}

async function work(context: CommandContext, wishes: Wishes): Promise<number> {
  const instance = await findProvider(context)
  const link = await inviteManagerOf(context, instance, { ...wishes, by: context.by }).catch(
    (error: unknown) => {
      if (!(error instanceof Refusal) || error.code !== 'manager_exists') throw error
      throw new StartupError(
        `${instance.row.name} has a manager already, who invites others in the portal: Users, Invite.`,
      )
    },
  )
  process.stdout.write(`${wishes.email} is invited to ${instance.row.name} as manager.\n${link}\n`)
  return 0
}

await runCommand({ help: HELP, readArguments, work })
