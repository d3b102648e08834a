/** How much a picture draws when everything that `use` repeats is counted: a small file can stand for a billion shapes. */
export type SvgElement = {
  readonly name: string
  readonly attributes: Map<string, string>
  readonly children: (SvgElement | string)[]
}

/** Shapes that are drawn; Infinity where something repeats itself. */
export function countUses(root: SvgElement): number {
  const named = new Map<string, SvgElement>()
  const name = (element: SvgElement): void => {
    const id = element.attributes.get('id')
    if (id !== undefined && !named.has(id)) named.set(id, element)
    for (const child of element.children) if (typeof child !== 'string') name(child)
  }
  name(root)
  const counted = new Map<SvgElement, number>()
  const underWay = new Set<SvgElement>()
  const count = (element: SvgElement): number => {
    const known = counted.get(element)
    if (known !== undefined) return known
    if (underWay.has(element)) return Infinity
    underWay.add(element)
    const target = repeatedBy(element, named)
    let sum = 1 + (target ? count(target) : 0)
    for (const child of element.children) if (typeof child !== 'string') sum += count(child)
    underWay.delete(element)
    counted.set(element, sum)
    return sum
  }
  return count(root)
}

/** What else is drawn with it: of a gradient that is another's rules, which are counted all the same. */
function repeatedBy(
  { attributes }: SvgElement,
  named: ReadonlyMap<string, SvgElement>,
): SvgElement | undefined {
  return named.get(attributes.get('href')?.slice(1) ?? '')
}
