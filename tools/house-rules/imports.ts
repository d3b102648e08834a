/** Who may import whom. */
import { type ProjectFile, type Violation, isCode, isProduct, isTest } from './project.ts'
import { type Import, importsOf, placeOf, resolveImport } from './syntax.ts'

type Edge = Import & { readonly from: ProjectFile; readonly to: string }

const PORTALS = ['debtor', 'staff', 'home', 'support']
/** Of these, the ones whose pages the build writes. */
const SITES = ['home', 'support']
/** The one of staff, which has its frame from packages/office: the creditor's and the operator's. */
const STAFF_PORTAL = 'staff'

/** The debtor portal's lab shows the pages of the sites too; nothing of it is in a build. */
const LAB = /^apps\/debtor\/lab\//

/** What each place may import besides itself. Places that are not here (tools, bench, e2e) may import all. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  ui: ['domain'],
  office: ['ui', 'domain'],
  site: ['ui', 'domain'],
  server: ['domain', 'site'],
  sandbox: [],
  ...Object.fromEntries(PORTALS.map((portal) => [portal, ['ui', 'domain']])),
  [STAFF_PORTAL]: ['office', 'ui', 'domain'],
  ...Object.fromEntries(SITES.map((name) => [name, ['site', 'ui', 'domain']])),
}

function layerOf(path: string): string {
  return /^(?:apps|packages)\/([^/]+)\//.exec(path)?.[1] ?? path.split('/')[0] ?? path
}

function edgesOf(files: readonly ProjectFile[]): Edge[] {
  return files
    .filter((file) => isCode(file.path))
    .flatMap((from) =>
      importsOf(from).flatMap((entry) => {
        const to = resolveImport(from.path, entry.specifier)
        return to === undefined ? [] : [{ ...entry, from, to }]
      }),
    )
}

function violation(edge: Edge, why: string): Violation {
  return `${placeOf(edge.from, edge.node)} imports ${edge.to}: ${why}`
}

/**
 * domain <- ui <- portals; ui <- office <- portals of staff; ui <- site <- homepage and support site; domain, site <- server; the sandbox imports nothing of ours. The server's tests may use
 * the sandbox as counterparty.
 */
export function breaksLayers(files: readonly ProjectFile[]): Violation[] {
  return edgesOf(files).flatMap((edge) => {
    const [from, to] = [layerOf(edge.from.path), layerOf(edge.to)]
    const allowed = LAYERS[from]
    if (from === to || !allowed || allowed.includes(to)) return []
    if (from === 'server' && to === 'sandbox' && isTest(edge.from.path)) return []
    if (LAB.test(edge.from.path) && ['site', ...SITES].includes(to)) return []
    return [violation(edge, `${from} may not import ${to}`)]
  })
}

/** An import of ours says its extension, so that every program finds the same file. */
export function breaksExtensions(files: readonly ProjectFile[]): Violation[] {
  return edgesOf(files)
    .filter((edge) => !/\.(tsx?|mjs|css|json|svg|png|html)(\?\w+)?$/.test(edge.specifier))
    .map((edge) => violation(edge, 'the extension is missing'))
}

/** No compiler or package setting gives a folder another name than its path or package. */
export function findAliases(files: readonly ProjectFile[]): Violation[] {
  return files
    .filter(({ path }) => /(^|\/)(tsconfig[^/]*|package)\.json$/.test(path))
    .filter(({ text }) => /"(paths|baseUrl|imports)"\s*:/.test(text))
    .map(({ path }) => `${path} sets an alias`)
}

const CONTRACT = /(^|[/.])contract\.ts$/

/**
 * Portals, and the parts of domain that they run, take only types from contracts, so that the schema library
 * stays out of the browser. `import { type X }` is not enough: it leaves the import itself.
 */
export function breaksContracts(files: readonly ProjectFile[]): Violation[] {
  return edgesOf(files).flatMap((edge) => {
    const runsInBrowser =
      isProduct(edge.from.path) &&
      [...PORTALS, 'office', 'ui', 'domain'].includes(layerOf(edge.from.path)) &&
      !CONTRACT.test(edge.from.path)
    if (!runsInBrowser || edge.typeOnly || !CONTRACT.test(edge.to)) return []
    return [violation(edge, 'a contract is imported with "import type" only')]
  })
}

/** domain needs nothing but itself, and the schema library in its contracts; browsers have no node: modules. */
export function breaksPurity(files: readonly ProjectFile[]): Violation[] {
  return files
    .filter((file) => isProduct(file.path))
    .flatMap((file) => {
      const layer = layerOf(file.path)
      return importsOf(file).flatMap(({ specifier, typeOnly, node }) => {
        const inside = resolveImport(file.path, specifier) !== undefined
        if (inside || typeOnly) return []
        const isSchema = specifier === 'zod' || specifier.startsWith('zod/')
        const inContract = CONTRACT.test(file.path)
        const forbidden =
          layer === 'domain'
            ? !(isSchema && inContract)
            : [...PORTALS, 'office', 'ui'].includes(layer) && (isSchema || specifier.startsWith('node:'))
        return forbidden ? [`${placeOf(file, node)} imports ${specifier}: ${layer} does without it`] : []
      })
    })
}

const SERVER = 'apps/server/src/'
/**
 * The features of the server, the lowest first. A feature may know those of the lines above its own, and none of its own
 * line or below. Each folder stands here or in BESIDE.
 */
const FEATURES: readonly (readonly string[])[] = [
  ['tasks'],
  ['audit', 'ledger'],
  ['credentials'],
  ['mail'],
  ['creditors', 'instances'],
  ['staff'],
  ['sign-in'],
  ['proposals'],
  ['acts', 'issuers', 'manual-postings', 'second-factor'],
  ['agreed-charges', 'country-figures', 'payee-accounts', 'payouts'],
  ['api-keys', 'articles', 'electronic-id', 'invoices', 'messages', 'staff-sign-in', 'users'],
  ['webhooks'],
  ['claims'],
  [
    'audit-desk',
    'creditor-desk',
    'data-protection',
    'downloads',
    'provider-desk',
    'restatements',
    'runs',
    'unsent-letters',
  ],
  ['part-payments', 'representatives'],
  ['collection', 'documents', 'imports', 'payments'],
  ['bank-files', 'disputes', 'receivables', 'settlements', 'task-desk'],
  ['client-desk', 'client-funds', 'court', 'outbox', 'payout-desk', 'plan-desk', 'sites'],
  ['dashboard', 'month-close', 'refunds'],
  ['office-invoices', 'watch'],
  ['conversations', 'debtor-flags', 'proposal-desk'],
  ['demo'],
]
/** Folders that are no features: what all stand on, the texts, and what tests need. */
const BESIDE = ['platform', 'language', 'testing']
const RANKS = new Map(FEATURES.flatMap((names, rank) => names.map((name) => [name, rank] as const)))

/** The file by which others know a feature, where it is not named after it. */
const MAIN_FILES: Readonly<Record<string, readonly string[]>> = {
  claims: ['claims/office/office-claims.ts'],
  instances: ['instances/own-provider.ts', 'instances/provider-settings.ts'],
  invoices: ['invoices/visible-invoices.ts'],
  ledger: ['ledger/resting-debts.queries.ts', 'ledger/protected-persons.queries.ts'],
  representatives: ['representatives/flag-rows.queries.ts', 'representatives/representatives.queries.ts'],
  staff: [
    'staff/office-list.ts',
    'staff/office-set.ts',
    'staff/office-export.ts',
    'staff/office-debtor.queries.ts',
  ],
  'sign-in': [
    'sign-in/viewer.ts',
    'sign-in/sessions.ts',
    'sign-in/peeks.ts',
    'sign-in/shown.ts',
    'sign-in/bind.ts',
    'sign-in/principal.ts',
  ],
}

function serverFeature(path: string): string | undefined {
  return path.startsWith(SERVER) ? /^([^/]+)\//.exec(path.slice(SERVER.length))?.[1] : undefined
}

function featureEdges(files: readonly ProjectFile[]): (Edge & { source: string; target: string })[] {
  return edgesOf(files).flatMap((edge) => {
    const source = serverFeature(edge.from.path)
    const target = serverFeature(edge.to)
    if (!source || !target || source === target || isTest(edge.from.path)) return []
    return BESIDE.includes(source) || BESIDE.includes(target) ? [] : [{ ...edge, source, target }]
  })
}

/** A folder of the server that no line names, and a name without a folder: the order is of the whole tree. */
export function findStrangers(files: readonly ProjectFile[]): Violation[] {
  const folders = new Set(files.flatMap(({ path }) => serverFeature(path) ?? []))
  const known = [...RANKS.keys(), ...BESIDE]
  return [
    ...[...folders]
      .filter((name) => !known.includes(name))
      .map(
        (name) =>
          `${SERVER}${name}/ is new: which features does it know, and who knows it? Say so in FEATURES`,
      ),
    ...known.filter((name) => !folders.has(name)).map((name) => `${SERVER}${name}/ is gone from the tree`),
  ]
}

/** A feature of the server is entered by its main file, in one direction. */
export function breaksFeatures(files: readonly ProjectFile[]): Violation[] {
  return featureEdges(files).flatMap((edge) => {
    const { source, target } = edge
    const main = [`${target}/${target}.ts`, ...(MAIN_FILES[target] ?? [])]
    if (!main.includes(edge.to.slice(SERVER.length))) {
      return [violation(edge, `${target} is entered by ${main.join(' or ')}`)]
    }
    const [own, other] = [RANKS.get(source) ?? -1, RANKS.get(target) ?? -1]
    return other >= own ? [violation(edge, `${source} may not know ${target}`)] : []
  })
}

/** The files of the root that put all features together; so does each command, in a folder of its own. */
const ASSEMBLERS = ['main', 'api', 'app', 'start', 'jobs'].map((name) => `${SERVER}${name}.ts`)
const SETTINGS = 'apps/server/config/'

/** platform and the settings import no feature; besides these no file of the root imports one, not even its types. */
export function breaksPlatform(files: readonly ProjectFile[]): Violation[] {
  return edgesOf(files).flatMap((edge) => {
    const target = serverFeature(edge.to)
    if (!target || BESIDE.includes(target) || isTest(edge.from.path)) return []
    const source = serverFeature(edge.from.path)
    if (source === 'platform') return [violation(edge, 'platform imports no feature')]
    if (edge.from.path.startsWith(SETTINGS)) return [violation(edge, 'settings import no feature')]
    const isRoot = edge.from.path.startsWith(SERVER) && !source && !ASSEMBLERS.includes(edge.from.path)
    return isRoot ? [violation(edge, 'only main.ts imports all features')] : []
  })
}

/** What every feature of a portal may stand on. The frame of the pages (shell) knows nothing of debts. */
const PORTAL_FLOORS: Readonly<Record<string, readonly string[]>> = { shell: ['language'] }
const PORTAL_FLOOR = ['debts', 'shell', 'language']

/** In a portal only routes and pages combine features; `afterwards` is the end of `main`. */
export function breaksPortals(files: readonly ProjectFile[]): Violation[] {
  return edgesOf(files).flatMap((edge) => {
    const source = /^apps\/([^/]+)\/src\/(?:([^/]+)\/)?/.exec(edge.from.path)
    const target = /^apps\/([^/]+)\/src\/([^/]+)\//.exec(edge.to)
    if (!source?.[1] || !PORTALS.includes(source[1]) || !target || source[1] !== target[1]) return []
    if (isTest(edge.from.path) || source[2] === target[2]) return []
    if ((PORTAL_FLOORS[source[2] ?? ''] ?? PORTAL_FLOOR).includes(target[2] ?? '')) return []
    const mayCombine = /(^|\/)(main|afterwards|app|routes)\.tsx?$|-page\.tsx$/.test(edge.from.path)
    return mayCombine ? [] : [violation(edge, 'only routes and pages combine features')]
  })
}

/** The names that stand on a circle in the graph, each circle once, as "a -> b -> a". */
function circlesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) {
      circles.push([...path.slice(path.indexOf(name)), name].join(' -> '))
      return
    }
    if (done.has(name)) return
    for (const next of graph.get(name) ?? []) visit(next, [...path, name])
    done.add(name)
  }
  for (const name of graph.keys()) visit(name, [])
  return circles
}

function graphOf(edges: readonly (readonly [string, string])[]): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const [from, to] of edges) graph.set(from, (graph.get(from) ?? new Set()).add(to))
  return graph
}

/** Where files form no circle by types either. */
const TYPED = /^(apps\/server|packages)\//

/** No circle of files that load each other, nor by types in the server and the packages; and none of features. */
export function findCircles(files: readonly ProjectFile[]): Violation[] {
  const loads = edgesOf(files).filter((edge) => !edge.typeOnly || TYPED.test(edge.from.path))
  return [
    ...circlesOf(graphOf(loads.map((edge) => [edge.from.path, edge.to] as const))),
    ...circlesOf(graphOf(featureEdges(files).map((edge) => [edge.source, edge.target] as const))),
  ]
}
