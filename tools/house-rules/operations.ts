/** What the pages for the night shift say is so: links lead somewhere, and commands with their options exist. */
import { dirname, join } from 'node:path'
import type { ProjectFile, Violation } from './project.ts'

const FENCED = /^```.*?^```$/gms

/** The anchors of a page's headings, as the site that shows it makes them. */
function anchorsOf(page: ProjectFile): string[] {
  const headings = [...page.text.replace(FENCED, '').matchAll(/^#+ (.*)$/gm)].map(
    ([, heading]) => heading ?? '',
  )
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
}

/** Links of a page to a file or a heading that is not there. Addresses on the net are not asked. */
export function findLostLinks(
  page: ProjectFile,
  files: readonly ProjectFile[],
  paths: readonly string[],
): Violation[] {
  const links = [...page.text.replace(FENCED, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? '')
  return links
    .filter((link) => !/^\w+:/.test(link))
    .filter((link) => {
      const [file = '', anchor] = link.split('#')
      const path = file === '' ? page.path : join(dirname(page.path), file)
      const target = files.find((one) => one.path === path)
      if (anchor === undefined || !target)
        return !paths.some((one) => one === path || one.startsWith(`${path.replace(/\/$/, '')}/`))
      return !anchorsOf(target).includes(anchor)
    })
    .map((link) => `${page.path} ${link} leads nowhere`)
}

/** Commands of a page that no script has, and options that neither their program's help nor what all take names. */
export function findLostCommands(page: ProjectFile, files: readonly ProjectFile[]): Violation[] {
  const textOf = (path: string): string => files.find((file) => file.path === path)?.text ?? ''
  const scripts = (JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }).scripts
  const commands = page.text.replaceAll('\\\n', ' ').matchAll(/npm run ([\w-]+)([^`#\n]*)/g)
  return [...commands].flatMap(([, name = '', rest = '']) => {
    if (scripts[name] === undefined) return [`${page.path} npm run ${name} does not exist`]
    const program = textOf(`apps/server/commands/${name}-cli.ts`)
    const common = textOf('apps/server/commands/command-options.ts')
    return [...rest.matchAll(/ --([a-z][\w-]*)/g)]
      .map(([, option = '']) => option)
      .filter((option) => !new RegExp(`--${option}\\b`).test(program))
      .filter((option) => !new RegExp(`\\b${option}: \\{ type`).test(common))
      .map((option) => `${page.path} npm run ${name} has no --${option}`)
  })
}

/** What the program says when something is wrong: the sentences of its warnings and errors. */
export function sentencesOfLog(file: ProjectFile): string[] {
  return [...file.text.matchAll(/\blog\.(?:error|warn)\([\s\S]*?'([^'\n]+)',?\s*\)(?=,|$)/gm)].map(
    ([, said]) => said ?? '',
  )
}

/** The views `inv_*` that a database has after these migrations, in the order of their numbers. */
export function invariantsOf(migrations: readonly ProjectFile[]): string[] {
  const views = new Set<string>()
  const said =
    /\b(create|create or replace|drop|alter) view (?:if exists )?(inv_\w+)(?: rename to (inv_\w+))?/gi
  for (const { text } of [...migrations].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    for (const [, act = '', view = '', renamed] of text.matchAll(said)) {
      if (act.startsWith('create')) views.add(view)
      else if (act === 'drop' || renamed !== undefined) views.delete(view)
      if (renamed !== undefined) views.add(renamed)
    }
  }
  return [...views].sort()
}
