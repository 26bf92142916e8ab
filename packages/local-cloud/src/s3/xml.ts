import { XMLParser } from 'fast-xml-parser'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Control characters become character references, as on AWS: keys may contain any of them. */
const escapeText = (value: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: object keys may contain control characters.
  value.replace(/[&<>"'\u0000-\u001f\u007f\u0085\u2028]/g, (character) => {
    return ESCAPES[character] ?? `&#x${character.charCodeAt(0).toString(16)};`
  })

export const buildText = (name: string, value: string | number | boolean | undefined): string =>
  value === undefined ? '' : `<${name}>${escapeText(String(value))}</${name}>`

export const buildElement = (name: string, ...children: string[]): string => `<${name}>${children.join('')}</${name}>`

export function buildDocument(root: string, ...children: string[]): string {
  const namespace = root === 'Error' ? '' : ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"'
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${namespace}>${children.join('')}</${root}>`
}

export type XmlValue = string | XmlElement | XmlValue[]
export interface XmlElement {
  [name: string]: XmlValue | undefined
}

/** Without the small default limits on entities: a body of a thousand keys may contain thousands. */
const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
  processEntities: { maxTotalExpansions: 2_000_000, maxExpandedLength: 4_000_000, maxEntityCount: 0 },
})

export function parseDocument(source: string, root: string): XmlElement | undefined {
  try {
    const parsed: Record<string, XmlValue | undefined> = parser.parse(source, true)
    const rootValue = parsed[root]
    if (rootValue === '') return {}
    return typeof rootValue === 'object' && !Array.isArray(rootValue) ? rootValue : undefined
  } catch {
    return undefined
  }
}

export function childElements(parent: XmlElement, name: string): XmlElement[] {
  const value = parent[name]
  const values = value === undefined ? [] : Array.isArray(value) ? value : [value]
  return values.map((item) => (typeof item === 'object' && !Array.isArray(item) ? item : {}))
}

export function childText(parent: XmlElement, name: string): string | undefined {
  const value = parent[name]
  return typeof value === 'string' ? value : undefined
}
