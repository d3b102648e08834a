/**
 * A picture of the brand as it may be kept and shown to everybody: decoded and written anew, so that what was hidden in the file (places,
 * names, programs) is gone, and of the size that a phone loads.
 */
import { LARGEST_PICTURE_BYTES, type Picture } from '@kvitt/domain/instances/pictures.ts'
import { PictureRefused } from './provider-refused.ts'
import { cleanSvg, type Removed } from './clean-svg.ts'
import { readPictureType } from './picture-type.ts'

export type CleanPicture = {
  readonly content: Uint8Array
  readonly mimeType: string
  readonly ending: string
  readonly removed: Removed
}

/** As it is kept: it is loaded on a phone. */
const LARGEST_KEPT = 1_000_000
/** A file of some bytes can stand for pixels without end. */
const MOST_PIXELS = 40_000_000
/** The longer side of what is kept. */
const LONGEST_SIDE: Readonly<Record<Picture, number>> = {
  logo: 1_024,
  favicon: 512,
  background: 2_560,
  loginBackground: 2_560,
}
const PATIENCE_SECONDS = 10

/** Throws PictureRefused with what is wrong. */
export async function cleanPicture(picture: Picture, bytes: Uint8Array): Promise<CleanPicture> {
  if (bytes.length > LARGEST_PICTURE_BYTES)
    throw new PictureRefused(
      'large',
      `The ${picture} has more than ${LARGEST_PICTURE_BYTES / 1024 / 1024} MB.`,
    )
  const type = readPictureType(bytes)
  if (!type) throw new PictureRefused('kind', `The ${picture} is no SVG, PNG, JPEG or WebP picture.`)
  const clean = await (type.ending === 'svg'
    ? drawn(bytes)
    : inTurn(() => decoded(picture, bytes, type.ending)))
  if (clean.content.length > LARGEST_KEPT)
    throw new PictureRefused(
      'size',
      `The ${picture} has more than ${LARGEST_KEPT / 1_000_000} MB when it is written anew.`,
    )
  return { ...type, ...clean }
}

type Cleaned = Pick<CleanPicture, 'content' | 'removed'>

async function drawn(bytes: Uint8Array): Promise<Cleaned> {
  const { text, removed } = cleanSvg(bytes)
  return { content: Buffer.from(text), removed }
}

/** A photograph of 40 million pixels takes 320 MB while it is decoded: this process decodes one after the other. */
let last: Promise<unknown> = Promise.resolve()
let waiting = 0
const MOST_WAITING = 8

async function inTurn(work: () => Promise<Cleaned>): Promise<Cleaned> {
  if (waiting >= MOST_WAITING)
    throw new PictureRefused('busy', `${MOST_WAITING} pictures wait already. Try again soon.`)
  waiting += 1
  const turn = last.then(work).finally(() => (waiting -= 1))
  // Whoever comes next waits for the end, whatever it is.
  last = turn.catch(() => undefined)
  return turn
}

async function decoded(picture: Picture, bytes: Uint8Array, ending: string): Promise<Cleaned> {
  const sharp = await openSharp()
  const side = LONGEST_SIDE[picture]
  try {
    const image = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error', pages: 1 })
      .timeout({ seconds: PATIENCE_SECONDS })
      // As the camera says it was held; afterwards the file says nothing of a camera.
      .rotate()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    const { exif, icc, iptc, xmp, comments } = await image.metadata()
    const others = [exif, icc, iptc, xmp, comments].filter((one) => one !== undefined).length
    return { content: await formatted(image, ending), removed: { scripts: 0, links: 0, others } }
  } catch (error) {
    if (/pixel limit/i.test(String(error)))
      throw new PictureRefused(
        'pixels',
        `The ${picture} has more than ${MOST_PIXELS / 1_000_000} million pixels.`,
      )
    throw new PictureRefused('broken', `The ${picture} is broken: it could not be read as a picture.`)
  }
}

type Sharp = Awaited<ReturnType<typeof openSharp>>

function formatted(image: ReturnType<Sharp>, ending: string): Promise<Buffer> {
  if (ending === 'png') return image.png({ compressionLevel: 9 }).toBuffer()
  if (ending === 'webp') return image.webp({ quality: 85 }).toBuffer()
  return image.jpeg({ quality: 85, mozjpeg: true }).toBuffer()
}

let opened: ReturnType<typeof loadSharp> | undefined

/** Loaded with the first picture, once: whoever never keeps one never needs it. It reads these three and nothing else. */
function openSharp(): ReturnType<typeof loadSharp> {
  opened ??= loadSharp()
  return opened
}

async function loadSharp() {
  const { default: sharp } = await import('sharp').catch(() => {
    throw new PictureRefused(
      'reader',
      'This machine has no build of sharp, which reads photographs. SVG can be kept.',
    )
  })
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] })
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}
