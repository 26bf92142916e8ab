/** CRC-32C, for which Node has no native code. Slicing-by-8: https://www.rfc-editor.org/rfc/rfc3720#appendix-B.4 */
const REVERSED_POLYNOMIAL = 0x82f63b78

/** TABLES[0] advances by one byte; TABLES[n] by that byte followed by n zero bytes. */
const TABLES: Int32Array[] = buildTables()

function buildTables(): Int32Array[] {
  const first = new Int32Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? REVERSED_POLYNOMIAL ^ (crc >>> 1) : crc >>> 1
    first[byte] = crc
  }
  const tables = [first]
  for (let step = 1; step < 8; step++) {
    const previous = tables[step - 1]!
    tables.push(previous.map((crc) => first[crc & 0xff]! ^ (crc >>> 8)))
  }
  return tables
}

/** Start from 0; the result is an unsigned 32-bit number. */
export function crc32c(bytes: Uint8Array, start = 0): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ]
  let crc = ~start
  let offset = 0
  for (const end = bytes.length - 7; offset < end; offset += 8) {
    const word =
      crc ^ (bytes[offset]! | (bytes[offset + 1]! << 8) | (bytes[offset + 2]! << 16) | (bytes[offset + 3]! << 24))
    crc =
      t7[word & 0xff]! ^
      t6[(word >>> 8) & 0xff]! ^
      t5[(word >>> 16) & 0xff]! ^
      t4[word >>> 24]! ^
      t3[bytes[offset + 4]!]! ^
      t2[bytes[offset + 5]!]! ^
      t1[bytes[offset + 6]!]! ^
      t0[bytes[offset + 7]!]!
  }
  for (; offset < bytes.length; offset++) crc = t0[(crc ^ bytes[offset]!) & 0xff]! ^ (crc >>> 8)
  return ~crc >>> 0
}
