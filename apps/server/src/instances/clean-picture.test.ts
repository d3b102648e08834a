/** Pictures that come from outside: what is harmless stays as it looks, what hides in them is gone, and what is made to hurt is refused. */
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { cleanPicture } from './clean-picture.ts'
import { ProviderRefused } from './provider-refused.ts'

const NS = 'xmlns="http://www.w3.org/2000/svg"'
const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
const cleaned = async (text: string) => {
  const clean = await cleanPicture('logo', Buffer.from(text))
  return { text: Buffer.from(clean.content).toString('utf8'), removed: clean.removed }
}
const refusal = (bytes: Uint8Array | string) =>
  cleanPicture('logo', Buffer.from(bytes)).then(
    () => 'taken',
    (error: unknown) => (error instanceof ProviderRefused ? error.message : error),
  )
/** Everything by which a file can do more than be looked at. */
const HARM =
  /script|onload|onclick|onbegin|javascript:|data:|https?:\/\/(?!www\.w3\.org\/2000\/svg")|foreignObject|<image|<animate|<set|<iframe|<!|<\?|@import|expression|url\((?!#)/i

describe('a drawing', () => {
  test('keeps its shapes, colours, gradients, text and what it repeats', async () => {
    const { text, removed } = await cleaned(
      `<?xml version="1.0"?><!-- made by a program --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg ${NS} ${XLINK} viewBox="0 0 10 10"><title>Nord &amp; klar</title><style>.a{fill:#0b5c6b}</style><defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient><path id="p" d="M0 0h5"/></defs><rect class="a" fill="url(#g)" width="10" height="10"/><use xlink:href="#p" x="2"/><text x="1" y="2">N&lt;K</text></svg>`,
    )
    expect(text).toBe(
      `<svg ${NS} viewBox="0 0 10 10"><title>Nord &amp; klar</title><style>.a{fill:#0b5c6b}</style><defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient><path id="p" d="M0 0h5"/></defs><rect class="a" fill="url(#g)" width="10" height="10"/><use href="#p" x="2"/><text x="1" y="2">N&lt;K</text></svg>`,
    )
    expect(removed).toEqual({ scripts: 0, links: 0, others: 0 })
  })

  test.each([
    ['a script', `<script>alert(1)</script>`],
    ['a script elsewhere', `<script href="https://evil.example/x.js"/>`],
    ['a script in CDATA', `<script><![CDATA[alert(1)]]></script>`],
    [
      'a script of another vocabulary',
      `<s:script xmlns:s="http://www.w3.org/1999/xhtml">alert(1)</s:script>`,
    ],
    ['a handler', `<rect onclick="alert(1)" width="1" height="1"/>`],
    ['a handler in capitals', `<rect ONLOAD="alert(1)" width="1"/>`],
    [
      'a page within',
      `<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="https://evil.example"/></body></foreignObject>`,
    ],
    ['a link that runs', `<a href="javascript:alert(1)"><rect width="1"/></a>`],
    [
      'a link that runs, with a break in it',
      `<a xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="java&#10;script:alert(1)"><rect width="1"/></a>`,
    ],
    ['a picture from outside', `<image href="https://evil.example/seen.png" width="1" height="1"/>`],
    ['a page as data', `<image href="data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=" width="1"/>`],
    ['a use from outside', `<use href="https://evil.example/x.svg#a"/>`],
    ['a use of data', `<use href="data:image/svg+xml,&lt;svg id='x'/&gt;#x"/>`],
    [
      'an animation of an address',
      `<a href="#x"><animate attributeName="href" to="javascript:alert(1)"/><rect width="1"/></a>`,
    ],
    ['a set of a handler', `<rect width="1"><set attributeName="onmouseover" to="alert(1)"/></rect>`],
    ['a style that loads', `<rect style="fill:url(https://evil.example/x)" width="1"/>`],
    ['a style that loads, escaped', `<rect style="fill:\\75 rl(https://evil.example/x)" width="1"/>`],
    ['a fill that loads', `<rect fill="url(https://evil.example/x#a)" width="1"/>`],
    [
      'a fill that loads beside one that does not',
      `<rect fill="url(#a) url(https://evil.example/x)" width="1"/>`,
    ],
    ['a sheet that imports', `<style>@import "https://evil.example/x.css";</style>`],
    ['a sheet that loads', `<style>rect{background:url(//evil.example/x)}</style>`],
    ['a sheet in two parts', `<style>rect{background:u<!-- -->rl(//evil.example/x)}</style>`],
    ['a sheet with a picture set', `<style>rect{background:image-set("https://evil.example/x" 1x)}</style>`],
    ['an instruction', `<?xml-stylesheet href="https://evil.example/x.css"?>`],
    ['a filter that loads', `<filter id="f"><feImage href="https://evil.example/x"/></filter>`],
    ['a base', `<rect xml:base="https://evil.example/" width="1"/>`],
    ['an embedded page', `<embed src="https://evil.example"/><object data="https://evil.example"/>`],
    [
      'a mark of an editor',
      `<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><x/></rdf:RDF></metadata>`,
    ],
    ['a font', `<font-face-uri href="https://evil.example/x"/>`],
    ['a cursor', `<rect cursor="url(https://evil.example/c.cur)" width="1"/>`],
    ['a text that is markup', `<text>&lt;script&gt;</text>`.replace('script', 'x')],
  ])('upload.svg: loses %s and keeps what stands beside it', async (_, inner) => {
    const { text } = await cleaned(`<svg ${NS}>${inner}<circle r="7"/></svg>`)
    expect(text).toContain('<circle r="7"/>')
    expect(text.replace(`<svg ${NS}`, '<svg')).not.toMatch(HARM)
    // What is written is harmless the second time too.
    expect((await cleaned(text)).text).toBe(text)
  })

  test('says how much of each sort is gone', async () => {
    expect(
      (
        await cleaned(
          `<svg ${NS} onload="a()"><script/><image href="https://evil.example/x"/><use href="//evil.example/#x"/><metadata/></svg>`,
        )
      ).removed,
    ).toEqual({ scripts: 2, links: 1, others: 2 })
  })

  const nest = (depth: number) => `<svg ${NS}>${'<g>'.repeat(depth)}${'</g>'.repeat(depth)}</svg>`
  const laughs = `<svg ${NS}><g id="a0"><rect width="1"/></g>${Array.from(
    { length: 12 },
    (_x, n) => `<g id="a${n + 1}">${`<use href="#a${n}"/>`.repeat(10)}</g>`,
  ).join('')}</svg>`
  test.each([
    [
      'entities',
      `<!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><svg ${NS}><text>&b;</text></svg>`,
      /document type|no SVG/,
    ],
    [
      'a file of the server',
      `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg ${NS}><text>&x;</text></svg>`,
      /document type|no SVG/,
    ],
    ['a billion uses', laughs, /draws more than/],
    ['a use of itself', `<svg ${NS}><g id="a"><use href="#a"/></g></svg>`, /draws more than/],
    ['depth', nest(60), /deep/],
    ['elements without end', `<svg ${NS}>${'<rect/>'.repeat(6_000)}</svg>`, /more than 5000 elements/],
    ['XML that is not whole', `<svg ${NS}><rect></svg>`, /cannot be used/],
    ['another vocabulary', `<svg xmlns="http://www.w3.org/1999/xhtml"><p/></svg>`, /does not begin/],
    ['no vocabulary', `<svg><rect/></svg>`, /does not begin/],
    ['a page', `<html><svg ${NS}/></html>`, /is no SVG/],
    ['a page behind a comment', `<!-- x --><html xmlns="http://www.w3.org/1999/xhtml"/>`, /is no SVG/],
  ])('is refused for %s', async (_, text, why) => {
    expect(await refusal(text)).toMatch(why)
  })

  test('is refused when it is not UTF-8', async () => {
    expect(
      await refusal(
        Buffer.concat([
          Buffer.from(`<svg ${NS}><text>`),
          Buffer.from([0xff, 0xfe]),
          Buffer.from('</text></svg>'),
        ]),
      ),
    ).toMatch(/UTF-8/)
  })
})

describe('a photograph', () => {
  const made = (width = 40, height = 20) =>
    sharp({ create: { width, height, channels: 3, background: '#0b5c6b' } })
  const secret = {
    IFD0: { Artist: 'Anna Hemlig' },
    IFD3: { GPSLatitude: '59/1 19/1 0/1', GPSLatitudeRef: 'N' },
  }

  test.each(['png', 'jpeg', 'webp'] as const)(
    'as %s is written anew without what its camera knew',
    async (format) => {
      const told = '<x:xmpmeta xmlns:x="adobe:ns:meta/">Hemlig plats</x:xmpmeta>'
      const bytes = await made().withExif(secret).withXmp(told).toFormat(format).toBuffer()
      expect(bytes.toString('latin1')).toContain('Hemlig')
      const clean = await cleanPicture('logo', bytes)
      expect(Buffer.from(clean.content).toString('latin1')).not.toContain('Hemlig')
      expect(clean.mimeType).toBe(`image/${format}`)
      expect(clean.removed.others).toBeGreaterThan(0)
      const { width, height, exif, xmp, icc } = await sharp(clean.content).metadata()
      expect({ width, height, exif, xmp, icc }).toEqual({
        width: 40,
        height: 20,
        exif: undefined,
        xmp: undefined,
        icc: undefined,
      })
    },
  )

  test('stands as its camera was held', async () => {
    const turned = await made().withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const { width, height } = await sharp((await cleanPicture('logo', turned)).content).metadata()
    expect([width, height]).toEqual([20, 40])
  })

  test('is made as small as what it is for', async () => {
    const large = await made(3_000, 1_500).png().toBuffer()
    const { width, height } = await sharp((await cleanPicture('logo', large)).content).metadata()
    expect([width, height]).toEqual([1_024, 512])
  })

  test('loses what hangs behind its end', async () => {
    const png = await made().png().toBuffer()
    const clean = await cleanPicture('logo', Buffer.concat([png, Buffer.from('<script>alert(1)</script>')]))
    expect(Buffer.from(clean.content).toString('latin1')).not.toContain('script')
  })

  test('of a few bytes that stand for millions of pixels is refused', async () => {
    const bomb = await made(9_000, 9_000).png({ compressionLevel: 9 }).toBuffer()
    expect(bomb.length).toBeLessThan(1_000_000)
    expect(await refusal(bomb)).toMatch(/more than 40 million pixels/)
  })

  test.each([
    ['a head without a body', async () => (await made().png().toBuffer()).subarray(0, 60), /broken/],
    ['a cut one', async () => (await made(400, 400).jpeg().toBuffer()).subarray(0, 900), /broken/],
    ['a head alone', async () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), /broken/],
    ['nothing', async () => Buffer.alloc(0), /is no SVG/],
    ['a GIF', async () => made().gif().toBuffer(), /is no SVG/],
    ['a TIFF', async () => made().tiff().toBuffer(), /is no SVG/],
    ['a PDF', async () => Buffer.from('%PDF-1.7 ...'), /is no SVG/],
    [
      'six megabytes',
      async () => Buffer.alloc(6 * 1024 * 1024, '\x89PNG\r\n\x1a\n', 'latin1'),
      /more than 5 MB/,
    ],
  ])('that is %s is refused', async (_, make, why) => {
    expect(await refusal(await make())).toMatch(why)
  })

  test('waits for its turn, and is refused where too many wait', async () => {
    const png = await made().png().toBuffer()
    const all = await Promise.all(Array.from({ length: 10 }, () => refusal(png)))
    expect(all.filter((one) => one === 'taken')).toHaveLength(8)
    expect(all.filter((one) => one !== 'taken')).toEqual([
      expect.stringMatching(/wait already/),
      expect.stringMatching(/wait already/),
    ])
    // A broken one keeps nobody out.
    expect(await refusal(png.subarray(0, 60))).toMatch(/broken/)
    expect(await refusal(png)).toBe('taken')
  })

  test('that says to be one and is another format is not read as that', async () => {
    // A file that begins as a WebP and goes on as something else.
    expect(
      await refusal(
        Buffer.concat([Buffer.from('RIFF\x10\0\0\0WEBP', 'latin1'), await made().png().toBuffer()]),
      ),
    ).toMatch(/broken/)
  })
})
