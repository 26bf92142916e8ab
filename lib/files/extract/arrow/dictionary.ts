import type { Batch, Field } from '@uwdata/flechette'
import { createDamagedError } from './damage.ts'
import type { ValueType } from './values.ts'

export interface ValueNode {
  name: string
  kind: 'leaf' | 'null' | 'list' | 'map' | 'struct' | 'dictionary'
  type?: ValueType
  children: ValueNode[]
  dictionary?: Dictionary
}

const MAX_CACHED_LENGTH = 100

export class Dictionary {
  readonly node: ValueNode
  readonly field: Field
  bytes = 0
  #batches: Batch<unknown>[] = []
  #starts: number[] = []
  #length = 0
  #texts: (string | undefined)[] = []

  constructor(node: ValueNode, field: Field) {
    this.node = node
    this.field = field
  }

  replace(batch: Batch<unknown>): void {
    this.#batches = []
    this.#starts = []
    this.#length = 0
    this.extend(batch)
  }

  extend(batch: Batch<unknown>): void {
    this.#batches.push(batch)
    this.#starts.push(this.#length)
    this.#length += batch.length
  }

  /** Values may contain those of another dictionary. */
  forgetTexts(): void {
    this.#texts = []
  }

  get isEmpty(): boolean {
    return this.#batches.length === 0
  }

  find(key: number): { batch: Batch<unknown>; row: number } {
    if (!(key >= 0 && key < this.#length)) throw createDamagedError('a value is missing from its dictionary')
    const part = this.#findPart(key)
    return { batch: this.#batches[part]!, row: key - this.#starts[part]! }
  }

  #findPart(key: number): number {
    let [low, high] = [0, this.#starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#starts[middle]! <= key) low = middle
      else high = middle - 1
    }
    return low
  }

  getText(key: number, read: (batch: Batch<unknown>, row: number) => string): string {
    const cached = this.#texts[key]
    if (cached !== undefined) return cached
    const { batch, row } = this.find(key)
    const text = read(batch, row)
    if (text.length <= MAX_CACHED_LENGTH) this.#texts[key] = text
    return text
  }
}
