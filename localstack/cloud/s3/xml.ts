/**
 * XML as S3 speaks it: small builders for the answers, and a reader for request bodies.
 * Knows no S3 document: the operations name the elements.
 */
import { XMLParser } from 'fast-xml-parser'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Control characters are written as character references, as AWS does: keys may hold any of them. */
const escapeText = (value: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: object keys may contain control characters.
  value.replace(/[&<>"'\u0000-\u001f\u007f\u0085\u2028]/g, (character) => {
    return ESCAPES[character] ?? `&#x${character.charCodeAt(0).toString(16)};`
  })

/** An element with text, or nothing when the value is undefined. */
export const text = (name: string, value: string | number | boolean | undefined): string =>
  value === undefined ? '' : `<${name}>${escapeText(String(value))}</${name}>`

/** An element of elements. */
export const element = (name: string, ...children: string[]): string => `<${name}>${children.join('')}</${name}>`

/** A whole document. AWS puts its namespace on every root but Error. */
export function document(root: string, ...children: string[]): string {
  const namespace = root === 'Error' ? '' : ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"'
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${namespace}>${children.join('')}</${root}>`
}

/** What the reader gives: text, an element of elements, or a list of either when a name repeats. */
export type XmlValue = string | XmlElement | XmlValue[]
export interface XmlElement {
  [name: string]: XmlValue | undefined
}

/** Entities are decoded without the small default caps: a body of a thousand keys may hold thousands of them. */
const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
  processEntities: { maxTotalExpansions: 2_000_000, maxExpandedLength: 4_000_000, maxEntityCount: 0 },
})

/** Reads one document whose root must be `root`; undefined when it is not well-formed or something else. */
export function parseDocument(source: string, root: string): XmlElement | undefined {
  try {
    const parsed: Record<string, XmlValue | undefined> = parser.parse(source, true)
    const found = parsed[root]
    if (found === '') return {}
    return typeof found === 'object' && !Array.isArray(found) ? found : undefined
  } catch {
    return undefined
  }
}

/** The elements of one name: none, one or many. */
export function childElements(parent: XmlElement, name: string): XmlElement[] {
  const value = parent[name]
  const list = value === undefined ? [] : Array.isArray(value) ? value : [value]
  return list.map((item) => (typeof item === 'object' && !Array.isArray(item) ? item : {}))
}

/** The text of one child, or undefined when it is absent or not text. */
export function childText(parent: XmlElement, name: string): string | undefined {
  const value = parent[name]
  return typeof value === 'string' ? value : undefined
}
