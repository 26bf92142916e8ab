import { type Hashes, hashInto } from './hash.ts'

export interface HashList extends Hashes {
  length: number
}

export const createHashList = (capacity: number): HashList => ({
  hi: new Uint32Array(capacity),
  lo: new Uint32Array(capacity),
  at: new Uint32Array(capacity),
  length: 0,
})

export function reserveHash(list: HashList): void {
  if (list.length < list.hi.length) return
  const grown = createHashList(list.length * 2 + 16)
  for (const part of ['hi', 'lo', 'at'] as const) {
    grown[part].set(list[part])
    list[part] = grown[part]
  }
}

export function addHash(list: HashList, text: string, at: number): void {
  reserveHash(list)
  hashInto(text, list.hi, list.lo, list.length)
  list.at[list.length++] = at
}

export function takeHashes(list: HashList): Hashes {
  const { hi, lo, at, length } = list
  list.length = 0
  return { hi: hi.slice(0, length), lo: lo.slice(0, length), at: at.slice(0, length) }
}
