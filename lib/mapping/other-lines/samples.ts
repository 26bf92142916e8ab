/** Leaves totals and other lines out of the values that suggestions are made from. Pure. */
import { MAX_CHECKED_TEXTS } from '../../../schemas/programs/limits.ts'
import type { Field } from '../../../schemas/sheets/fields.ts'
import { createLineFinder } from './classify.ts'
import { MAX_SHARE, suggestLeaveOut } from './suggest.ts'

type Values = ReadonlyMap<string, readonly unknown[]>

export function listRecordSamples(fields: readonly Pick<Field, 'key' | 'type'>[], samples: Values): Values {
  const config = suggestLeaveOut(fields, samples)
  if (!config) return samples
  const length = Math.max(...[...samples.values()].map((values) => values.length))
  const lines = createLineFinder(config)((key) => samples.get(key) ?? [], length)
  return lines.size === 0 || lines.size > length * MAX_SHARE
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
