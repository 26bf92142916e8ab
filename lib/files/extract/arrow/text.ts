/** Writes a value of a record batch as the text of a cell. Pure. */
import type { Batch } from '@uwdata/flechette'
import { VALUE_BYTES } from '../../../../schemas/kit/byte-limits.ts'
import type { ValueNode } from './dictionary.ts'
import { getListRange, isNull } from './values.ts'

export class TextTooLongError extends Error {}

export function toText(node: ValueNode, batch: Batch<unknown>, row: number): string {
  if (isNull(batch, row)) return ''
  if (node.kind === 'leaf') return assertLength(node.type!.toText(batch, row))
  if (node.kind === 'dictionary') {
    const { dictionary } = node
    return dictionary!.getText(Number(batch.values[row]), (found, at) => toText(dictionary!.node, found, at))
  }
  return new JsonText().write(node, batch, row)
}

function assertLength(text: string): string {
  if (text.length > VALUE_BYTES) throw new TextTooLongError()
  return text
}

class JsonText {
  #length = 0

  write(node: ValueNode, batch: Batch<unknown>, row: number): string {
    if (isNull(batch, row)) return this.#add('null')
    if (node.kind === 'leaf') return this.#add(toJsonLeaf(node, batch, row))
    if (node.kind === 'dictionary') {
      const found = node.dictionary!.find(Number(batch.values[row]))
      return this.write(node.dictionary!.node, found.batch, found.row)
    }
    if (node.kind === 'struct') return this.#writeStruct(node, batch, row)
    return node.kind === 'map' ? this.#writeMap(node, batch, row) : this.#writeList(node, batch, row)
  }

  #writeStruct({ children }: ValueNode, batch: Batch<unknown>, row: number): string {
    const members = children.map(
      (child, i) => `${this.#add(JSON.stringify(child.name))}:${this.write(child, batch.children[i]!, row)}`,
    )
    return this.#add('{}') && `{${members.join(',')}}`
  }

  #writeList({ children }: ValueNode, batch: Batch<unknown>, row: number): string {
    const [start, end] = getListRange(batch, row)
    const items: string[] = []
    for (let at = start; at < end; at++) items.push(this.write(children[0]!, batch.children[0]!, at))
    return this.#add('[]') && `[${items.join(',')}]`
  }

  #writeMap({ children: [entry] }: ValueNode, batch: Batch<unknown>, row: number): string {
    const [start, end] = getListRange(batch, row)
    const [keys, values] = batch.children[0]!.children
    const members: string[] = []
    for (let at = start; at < end; at++) {
      const key = this.write(entry!.children[0]!, keys!, at)
      const value = this.write(entry!.children[1]!, values!, at)
      members.push(`${key.startsWith('"') ? key : JSON.stringify(key)}:${value}`)
    }
    return this.#add('{}') && `{${members.join(',')}}`
  }

  #add(text: string): string {
    this.#length += text.length
    if (this.#length > VALUE_BYTES) throw new TextTooLongError()
    return text
  }
}

function toJsonLeaf({ type }: ValueNode, batch: Batch<unknown>, row: number): string {
  const text = type!.toText(batch, row)
  return type!.isQuoted || !/^(?:-?\d|true|false)/.test(text) ? JSON.stringify(text) : text
}
