/** Leaves totals and other lines out of the values that suggestions are made from. Pure. */
import { MAX_CHECKED_TEXTS } from '../../../schemas/programs/limits.ts'
import type { LeaveOut } from '../../../schemas/programs/other-lines.ts'
import { createLineFinder } from './classify.ts'

type Values = ReadonlyMap<string, readonly unknown[]>

export function listRecordSamples(samples: Values, config: LeaveOut): Values {
  const length = Math.max(0, ...[...samples.values()].map((values) => values.length))
  const lines = createLineFinder(config)((key) => samples.get(key) ?? [], length)
  return lines.size === 0
    ? samples
    : new Map([...samples].map(([key, values]) => [key, values.filter((_, row) => !lines.has(row))]))
}

/** Longer columns stay as they are: a text that no sample of a record has can still be that of a record. */
export function withoutTextsOfLines(columns: Values, samples: Values, recordSamples: Values): Values {
  if (samples === recordSamples) return columns
  const isOfLine = (key: string): ((value: unknown) => boolean) => {
    const [all, ofRecords] = [samples.get(key) ?? [], new Set(recordSamples.get(key))]
    const ofLines = new Set(all.length < MAX_CHECKED_TEXTS ? all.filter((value) => !ofRecords.has(value)) : [])
    return (value) => ofLines.has(value)
  }
  return new Map(
    [...columns].map(([key, values]) => {
      const isLeftOut = isOfLine(key)
      return [key, values.filter((value) => !isLeftOut(value))]
    }),
  )
}
