/** What the compiler cannot read from changed.mjs, which Node runs as it is. */
export type Reach = {
  readonly tests?: readonly string[]
  readonly journeys?: readonly string[]
  readonly onlyOwn?: boolean
}
export type Reaches = Readonly<Record<string, Reach>>
export type Links = ReadonlyMap<string, ReadonlySet<string>>
export type Plan = {
  readonly tests: readonly string[]
  readonly journeys: readonly string[]
  readonly far: readonly string[]
}
export function readReach(): Reaches
export function listFiles(): string[]
export function listFeatures(files: readonly string[], reach: Reaches): string[]
export function findBase(checkout?: string): string | undefined
export function listChanged(base: string, checkout?: string): string[]
export function listImporters(files: readonly string[], readText: (path: string) => string): Links
export function planFor(
  changed: readonly string[],
  project: { readonly files: readonly string[]; readonly importers: Links; readonly reach: Reaches },
): Plan
