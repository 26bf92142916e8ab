import '../../support/without-cloud.ts'
import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { runTask, startTask } from '../../../lib/core/threads/threads.ts'
import { mapTask } from '../../../lib/jobs/mapping/map-task.ts'
import { validateRules } from '../../../lib/mapping/rules/validate.ts'
import type { PackedBatch, SegmentsPart } from '../../../lib/records/index.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

const fields = [Field.parse({ key: 'name', type: 'string' })]
const rule = { name: '', type: 'assign', config: { sourceField: 'name', destinationField: 'name' } } as const
const sides = { source: fields, destination: fields }
const setup = {
  ...{ rules: validateRules([rule], sides).rules, sides },
  ...{ destination: { sheetId: 'us_sh_threads', fields }, segmentRows: 10 },
}

const createBatch = (names: readonly string[]): PackedBatch => {
  const raw = Buffer.from(names.map((name) => JSON.stringify(name)).join(',\n'))
  const { length } = names
  return {
    length,
    storedRows: length,
    liveRows: undefined,
    columns: new Map([['name', { raw, length, notes: new Map() }]]),
  }
}

const startMapping = () => startTask(mapTask, setup, { inThreads: true })

describe('a task in threads', () => {
  it.skipIf(availableParallelism() === 1)('packs its columns there and returns them as buffers', async () => {
    const { run, end } = await startMapping()
    const { part } = await run(createBatch(['Ada', 'Grace']))
    end()
    const [{ chunks }] = (part as SegmentsPart).segments as [SegmentsPart['segments'][0]]
    expect(chunks.map(({ raw, packed }) => [raw.toString('utf8'), Buffer.isBuffer(packed)])).toEqual([
      ['"Ada",\n"Grace"', true],
    ])
  })

  it('yields outputs in the order of the inputs', async () => {
    async function* readBatches(): AsyncGenerator<PackedBatch> {
      for (const length of [900, 1, 500, 2, 300, 3]) yield createBatch(new Array<string>(length).fill('Ada'))
    }
    const lengths: number[] = []
    for await (const { length } of runTask(mapTask, setup, readBatches(), { inThreads: true })) lengths.push(length)
    expect(lengths).toEqual([900, 1, 500, 2, 300, 3])
  })

  it('fails with the error of an input, and runs the next one', async () => {
    const { run, end } = await startMapping()
    await expect(run({ ...createBatch(['Ada']), liveRows: 'none' as never })).rejects.toThrow(Error)
    const { part } = await run(createBatch(['Grace']))
    end()
    expect((part as SegmentsPart).segments[0]!.rows).toBe(1)
  })
})
