/** An in-memory index of a bucket's keys in UTF-8 byte order, for listings. */
export interface ListedObject {
  sizeBytes: number
  etag: string
  lastModified: number
}

export interface PageRequest {
  prefix: string
  delimiter: string
  maxKeys: number
  after?: { key: string } | { commonPrefix: string }
}

export interface Page {
  objects: [key: string, object: ListedObject][]
  commonPrefixes: string[]
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
    if (!this.#objects.has(key)) this.#keys.splice(this.#findPosition(key), 0, key)
    this.#objects.set(key, object)
  }

  delete(key: string): void {
    if (this.#objects.delete(key)) this.#keys.splice(this.#findPosition(key), 1)
  }

  getPage({ prefix, delimiter, maxKeys, after }: PageRequest): Page {
    const page: Page = { objects: [], commonPrefixes: [] }
    let position = Math.max(this.#findPosition(prefix), this.#findStart(after))
    let last: PageRequest['after']
    for (let count = 0; this.#keys[position]?.startsWith(prefix); count++) {
      if (count >= maxKeys) return maxKeys > 0 ? { ...page, next: last } : page
      const key = this.#keys[position]!
      const commonPrefix = rollUp(key, prefix, delimiter)
      if (commonPrefix === undefined) {
        page.objects.push([key, this.#objects.get(key)!])
        last = { key }
        position++
      } else {
        page.commonPrefixes.push(commonPrefix)
        last = { commonPrefix }
        position = this.#findEnd(commonPrefix)
      }
    }
    return page
  }

  #findStart(after: PageRequest['after']): number {
    if (!after) return 0
    if ('commonPrefix' in after) return this.#findEnd(after.commonPrefix)
    return this.#search((key) => compareKeys(key, after.key) > 0)
  }

  #findPosition(key: string): number {
    return this.#search((candidate) => compareKeys(candidate, key) >= 0)
  }

  #findEnd(prefix: string): number {
    return this.#search((key) => compareKeys(key, prefix) > 0 && !key.startsWith(prefix))
  }

  #search(isBeyond: (key: string) => boolean): number {
    let low = 0
    let high = this.#keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBeyond(this.#keys[middle]!)) high = middle
      else low = middle + 1
    }
    return low
  }
}

function rollUp(key: string, prefix: string, delimiter: string): string | undefined {
  const delimiterStart = delimiter ? key.indexOf(delimiter, prefix.length) : -1
  return delimiterStart < 0 ? undefined : key.slice(0, delimiterStart + delimiter.length)
}

/** JavaScript compares UTF-16 units, which sorts surrogates before U+E000 to U+FFFF. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (left !== right) return rankAsUtf8(left) - rankAsUtf8(right)
  }
  return a.length - b.length
}

const rankAsUtf8 = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit)
