/** What every command that imports does around its work: the instance that it imports into, and how it ends. */
import { openInstances, type Instance } from './instances/instances.ts'
import { StartupError } from './platform/startup-error.ts'
import { runCommand, type Command, type CommandContext } from './run-command.ts'

export type ImportPlace = { readonly context: CommandContext; readonly instance: Instance }

export type ImportCommand<Wishes> = Omit<Command<Wishes>, 'work'> & {
  /** Imports, prints what became of it, and answers how many files were refused. */
  readonly importInto: (place: ImportPlace, wishes: Wishes) => Promise<number>
}

/** Runs the command on the default instance. */
export function runImport<Wishes>({ importInto, ...command }: ImportCommand<Wishes>): Promise<void> {
  return runCommand({
    ...command,
    async work(context, wishes: Wishes) {
      const instance = await openInstances(context.db, context.clock).ofHost('localhost')
      if (!instance) {
        throw new StartupError(
          'There is no default instance to import into. Start Kvitt once with "npm start".',
        )
      }
      return (await importInto({ context, instance }, wishes)) === 0 ? 0 : 2
    },
  })
}
