/** Lists of 32-bit words that grow. */
export interface Words {
  list: Uint32Array
  length: number
}

/** @param room words there will be, about */
export const words = (room = 0): Words => ({ list: new Uint32Array(Math.max(room, 256)), length: 0 })

export function pushWord(own: Words, word: number): void {
  if (own.length === own.list.length) {
    const grown = new Uint32Array(own.list.length * 2)
    grown.set(own.list)
    own.list = grown
  }
  own.list[own.length++] = word
}

/** The same bytes with twice the room. */
export function growBytes(bytes: Uint8Array): Uint8Array {
  const grown = new Uint8Array(bytes.length * 2)
  grown.set(bytes)
  return grown
}
