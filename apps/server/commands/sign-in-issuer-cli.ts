/** `npm run sign-in-issuer -- [--provider ALIAS] [--off --reason TEXT]`: for whoever an issuer that is down has locked out. */
import { readOptions } from './command-options.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { findIssuer, switchOffByCommand } from '../src/issuers/issuers.ts'
import { findProvider, runCommand, type CommandContext } from './run-command.ts'

const USAGE = 'Usage: npm run sign-in-issuer -- [--provider ALIAS] [--off --reason TEXT]'
const HELP = `${USAGE}

Says at which issuer of its own a provider's staff signs in. With --off it is switched off at once, such as when the issuer is down
and is the only way in: staff sign in by password, or ask for a link with "Forgotten your password?". Sessions that began at the issuer end. To
switch it on again two people have to agree in the admin portal.

  --off              switch it off
  --reason TEXT      why, for the log of deeds
  --help             this text

Exit status: 0, or 2 when nothing was done.
`

const OPTIONS = { off: { type: 'boolean' }, reason: { type: 'string' } } as const

type Wanted = { readonly isOff: boolean; readonly reason: string | undefined }

function readArguments(args: readonly string[]): Wanted {
  const { values } = readOptions(args, { options: OPTIONS, usage: USAGE })
  const { off: isOff = false, reason } = values
  if (isOff && !reason?.trim()) throw new StartupError(`Say why with --reason. ${USAGE}`)
  return { isOff, reason: reason?.trim() }
}

async function work(context: CommandContext, { isOff, reason }: Wanted): Promise<number> {
  const instance = await findProvider(context)
  const { name } = instance.row
  const found = await findIssuer(context, instance.id)
  if (!found) throw new StartupError(`${name} has no issuer of its own.`)
  const { issuer, domains } = found
  if (!isOff) {
    const state = found.isOn ? 'on' : 'off'
    process.stdout.write(`${name}: ${issuer} for ${domains.join(', ')}, switched ${state}.\n`)
    return 0
  }
  if (!(await switchOffByCommand(context, instance.id, { by: context.by, reason })))
    throw new StartupError(`${issuer} is switched off already.`)
  process.stdout.write(`${issuer} is switched off, and every session that began there has ended.\n`)
  return 0
}

await runCommand({ help: HELP, readArguments, work })
