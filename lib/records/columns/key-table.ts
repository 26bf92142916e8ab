/** Numbers distinct 64-bit hashes by open addressing, from 0; -1 if missing. Takes 16 to 32 bytes per hash. */
export interface KeyTable {
  readonly size: number
  find(hi: number, lo: number): number
  add(hi: number, lo: number): number
  getHash(number: number): { hi: number; lo: number }
}

const MIN_CAPACITY = 16

export function createKeyTable(expected = 0): KeyTable {
  let capacity = MIN_CAPACITY
  while (capacity < expected) capacity *= 2
  let his = new Uint32Array(capacity)
  let los = new Uint32Array(capacity)
  let slots = new Int32Array(2 * capacity).fill(-1)
  let size = 0

  function findSlot(hi: number, lo: number): number {
    const mask = slots.length - 1
    let slot = (hi ^ lo) & mask
    for (let number = slots[slot]!; number >= 0; number = slots[slot]!) {
      if (his[number] === hi && los[number] === lo) break
      slot = (slot + 1) & mask
    }
    return slot
  }

  function grow(): void {
    capacity *= 2
    his = resize(his, capacity)
    los = resize(los, capacity)
    slots = new Int32Array(2 * capacity).fill(-1)
    for (let number = 0; number < size; number++) slots[findSlot(his[number]!, los[number]!)] = number
  }

  return {
    get size() {
      return size
    },
    find: (hi, lo) => slots[findSlot(hi, lo)]!,
    add(hi, lo) {
      if (size === capacity) grow()
      his[size] = hi
      los[size] = lo
      slots[findSlot(hi, lo)] = size
      return size++
    },
    getHash: (number) => ({ hi: his[number]!, lo: los[number]! }),
  }
}

export function resize(source: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const resized = new Uint32Array(length)
  resized.set(source)
  return resized
}
