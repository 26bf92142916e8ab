import { message } from '../../../../schemas/messages/index.ts'
import { unprocessable } from '../../../core/errors.ts'
import type { MergedRange } from '../workbook/sheet.ts'
import { localName } from '../xml.ts'
import { parsePart } from '../zip/parse-entry.ts'
import type { SheetPart } from './parts.ts'
import { parseColumn } from './sheet.ts'

export async function* readMergedRanges({ name, entry }: SheetPart): AsyncGenerator<MergedRange> {
  const ranges: MergedRange[] = []
  const open = (qualified: string, { ref = '' }: Readonly<Record<string, string>>) => {
    if (localName(qualified) !== 'mergeCell') return
    const range = parseRange(ref)
    if (!range) {
      const reason = message('files.invalidMergedRange', { range: ref })
      throw unprocessable(message('files.sheetReason', { sheet: name, reason }))
    }
    ranges.push(range)
  }
  for await (const _ of parsePart(entry, { open, close: () => {}, text: () => {} })) yield* ranges.splice(0)
}

function parseRange(reference: string): MergedRange | undefined {
  const [first = '', last = first] = reference.split(':')
  const [left, right] = [parseColumn(first), parseColumn(last)]
  const [top, bottom] = [first, last].map((cellReference) => Number(/\d+$/.exec(cellReference)?.[0] ?? 0)) as [
    number,
    number,
  ]
  return left < 0 || top < 1 || right < left || bottom < top ? undefined : { top, bottom, left, right }
}
