/**
 * Writes the pages of a site while it is built: rendered from its `pages.ts`, with the style in each page and the script beside
 * it. The server fills what is a provider's own.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'

type Rendered = {
  /** By their place in the folder of pages, such as `sv/waiting/`. */
  readonly pages: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, string>>
  /** The places that search engines are told of. */
  readonly found: readonly string[]
}

/** Tokens and frame, what the site looks like, and the pages that both have. */
const stylesOf = (site: 'home' | 'support'): string[] =>
  [
    '../../ui/src/tokens.css',
    ...['base', 'frame', 'fields', ...(site === 'home' ? ['front', 'drawn'] : [site]), 'waiting'].map(
      (name) => `../src/styles/${name}.css`,
    ),
  ].map((path) => fileURLToPath(new URL(path, import.meta.url)))

/** Without comments and the room between things: what compressing leaves of the rest is little. */
function smallStyle(site: 'home' | 'support'): string {
  return stylesOf(site)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;}/g, '}')
    .trim()
}

async function render(root: string, configFile: string | undefined): Promise<Rendered> {
  const outDir = resolve(root, 'dist/prerender')
  try {
    await build({
      root,
      ...(configFile ? { configFile } : {}),
      logLevel: 'error',
      build: { ssr: 'src/prerender.ts', outDir, emptyOutDir: true, watch: null },
    })
    const program = pathToFileURL(join(outDir, 'prerender.js')).href
    const run = `import(${JSON.stringify(program)}).then((site) => process.stdout.write(JSON.stringify(site.renderSite())))`
    const most = 64 * 1024 * 1024
    return JSON.parse(
      execFileSync(process.execPath, ['--eval', run], { encoding: 'utf8', maxBuffer: most }),
    ) as Rendered
  } finally {
    rmSync(outDir, { recursive: true, force: true })
  }
}

function entryOf(bundle: Rolldown.OutputBundle): string {
  const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'main')
  if (!entry) throw new Error('the site has no script')
  return entry.fileName
}

/** @param site its folder below `apps`, and the first part of its addresses */
export function sitePages(site: 'home' | 'support'): Plugin {
  let root = ''
  let folder = ''
  let configFile: string | undefined
  let script: string | undefined
  return {
    name: 'site-pages',
    apply: (_config, { isSsrBuild, command }) => command === 'build' && !isSsrBuild,
    configResolved(config) {
      root = config.root
      folder = resolve(config.root, config.build.outDir)
      configFile = config.configFile
    },
    writeBundle(_output, bundle) {
      script = entryOf(bundle)
    },
    async closeBundle() {
      // Called too when the build has failed: what failed is what is to be told.
      if (!script) return
      const { pages, files, found } = await render(root, configFile)
      const style = smallStyle(site)
      const names = Object.entries(files).map(([name, text]) => {
        const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
        const file = `assets/${basename(name, '.json')}-${hash}.json`
        writeFileSync(join(folder, file), text)
        return [`%%file.${name}%%`, `%%${site}%%/${file}`] as const
      })
      for (const [place, html] of Object.entries(pages)) {
        let whole = html
          .replace('<!--style-->', () => `<style nonce="%%nonce%%">${style}</style>`)
          .replace('<!--script-->', () => scriptElement(`%%${site}%%/${script}`))
        for (const [name, address] of names) whole = whole.replaceAll(name, address)
        const file = join(folder, 'pages', place, 'page.html')
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, whole)
      }
      const made = [script, style, ...Object.values(pages), ...Object.values(files)]
      nameBuild(join(folder, 'worker.js'), made)
      script = undefined
      writeFileSync(join(folder, 'sitemap.xml'), siteMap(site, found))
    },
  }
}

/**
 * Fetches the script of a page, and the provider's logo and icon, once something is on the screen: everything can be read and sent without
 * them, and on a slow phone they would be in the way of the first look. Browsers that never tell of it get them after a second.
 */
function scriptElement(address: string): string {
  const logo =
    'for(const place of document.querySelectorAll(".logo")){const it=new Image;it.alt="";it.src=place.dataset.src;place.replaceChildren(it)}'
  const icon = 'const icon=document.querySelector("link[data-src]");if(icon)icon.href=icon.dataset.src;'
  const start = `let isStarted;const start=()=>{if(isStarted)return;isStarted=1;${logo};${icon}import(${JSON.stringify(address)})};`
  const look = `new PerformanceObserver((seen,it)=>{seen.getEntriesByName("first-contentful-paint")[0]&&(it.disconnect(),start())}).observe({type:"paint",buffered:!0})`
  return `<script nonce="%%nonce%%">${start}document.hidden?start():(${look},setTimeout(start,1e3))</script>`
}

/** Writes into a site's worker which build this is. */
function nameBuild(worker: string, made: readonly string[]): void {
  if (!existsSync(worker)) return
  const hash = createHash('sha256').update(made.join('\0')).digest('hex').slice(0, 12)
  writeFileSync(worker, readFileSync(worker, 'utf8').replace('%%build%%', hash))
}

function siteMap(site: string, found: readonly string[]): string {
  const places = found.map((place) => `<url><loc>%%${site}Whole%%/${place}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${places.join('')}</urlset>`
}
