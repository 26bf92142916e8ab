/** Counts how often texts occur, as bytes: none is decoded before it is asked for. */
import { randomBytes } from 'node:crypto'

interface Counted {
  bytes: Buffer
  count: number
}

/** Slots for each text at least: a search meets few others. */
const SLOTS_A_TEXT = 2
const FIRST_SLOTS = 1024

export class Tally {
  /** Indexes into `texts`, plus one; 0 is free. Open addressing, a power of two long. */
  private slots = new Int32Array(FIRST_SLOTS)
  private hashes: number[] = []
  private readonly texts: Counted[] = []
  /** Another one each time, so that nobody can choose texts that all meet in one slot. */
  private readonly seed = randomBytes(4).readInt32LE()

  /** Counts the text in bytes [start, end). */
  add(bytes: Buffer, start: number, end: number): void {
    const hash = hashOf(this.seed, bytes, start, end)
    const mask = this.slots.length - 1
    let slot = hash & mask
    for (let found = this.slots[slot]!; found; found = this.slots[slot]!) {
      const text = this.texts[found - 1]!
      if (this.hashes[found - 1] === hash && isSame(text.bytes, bytes, start, end)) {
        text.count++
        return
      }
      slot = (slot + 1) & mask
    }
    this.hashes.push(hash)
    this.slots[slot] = this.texts.push({ bytes: Buffer.from(bytes.subarray(start, end)), count: 1 })
    if (this.texts.length * SLOTS_A_TEXT > this.slots.length) this.grow()
  }

  /** Each text and its count, in the order they were met. */
  *entries(): Generator<[text: string, count: number]> {
    for (const { bytes, count } of this.texts) yield [bytes.toString('utf8'), count]
  }

  private grow(): void {
    this.slots = new Int32Array(this.slots.length * 2)
    const mask = this.slots.length - 1
    this.hashes.forEach((hash, i) => {
      let slot = hash & mask
      while (this.slots[slot]) slot = (slot + 1) & mask
      this.slots[slot] = i + 1
    })
  }
}

/** FNV-1a, with its high bits mixed into the low ones. */
function hashOf(seed: number, bytes: Buffer, start: number, end: number): number {
  let hash = seed
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  return hash ^ (hash >>> 15)
}

function isSame(text: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false
  for (let i = 0; i < text.length; i++) if (text[i] !== bytes[start + i]) return false
  return true
}
