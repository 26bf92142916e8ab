export interface U32List {
  values: Uint32Array
  length: number
}

export const createU32List = (capacity = 0): U32List => ({
  values: new Uint32Array(Math.max(capacity, 256)),
  length: 0,
})

export function pushU32(list: U32List, value: number): void {
  if (list.length === list.values.length) {
    const grown = new Uint32Array(list.values.length * 2)
    grown.set(list.values)
    list.values = grown
  }
  list.values[list.length++] = value
}

export function growBytes(bytes: Uint8Array): Uint8Array {
  const grown = new Uint8Array(bytes.length * 2)
  grown.set(bytes)
  return grown
}
