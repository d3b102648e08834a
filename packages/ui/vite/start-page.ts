/**
 * Makes the start page of a portal: its first screens rendered beforehand in every language, their style in the
 * page, and a script in its head that begins what the hash asks for.
 *
 * The server fills the marks, puts the language's screens into the page and a nonce where `__NONCE__` stands.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { build, type Plugin, type Rolldown } from 'vite'
import { criticalStyle } from './critical-style.ts'

export type StartPageOptions = {
  /** The script for the head; `__FILES__` becomes the names of the built files. */
  readonly head: string
  /** Exports `renderScreens()`, which answers objects of HTML by language. */
  readonly prerender: string
  /** Which module each view loads, by the view's segment in the address. */
  readonly views: Readonly<Record<string, string>>
}

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk & { viteMetadata?: { importedCss?: Set<string> } }

const chunksOf = (bundle: Bundle): Chunk[] => Object.values(bundle).filter((file) => file.type === 'chunk')

/** `chunk` and everything it imports, the chunk itself first. */
function withImports(bundle: Bundle, chunk: Chunk, seen = new Set<string>()): Chunk[] {
  if (seen.has(chunk.fileName)) return []
  seen.add(chunk.fileName)
  const imported = chunk.imports
    .map((name) => bundle[name])
    .filter((file): file is Chunk => file?.type === 'chunk')
  return [chunk, ...imported.flatMap((next) => withImports(bundle, next, seen))]
}

/** The names of the files that the head script begins with. */
function listFiles(bundle: Bundle, views: StartPageOptions['views']): object {
  const chunks = chunksOf(bundle)
  const url = (name: string): string => `/${name}`
  const page = bundle['index.html']
  // The page names what the entry imports first, and the entry last.
  const named =
    page?.type === 'asset'
      ? [...String(page.source).matchAll(/<script type="module"[^>]*src="\/([^"]+)"/g)]
      : []
  const entry = chunks.find((chunk) => chunk.fileName === named.at(-1)?.[1])
  if (!entry) throw new Error('the start page names no script')
  const first = withImports(bundle, entry)
  const known = new Set(first.map((chunk) => chunk.fileName))
  const languages = (part: string): object =>
    Object.fromEntries(
      chunks.flatMap((chunk) => {
        const [, found, language] = /^\0(\w+):(\w+)$/.exec(chunk.facadeModuleId ?? '') ?? []
        return found === part && language ? [[language, url(chunk.fileName)]] : []
      }),
    )
  const needs = Object.entries(views).map(([view, module]) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module))
    if (!chunk) throw new Error(`${module} is no page of its own`)
    const all = withImports(bundle, chunk).filter(({ fileName }) => !known.has(fileName))
    const styles = new Set(all.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))
    return [view, { scripts: all.map(({ fileName }) => url(fileName)), styles: [...styles].map(url) }]
  })
  return {
    entry: first.toReversed().map((chunk) => url(chunk.fileName)),
    languages: languages('language'),
    words: languages('words'),
    views: Object.fromEntries(needs),
  }
}

async function bundleHead(file: string, files: object): Promise<string> {
  const head = await rolldown({
    input: file,
    logLevel: 'silent',
    external: (id) => id.startsWith('/assets/'),
  })
  const { output } = await head.generate({ format: 'iife', minify: true, codeSplitting: false })
  const code = output[0].code.trim().replaceAll('__FILES__', 'files')
  return `{const files=${JSON.stringify(files)};${code}}`
}

/** By language; what it holds is between the portal and the server. */
type Screens = Record<string, object>

/** Style attributes become rules: the page's policy admits none. */
function moveStyles(screens: Screens): { screens: Screens; css: string } {
  const found: string[] = []
  const moved = JSON.stringify(screens).replace(/ style=\\"([^"\\]+)\\"/g, (_attribute, style: string) => {
    if (!found.includes(style)) found.push(style)
    return ` data-style=\\"${found.indexOf(style)}\\"`
  })
  const css = found.map((style, number) => `[data-style="${number}"]{${style}}`).join('')
  return { screens: JSON.parse(moved) as Screens, css }
}

async function renderScreens(root: string, file: string, configFile: string | undefined): Promise<Screens> {
  const outDir = resolve(root, 'dist/prerender')
  try {
    await build({
      root,
      ...(configFile ? { configFile } : {}),
      logLevel: 'error',
      build: { ssr: file, outDir, emptyOutDir: true, watch: null },
    })
    const program = join(outDir, `${basename(file).replace(/\.tsx?$/, '')}.js`)
    // In a process of its own, because it puts stand-ins for a browser's things into the global scope.
    const run = `import(${JSON.stringify(pathToFileURL(program).href)}).then(async (page) => process.stdout.write(JSON.stringify(await page.renderScreens())))`
    return JSON.parse(execFileSync(process.execPath, ['--eval', run], { encoding: 'utf8' })) as Screens
  } finally {
    rmSync(outDir, { recursive: true, force: true })
  }
}

export function startPage(options: StartPageOptions): Plugin {
  let root = ''
  let folder = ''
  let configFile: string | undefined
  let files: object | undefined
  return {
    name: 'start-page',
    apply: (_config, { isSsrBuild }) => !isSsrBuild,
    configResolved(config) {
      root = config.root
      folder = resolve(config.root, config.build.outDir)
      configFile = config.configFile
    },
    writeBundle(_output, bundle) {
      files = listFiles(bundle, options.views)
    },
    async closeBundle() {
      // Called too when the build has failed: what failed is what is to be told.
      if (!files) return
      const page = join(folder, 'index.html')
      const html = readFileSync(page, 'utf8')
      const [sheet, another] = html.matchAll(/<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g)
      if (!sheet?.[1] || another) throw new Error('the start page has to name one style sheet')
      const { screens, css } = moveStyles(await renderScreens(root, options.prerender, configFile))
      const style = criticalStyle(
        readFileSync(join(folder, sheet[1]), 'utf8'),
        JSON.stringify(screens).replaceAll('\\"', '"'),
      )
      const head = await bundleHead(resolve(root, options.head), { ...files, style: `/${sheet[1]}` })
      files = undefined
      writeFileSync(join(folder, 'screens.json'), JSON.stringify(screens))
      writeFileSync(
        page,
        html
          .replace(/\s*<script type="module"[^>]*><\/script>/g, '')
          .replace(/\s*<link rel="modulepreload"[^>]*>/g, '')
          .replace(sheet[0], '')
          // The style before the script, which adds the whole sheet after it: of two rules the sheet's is the later.
          .replace(
            '<!--kvitt:start-->',
            () => `<style nonce="__NONCE__">${style}${css}</style><script nonce="__NONCE__">${head}</script>`,
          ),
      )
    },
  }
}
