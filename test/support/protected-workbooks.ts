/** Encrypted copies of one workbook by LibreOffice, msoffcrypto-tool, and scripts that it or odfdecrypt checked. */
import { createCipheriv, createHash, pbkdf2Sync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'
import { createZip } from './xlsx-by-hand.ts'

export const FILE_PASSWORD = 'harbour é'

export const readProtected = (name: string): Buffer =>
  readFileSync(new URL(`./workbooks/encrypted/${name}`, import.meta.url))

export function patchProtected(name: string, from: string, to: string): Buffer {
  const text = readProtected(name).toString('latin1')
  if (!text.includes(from) || from.length !== to.length) throw new Error(`${name} cannot have ${to} for ${from}`)
  return Buffer.from(text.replaceAll(from, to), 'latin1')
}

const ODS_SALT = Buffer.alloc(16, 1)
const ODS_IV = Buffer.alloc(16, 2)

const keep = (manifest: string): string => manifest

/** An ODS file with encrypted content, which is compressed before, and a changed manifest. */
export function protectOds(content: Buffer, change = keep, packed = deflateRawSync(content, { level: 9 })): Buffer {
  const key = pbkdf2Sync(createHash('sha256').update(FILE_PASSWORD).digest(), ODS_SALT, 1000, 32, 'sha1')
  const checksum = createHash('sha256').update(packed.subarray(0, 1024)).digest('base64')
  const cipher = createCipheriv('aes-256-cbc', key, ODS_IV)
  const manifest = `<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry m:full-path="content.xml" m:media-type="text/xml"><m:encryption-data m:checksum-type="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0#sha256-1k" m:checksum="${checksum}"><m:algorithm m:algorithm-name="http://www.w3.org/2001/04/xmlenc#aes256-cbc" m:initialisation-vector="${ODS_IV.toString('base64')}"/><m:start-key-generation m:start-key-generation-name="http://www.w3.org/2000/09/xmldsig#sha256" m:key-size="32"/><m:key-derivation m:key-derivation-name="PBKDF2" m:key-size="32" m:iteration-count="1000" m:salt="${ODS_SALT.toString('base64')}"/></m:encryption-data></m:file-entry></m:manifest>`
  return createZip(
    {
      mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
      'content.xml': Buffer.concat([cipher.update(packed), cipher.final()]),
      'META-INF/manifest.xml': change(manifest),
    },
    0,
  )
}

export const findXlsMethod = (bytes: Buffer): number => bytes.indexOf(Buffer.from([0x2f, 0x00])) + 4
