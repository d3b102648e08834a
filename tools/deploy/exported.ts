/** The names by which Prometheus may ask for something of Kvitt's. */
import type { ProjectFile } from '../house-rules/project.ts'
import { isProduct } from '../house-rules/project.ts'

/** What prom-client tells of every process of Node; those that we ask for. */
const OF_NODE = ['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds']
/** What Prometheus itself says of whom it asks, and of its own alarms. */
const OF_PROMETHEUS = ['up', 'ALERTS']
const OF_HISTOGRAM = /_(?:bucket|count|sum)$/

/** Every metric that the product exports, by the names in its sources. */
export function exportedBy(project: readonly ProjectFile[]): ReadonlySet<string> {
  const names = project
    .filter((file) => isProduct(file.path) && /prom-client|\bMeasure(?:Group)?\b/.test(file.text))
    .flatMap((file) => file.text.match(/(?<=')kvitt_\w+(?=')/g) ?? [])
  return new Set(names)
}

/** The metrics that an expression asks for: words that stand where a metric can. Records of rules have a colon. */
export function metricsOf(expression: string): string[] {
  const bare = expression.replace(/"[^"]*"/g, '""').replace(/\{[^}]*\}/g, '{}')
  const words = bare.match(/(?<![\w:$])(?:kvitt|process|nodejs)[_:][\w:]+|\bup(?=\{)|\bALERTS\b/g) ?? []
  return words
}

/** Of the names that are asked for, those that nobody exports: `records` are what the rules make themselves. */
export function unknownOf(
  expressions: readonly string[],
  exported: ReadonlySet<string>,
  records: readonly string[],
): string[] {
  const known = new Set([...exported, ...records, ...OF_NODE, ...OF_PROMETHEUS])
  const asked = new Set(expressions.flatMap(metricsOf))
  return [...asked].filter((name) => !known.has(name) && !known.has(name.replace(OF_HISTOGRAM, '')))
}
