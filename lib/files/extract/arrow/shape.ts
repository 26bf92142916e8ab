/** Checks that the buffers of a column have the values that its length and offsets declare. Pure. */
import type { Batch } from '@uwdata/flechette'
import { Type } from '@uwdata/flechette/src/constants.js'
import { createDamagedError } from './damage.ts'

const VIEW_BYTES = 16

export function assertShape(batch: Batch<unknown>, length: number): void {
  if (!(batch.length >= length)) throw createDamagedError('a column has too few values')
  if (batch.type.typeId === Type.Null) return
  if (batch.nullCount !== 0 && batch.validity.length * 8 < batch.length)
    throw createDamagedError('a column has too few validity bits')
  const needed = countValues(batch)
  if (needed !== undefined && !(batch.values.length >= needed)) throw createDamagedError('a column has too few values')
  if (batch.offsets && batch.length > 0) assertOffsets(batch)
  assertChildren(batch)
}

function countValues({ type, length }: Batch<unknown>): number | undefined {
  switch (type.typeId) {
    case Type.Bool:
      return length / 8
    case Type.Decimal:
      return type.bitWidth === 32 ? length : (length * type.bitWidth) / 64
    case Type.FixedSizeBinary:
      if (type.stride < 0) throw createDamagedError('a type has a negative size')
      return length * type.stride
    case Type.BinaryView:
      return length * VIEW_BYTES
    case Type.Int:
    case Type.Float:
    case Type.Date:
    case Type.Time:
    case Type.Timestamp:
    case Type.Duration:
      return length
    default:
      return undefined
  }
}

function assertOffsets({ offsets, sizes, values, children, length }: Batch<unknown>): void {
  const limit = children ? children[0]!.length : values.length
  if (offsets.length < length + (sizes ? 0 : 1) || (sizes && sizes.length < length))
    throw createDamagedError('a column has too few offsets')
  for (let row = 0; row < length; row++) {
    const start = Number(offsets[row])
    const end = sizes ? start + Number(sizes[row]) : Number(offsets[row + 1])
    if (!(start >= 0 && start <= end && end <= limit)) throw createDamagedError('a column has invalid offsets')
  }
}

function assertChildren({ type, children, length }: Batch<unknown>): void {
  if (!children) return
  if (type.typeId === Type.FixedSizeList && type.stride < 0) throw createDamagedError('a type has a negative size')
  const needed = type.typeId === Type.FixedSizeList ? length * type.stride : type.typeId === Type.Struct ? length : 0
  for (const child of children) assertShape(child, needed)
}
