/** Styles and repetition of drawings: programs that draw write both, and so does who wants to hurt. */
import { expect, test } from 'vitest'
import { cleanSvg } from './clean-svg.ts'
import { PictureRefused } from './provider-refused.ts'

const NS = 'xmlns="http://www.w3.org/2000/svg"'
const inner = (text: string): string =>
  /^<svg [^>]*>(.*)<\/svg>$/s.exec(
    cleanSvg(Buffer.from(`<svg ${NS}>${text}<circle r="7"/></svg>`)).text,
  )?.[1] ?? ''
const CIRCLE = '<circle r="7"/>'

test.each([
  ['an element in an address', '<style>*{fill:ur<g/>l(https://evil.example/x.svg#a)}</style>'],
  [
    'a title in a picture set',
    '<style>*{fill:image<title>q</title>-set("https://evil.example/x" 1x)}</style>',
  ],
  ['an import in two parts', '<style>@imp<a>x</a>ort "https://evil.example/x.css";</style>'],
  ['an address after a comment', '<style>*{fill:/* x */url(//evil.example/x)}</style>'],
  [
    'an address in a comment that is in a text',
    `<style>*{font-family:"/*";fill:url(//evil.example/x);color:"*/"}</style>`,
  ],
  ['an escape', '<style>*{fill:\\75 rl(//evil.example/x)}</style>'],
  ['an address after a text with a break', `<style>*{font-family:"a\nb;fill:url(//evil.example/x)"}</style>`],
  ['an address in a bracket', '<style>*{fill:calc(url(//evil.example/x))}</style>'],
  ['a source', '<style>@font-face{font-family:x;src:src("//evil.example/x")}</style>'],
  ['an address in a rule in a rule', '<style>@media all{*{fill:url(//evil.example/x)}}</style>'],
  ['an address in an attribute', '<rect style="fill:red;stroke:url(//evil.example/x)"/>'],
  ['an address in a mask', '<rect mask="url(//evil.example/x#a)"/>'],
])('%s does not come out', (_, text) => {
  const kept = inner(text)
  expect(kept).not.toMatch(/evil|@|image-set/)
  expect(kept).toContain(CIRCLE)
  expect(inner(kept.replace(CIRCLE, ''))).toBe(kept)
})

test.each([
  ['<style>.a{fill:url(#g)}.b{fill:red}</style>', '<style>.a{fill:url(#g)}.b{fill:red}</style>'],
  ['<style>/* c */.a{fill:#fff}</style>', '<style>.a{fill:#fff}</style>'],
  [
    `<style>.a{font-family:'Myriad Pro', sans-serif;fill:rgb(1, 2, 3)}</style>`,
    `<style>.a{font-family:'Myriad Pro', sans-serif;fill:rgb(1, 2, 3)}</style>`,
  ],
  ['<style><![CDATA[\n.a, .b { fill: red; }\n]]></style>', '<style>.a, .b{fill:red}</style>'],
  [
    '<style>.a{fill:red;stroke:url(//e/x)}.b{fill:blue}@import "x";.c{fill:green}</style>',
    '<style>.a{fill:red}.b{fill:blue}.c{fill:green}</style>',
  ],
  ['<rect style="fill:url(#g);stroke:none"/>', '<rect style="fill:url(#g);stroke:none"/>'],
  ['<rect aria-label="a@b" class="data:x"/>', '<rect aria-label="a@b" class="data:x"/>'],
  [
    '<g transform="matrix(1 0 0 -1.3 0 42) translate(-3,4e-5)"/>',
    '<g transform="matrix(1 0 0 -1.3 0 42) translate(-3,4e-5)"/>',
  ],
])('an honest %s keeps its colours', (text, expected) => {
  expect(inner(text)).toBe(expected + CIRCLE)
})

const twelve = (paint: (n: number) => string): string =>
  Array.from(
    { length: 12 },
    (_, n) => `<pattern id="p${n + 1}">${`<rect ${paint(n)}/>`.repeat(20)}</pattern>`,
  ).join('') + '<pattern id="p0"><rect/></pattern><rect fill="url(#p12)"/>'
test.each([
  ['nested patterns', twelve((n) => `fill="url(#p${n})"`)],
  ['nested patterns by style', twelve((n) => `style="stroke:URL(#p${n})"`)],
  [
    'nested patterns by class',
    `<style>${Array.from({ length: 13 }, (_, n) => `.c${n}{fill:url(#p${n})}`).join('')}</style>${twelve((n) => `class="c${n}"`)}`,
  ],
  [
    'nested patterns by inheritance',
    Array.from(
      { length: 12 },
      (_, n) => `<g fill="url(#p${n})"><pattern id="p${n + 1}">${'<rect/>'.repeat(20)}</pattern></g>`,
    ).join('') + '<pattern id="p0"><rect fill="red"/></pattern><rect fill="url(#p12)"/>',
  ],
  [
    'a use painted with patterns',
    `<pattern id="p"><g id="q">${'<rect/>'.repeat(200)}</g></pattern><g id="s">${'<rect/>'.repeat(200)}</g><use href="#s" fill="url(#p)"/>`,
  ],
  ['a mask of itself', '<mask id="m"><rect mask="url(#m)"/></mask>'],
  ['a clip of itself', '<clipPath id="m"><rect clip-path="url(#m)"/></clipPath>'],
  ['a pattern of itself by a sheet', '<style>rect{fill:url(#p)}</style><pattern id="p"><rect/></pattern>'],
])('%s draw too much', (_, text) => {
  expect(() => inner(text)).toThrow(PictureRefused)
})

test('many shapes with one gradient, and a clip around them, are a picture', () => {
  const stops = '<stop offset="0"/>'.repeat(8)
  const text = `<linearGradient id="g">${stops}</linearGradient><clipPath id="c"><rect/></clipPath><g clip-path="url(#c)" fill="url(#g)">${'<rect/>'.repeat(3_000)}</g>`
  expect(inner(text)).toBe(text + CIRCLE)
})

test.each([
  ['one rule', `<style>*{${Array.from({ length: 50_000 }, (_, n) => `fill:url(#a${n})`).join(';')}}</style>`],
  [
    'many selectors',
    `<style>${Array.from({ length: 50_000 }, (_, n) => `.a${n}`).join(',')}{fill:url(#a);stroke:url(#b)}</style>`,
  ],
  [
    'one attribute',
    `<g style="${Array.from({ length: 10_000 }, (_, n) => `fill:url(#a${n})`).join(';')}">${'<rect/>'.repeat(4_000)}</g>`,
  ],
])('styles without end in %s are refused soon', (_, text) => {
  const began = performance.now()
  expect(() => inner(text)).toThrow(PictureRefused)
  expect(performance.now() - began).toBeLessThan(2_000)
})

test('long styles take no longer than they are', () => {
  const began = performance.now()
  for (const part of ['/*', '"', '(', '{', '}', '@', ';', 'a:', 'url(#', "a:url('#"])
    inner(
      `<style>${part.repeat(50_000)}</style><rect style="${part.replaceAll('"', '&quot;').repeat(20_000)}"/>`,
    )
  expect(performance.now() - began).toBeLessThan(3_000)
})
