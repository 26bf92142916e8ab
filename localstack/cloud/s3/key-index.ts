/**
 * The keys of one bucket in UTF-8 byte order, and the pages a listing takes from them.
 * In memory and pure: knows no file and no XML.
 */
export interface ListedObject {
  sizeBytes: number
  etag: string
  /** ms since the epoch */
  lastModified: number
}

export interface PageRequest {
  prefix: string
  delimiter: string
  maxKeys: number
  /** Where the page begins: after this key, or after all keys of this common prefix. */
  after?: { key: string } | { commonPrefix: string }
}

export interface Page {
  objects: [key: string, object: ListedObject][]
  commonPrefixes: string[]
  /** Where the next page begins; absent on the last one. */
  next?: PageRequest['after']
}

export class KeyIndex {
  readonly #objects: Map<string, ListedObject>
  readonly #keys: string[]

  constructor(objects: Iterable<[string, ListedObject]> = []) {
    this.#objects = new Map(objects)
    this.#keys = [...this.#objects.keys()].sort(compareKeys)
  }

  get size(): number {
    return this.#keys.length
  }

  set(key: string, object: ListedObject): void {
    if (!this.#objects.has(key)) this.#keys.splice(this.#positionOf(key), 0, key)
    this.#objects.set(key, object)
  }

  delete(key: string): void {
    if (this.#objects.delete(key)) this.#keys.splice(this.#positionOf(key), 1)
  }

  /** Keys with `prefix`, those that hold `delimiter` after it rolled up to one common prefix each. */
  page({ prefix, delimiter, maxKeys, after }: PageRequest): Page {
    const page: Page = { objects: [], commonPrefixes: [] }
    let at = Math.max(this.#positionOf(prefix), this.#start(after))
    let last: PageRequest['after']
    for (let count = 0; this.#keys[at]?.startsWith(prefix); count++) {
      if (count >= maxKeys) return maxKeys > 0 ? { ...page, next: last } : page
      const key = this.#keys[at]!
      const commonPrefix = rollUp(key, prefix, delimiter)
      if (commonPrefix === undefined) {
        page.objects.push([key, this.#objects.get(key)!])
        last = { key }
        at++
      } else {
        page.commonPrefixes.push(commonPrefix)
        last = { commonPrefix }
        at = this.#endOf(commonPrefix)
      }
    }
    return page
  }

  #start(after: PageRequest['after']): number {
    if (!after) return 0
    if ('commonPrefix' in after) return this.#endOf(after.commonPrefix)
    return this.#search((key) => compareKeys(key, after.key) > 0)
  }

  /** The position of the first key not before `key`. */
  #positionOf(key: string): number {
    return this.#search((other) => compareKeys(other, key) >= 0)
  }

  /** The position behind the last key with `prefix`. */
  #endOf(prefix: string): number {
    return this.#search((key) => compareKeys(key, prefix) > 0 && !key.startsWith(prefix))
  }

  /** The first position whose key is `beyond`; keys beyond must follow all others. */
  #search(beyond: (key: string) => boolean): number {
    let low = 0
    let high = this.#keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (beyond(this.#keys[middle]!)) high = middle
      else low = middle + 1
    }
    return low
  }
}

function rollUp(key: string, prefix: string, delimiter: string): string | undefined {
  const at = delimiter ? key.indexOf(delimiter, prefix.length) : -1
  return at < 0 ? undefined : key.slice(0, at + delimiter.length)
}

/** UTF-8 byte order. JavaScript compares UTF-16 units, which puts surrogates before U+E000 to U+FFFF. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (left !== right) return utf8Rank(left) - utf8Rank(right)
  }
  return a.length - b.length
}

const utf8Rank = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit)
