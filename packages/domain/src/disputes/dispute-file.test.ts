import { describe, expect, test } from 'vitest'
import { LARGEST_FILE, readFileType, safeFileName, type FileType } from './dispute-file.ts'

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.replace(/\s/g, '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const textOf = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const join = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]))

/** 24 by 7 pixels, as ordinary programs write them. */
const PNG = bytesOf(
  '89504e470d0a1a0a0000000d4948445200000018000000070800000000379cd26a0000001249444154789c63ac60c00e9870880fac04005708008616d8f04a0000000049454e44ae426082',
)
const JPEG = bytesOf(
  'ffd8ffe000104a46494600010100000100010000ffdb004300ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc0000b080007001801011100ffc40014000100000000000000000000000000000000ffc40014100100000000000000000000000000000000ffda0008010100003f0003ffd9',
)
const LOSSY = bytesOf(
  '524946463a00000057454250565038202e000000d002009d012a180007003fcdd6e2663fb4ae27300803f03989401760060d8000febba8617e0495ab49cfae000000',
)
const LOSSLESS = bytesOf('524946461e000000574542505650384c110000002f178001000750992257a6ff8188e87f0000')
const PDF = textOf('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< >>\nendobj\n%%EOF')

/** `bytes` with others from `at` on. */
function withAt(bytes: Uint8Array, at: number, hex: string): Uint8Array {
  const copy = bytes.slice()
  copy.set(bytesOf(hex), at)
  return copy
}

const SOF = 89
const canvas = (width: string, height: string): Uint8Array =>
  join(
    textOf('RIFF'),
    bytesOf('16000000'),
    textOf('WEBPVP8X'),
    bytesOf(`0a000000 10000000 ${width} ${height}`),
  )

describe('what a file is', () => {
  test.each<[string, Uint8Array, FileType]>([
    ['PDF', PDF, 'application/pdf'],
    ['PDF 2.0', textOf('%PDF-2.0\n'), 'application/pdf'],
    ['PNG', PNG, 'image/png'],
    ['JPEG', JPEG, 'image/jpeg'],
    ['progressive JPEG', withAt(JPEG, SOF + 1, 'c2'), 'image/jpeg'],
    [
      'JPEG with bytes that fill up',
      join(JPEG.slice(0, SOF), bytesOf('ffff'), JPEG.slice(SOF)),
      'image/jpeg',
    ],
    [
      'JPEG whose largest segments come first',
      join(
        JPEG.slice(0, 2),
        ...Array.from({ length: 20 }, () => join(bytesOf('ffe1ffff'), new Uint8Array(65_533))),
        JPEG.slice(2),
      ),
      'image/jpeg',
    ],
    ['lossy WebP', LOSSY, 'image/webp'],
    ['lossless WebP', LOSSLESS, 'image/webp'],
    ['WebP with a canvas', canvas('170000', '060000'), 'image/webp'],
    ['PNG of 40 million pixels', withAt(PNG, 16, '00001f40 00001388'), 'image/png'],
    ['JPEG of 40 million pixels', withAt(JPEG, SOF + 5, '1388 1f40'), 'image/jpeg'],
  ])('%s', (_name, bytes, type) => {
    expect(readFileType(bytes)).toEqual({ type })
  })

  test.each<[string, Uint8Array]>([
    ['a page', textOf('<!doctype html><script>alert(1)</script>')],
    ['a drawing', textOf('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['a picture of a kind that is not taken', textOf('GIF89a\x01\x00\x01\x00')],
    [
      'a picture of a telephone that few programs open',
      join(bytesOf('00000018'), textOf('ftypheic'), new Uint8Array(40)),
    ],
    ['an archive', textOf('PK\x03\x04')],
    ['a program', textOf('MZ\x90\x00')],
    ['a program that says that it is a PDF further on', join(textOf('MZ\x90\x00'), PDF)],
    ['a page that says that it is a PDF further on', join(textOf('<script>alert(1)</script>'), PDF)],
    ['a text', textOf('%PDF')],
    ['half a PNG', PNG.slice(0, 20)],
    ['a PNG that begins with another chunk', withAt(PNG, 12, '69434350')],
    ['a PNG without width', withAt(PNG, 16, '00000000')],
    ['a PNG without height', withAt(PNG, 20, '00000000')],
    ['the beginning of a JPEG', JPEG.slice(0, SOF + 6)],
    ['three bytes of a JPEG', JPEG.slice(0, 3)],
    ['a JPEG that tells its height at the end', withAt(JPEG, SOF + 5, '0000')],
    ['a JPEG that ends before it begins', join(JPEG.slice(0, SOF), bytesOf('ffd9'))],
    ['a JPEG whose segment has no length', join(JPEG.slice(0, 2), bytesOf('ffe00001'), JPEG.slice(2))],
    ['a JPEG with something between its segments', join(JPEG.slice(0, SOF), textOf('x'), JPEG.slice(SOF))],
    ['a WebP of a kind that there is not', withAt(LOSSY, 12, '56503839')],
    ['a lossy WebP without its mark', withAt(LOSSY, 23, '000000')],
    ['a lossless WebP without its mark', withAt(LOSSLESS, 20, '00')],
    ['the beginning of a WebP', LOSSY.slice(0, 28)],
    ['the beginning of a WebP with a canvas', canvas('170000', '060000').slice(0, 29)],
    ['another RIFF file', withAt(LOSSY, 8, '57415645')],
  ])('%s is nothing that may be sent', (_name, bytes) => {
    expect(readFileType(bytes)).toEqual({ fault: 'kind' })
  })

  test.each<[string, Uint8Array]>([
    ['PNG', withAt(PNG, 16, '0000ea60 0000ea60')],
    ['PNG with the largest numbers', withAt(PNG, 16, 'ffffffff ffffffff')],
    ['PNG of one pixel too many', withAt(PNG, 16, '00000001 02625a01')],
    ['JPEG', withAt(JPEG, SOF + 5, 'ffff ffff')],
    ['WebP', canvas('ffffff', 'ffffff')],
    ['lossy WebP', withAt(LOSSY, 26, 'ff3fff3f')],
    ['lossless WebP', withAt(LOSSLESS, 21, 'ffffffff')],
  ])('a %s that unpacks to far more than it weighs is refused unseen', (_name, bytes) => {
    expect(readFileType(bytes)).toEqual({ fault: 'pixels' })
  })

  test('nothing, and too much', () => {
    expect(readFileType(new Uint8Array(0))).toEqual({ fault: 'empty' })
    const full = new Uint8Array(LARGEST_FILE)
    full.set(PDF)
    expect(readFileType(full)).toEqual({ type: 'application/pdf' })
    const larger = new Uint8Array(LARGEST_FILE + 1)
    larger.set(PDF)
    expect(readFileType(larger)).toEqual({ fault: 'large' })
  })

  test('a JPEG of nothing but segments is read through at once', () => {
    const bytes = new Uint8Array(LARGEST_FILE).map((_, at) => [0xff, 0xe0, 0x00, 0x02][(at + 2) % 4] ?? 0)
    bytes.set(bytesOf('ffd8'))
    // Looked at anew from each segment, it would take days.
    expect(readFileType(bytes)).toEqual({ fault: 'kind' })
  }, 60_000)
})

describe('the name of a file', () => {
  test.each<[string, FileType, string]>([
    ['Kvitto från banken.pdf', 'application/pdf', 'Kvitto från banken.pdf'],
    ['IMG_0012.JPEG', 'image/jpeg', 'IMG_0012.jpg'],
    ['laskun kuva 2026.11.20.png', 'image/png', 'laskun kuva 2026-11-20.png'],
    ['photo.jpg', 'image/png', 'photo.png'],
    ['bill.pdf.exe', 'application/pdf', 'bill-pdf-exe.pdf'],
    ['bill.exe.pdf', 'application/pdf', 'bill-exe.pdf'],
    ['shell.php.jpg', 'image/jpeg', 'shell-php.jpg'],
    ['report', 'application/pdf', 'report.pdf'],
    ['../../etc/passwd', 'application/pdf', 'passwd.pdf'],
    ['..\\..\\windows\\system.ini', 'application/pdf', 'system-ini.pdf'],
    ['C:\\Users\\Alva\\kvitto.pdf', 'application/pdf', 'kvitto.pdf'],
    ['C:kvitto.pdf', 'application/pdf', 'C kvitto.pdf'],
    ['..', 'application/pdf', 'file.pdf'],
    ['.htaccess', 'application/pdf', 'htaccess.pdf'],
    ['', 'image/png', 'file.png'],
    [' . ', 'image/png', 'file.png'],
    ['CON', 'application/pdf', '_CON.pdf'],
    ['nul.png', 'image/png', '_nul.png'],
    ['LPT1.pdf', 'application/pdf', '_LPT1.pdf'],
    ['console.pdf', 'application/pdf', 'console.pdf'],
    ['\u202egpj.exe', 'image/jpeg', 'gpj-exe.jpg'],
    ['kvitto\u200b\u2066\ufeff.pdf', 'application/pdf', 'kvitto.pdf'],
    ['a\u0000b\r\nSet-Cookie: c.pdf', 'application/pdf', 'a b Set-Cookie c.pdf'],
    ['half \ud83d.pdf', 'application/pdf', 'half.pdf'],
    ['"><img src=x>.pdf', 'application/pdf', 'img src=x.pdf'],
    ['a%2f%00b.pdf', 'application/pdf', 'a 2f 00b.pdf'],
    ['e\u0301t\u00e9.pdf', 'application/pdf', '\u00e9t\u00e9.pdf'],
    ['kuva  1  .pdf', 'application/pdf', 'kuva 1.pdf'],
  ])('%j as %s is %j', (sent, type, name) => {
    expect(safeFileName(sent, type)).toBe(name)
  })

  test('is never long, whatever it is written in', () => {
    for (const letter of ['x', 'å', '請', '😀', '. ', '-', '\u202e', '/']) {
      const name = safeFileName(letter.repeat(100_000), 'image/jpeg')
      expect([...name].length).toBeLessThanOrEqual(64)
      expect(name).toMatch(/^[^./\\]+\.jpg$/)
    }
    expect(safeFileName('x'.repeat(1024), 'application/pdf')).toBe(`${'x'.repeat(60)}.pdf`)
  })
})
