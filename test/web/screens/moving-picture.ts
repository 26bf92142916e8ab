import type { Page } from 'playwright-core'

const QUALITY = 0.55
const OPAQUE_WITHOUT_BLENDING = 2

interface Part {
  x: number
  y: number
  width: number
  height: number
  webp: string
}

interface Frame extends Omit<Part, 'webp'> {
  image: Buffer
  durationMs: number
}

/** Encodes the part of the image that differs from the last one. WebP wants even coordinates. */
const ENCODE = `async (png) => {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
  const { width, height } = image
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true })
  context.drawImage(image, 0, 0)
  const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer)
  const last = globalThis.lastPixels
  globalThis.lastPixels = pixels
  let [left, top, right, bottom] = last ? [width, height, -1, -1] : [0, 0, width - 1, height - 1]
  if (last)
    for (let at = 0; at < pixels.length; at++)
      if (pixels[at] !== last[at]) {
        const [x, y] = [at % width, Math.floor(at / width)]
        if (x < left) left = x
        if (x > right) right = x
        if (y < top) top = y
        if (y > bottom) bottom = y
      }
  if (right < 0) return undefined
  left -= left % 2
  top -= top % 2
  const part = { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
  const cut = new OffscreenCanvas(part.width, part.height)
  cut.getContext('2d', { alpha: false }).drawImage(canvas, -left, -top)
  const blob = await cut.convertToBlob({ type: 'image/webp', quality: ${QUALITY} })
  const reader = new FileReader()
  await new Promise((resolve) => { reader.onload = resolve; reader.readAsDataURL(blob) })
  return { ...part, webp: reader.result.split(',')[1] }
}`

function writeUint24(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 3)
  values.forEach((value, at) => {
    bytes.writeUIntLE(value, at * 3, 3)
  })
  return bytes
}

function buildChunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 0, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

const [RIFF_HEAD_BYTES, CHUNK_HEAD_BYTES] = [12, 8]

/** A frame has no color profile, unlike the image that Chromium writes. */
function extractPixels(image: Buffer): Buffer {
  for (let at = RIFF_HEAD_BYTES; at < image.length; ) {
    const bytes = image.readUInt32LE(at + 4)
    const end = at + CHUNK_HEAD_BYTES + bytes + (bytes % 2)
    if (image.toString('latin1', at, at + 3) === 'VP8' && image[at + 3] !== 'X'.charCodeAt(0))
      return image.subarray(at, end)
    at = end
  }
  throw new Error('The image has no pixels')
}

const buildFrame = ({ x, y, width, height, durationMs, image }: Frame): Buffer =>
  buildChunk(
    'ANMF',
    Buffer.concat([
      writeUint24(x / 2, y / 2, width - 1, height - 1, durationMs),
      Buffer.from([OPAQUE_WITHOUT_BLENDING]),
      extractPixels(image),
    ]),
  )

/** The container of https://developers.google.com/speed/webp/docs/riff_container, which repeats without end. */
function buildAnimation(frames: readonly Frame[]): Buffer {
  const [{ width, height }] = frames as [Frame]
  const chunks = [
    buildChunk('VP8X', Buffer.concat([Buffer.from([2, 0, 0, 0]), writeUint24(width - 1, height - 1)])),
    buildChunk('ANIM', Buffer.alloc(6)),
    ...frames.map(buildFrame),
  ]
  return buildChunk('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]))
}

export async function recordMovingPicture(page: Page) {
  const studio = await page.context().newPage()
  const frames: Frame[] = []
  return {
    async addFrame(durationMs: number): Promise<void> {
      const png = (await page.screenshot()).toString('base64')
      const part = (await studio.evaluate(`(${ENCODE})('${png}')`)) as Part | undefined
      if (!part) frames.at(-1)!.durationMs += durationMs
      else frames.push({ ...part, durationMs, image: Buffer.from(part.webp, 'base64') })
    },
    finish: (): Buffer => buildAnimation(frames),
  }
}
