/** Encrypted copies of one small workbook, by LibreOffice, msoffcrypto-tool, and a script that msoffcrypto-tool checked. */
import { readFileSync } from 'node:fs'

export const FILE_PASSWORD = 'harbour é'

export const readProtected = (name: string): Buffer =>
  readFileSync(new URL(`./workbooks/encrypted/${name}`, import.meta.url))

export function patchProtected(name: string, from: string, to: string): Buffer {
  const text = readProtected(name).toString('latin1')
  if (!text.includes(from) || from.length !== to.length) throw new Error(`${name} cannot have ${to} for ${from}`)
  return Buffer.from(text.replaceAll(from, to), 'latin1')
}
