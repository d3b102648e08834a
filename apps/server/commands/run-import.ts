/** What every command that imports does around its work: the instance that it imports into, and how it ends. */
import { noteDeed, type DeedKind } from '../src/audit/audit.ts'
import type { Instance } from '../src/instances/instances.ts'
import { findProvider, runCommand, type Command, type CommandContext } from './run-command.ts'

export type ImportPlace = { readonly context: CommandContext; readonly instance: Instance }

export type ImportCommand<Wishes> = Omit<Command<Wishes>, 'work'> & {
  /** Imports, prints what became of it, and answers how many files were refused. */
  readonly importInto: (place: ImportPlace, wishes: Wishes) => Promise<number>
}

/** Runs the command on the provider that was named, else on the default one. */
export function runImport<Wishes>({ importInto, ...command }: ImportCommand<Wishes>): Promise<void> {
  return runCommand({
    ...command,
    async work(context, wishes: Wishes) {
      const instance = await findProvider(context)
      return (await importInto({ context, instance }, wishes)) === 0 ? 0 : 2
    },
  })
}

type Imported = {
  readonly instanceId: string
  readonly kind: DeedKind & `${string}_imported`
  readonly files: number
  /** How often each outcome came. */
  readonly counts: Readonly<Record<string, number>>
}

/** Writes down who took files in, unless nothing came of them. Their own names are not kept: they may name people. */
export async function noteImport({ db, by }: CommandContext, imported: Imported): Promise<void> {
  const { instanceId, kind, files, counts } = imported
  const outcomes = Object.entries(counts).filter(([, count]) => count > 0)
  if (outcomes.every(([outcome]) => outcome === 'unchanged' || outcome === 'refused')) return
  await noteDeed(db, {
    instanceId,
    kind,
    by,
    about: `instance:${instanceId}`,
    after: { files, ...Object.fromEntries(outcomes) },
  })
}
