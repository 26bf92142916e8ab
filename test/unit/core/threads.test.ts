import '../../support/without-cloud.ts'
import { availableParallelism } from 'node:os'
import { describe, expect, it, vi } from 'vitest'
import { runTask, startTask } from '../../../lib/core/threads/threads.ts'
import { mapTask } from '../../../lib/jobs/mapping/map-task.ts'
import { validateRules } from '../../../lib/mapping/rules/validate.ts'
import { unpackChunk } from '../../../lib/records/format/chunk.ts'
import type { PackedBatch, SegmentsPart } from '../../../lib/records/index.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

const fields = [Field.parse({ key: 'name', type: 'string' })]
const rule = { name: '', type: 'assign', config: { sourceField: 'name', destinationField: 'name' } } as const
const sides = { source: fields, destination: fields }
const setup = {
  ...{ rules: validateRules([rule], sides).rules, sides },
  ...{ destination: { sheetId: 'us_sh_threads', fields }, segmentRows: 10 },
}

const createBatches = (names: readonly string[]): PackedBatch[] => {
  const raw = Buffer.from(names.map((name) => JSON.stringify(name)).join(',\n'))
  const { length } = names
  const columns = new Map([['name', { raw, length, notes: new Map() }]])
  return [{ length, storedRows: length, liveRows: undefined, columns }]
}

const startMapping = () => startTask(mapTask, setup, { inThreads: true })

describe('a task in threads', () => {
  it.skipIf(availableParallelism() === 1)('packs its columns there and returns them as buffers', async () => {
    const { run, end } = await startMapping()
    const { parts } = await run(createBatches(['Ada', 'Grace']))
    end()
    const [{ chunks }] = (parts[0] as SegmentsPart).segments as [SegmentsPart['segments'][0]]
    expect(chunks).toEqual([{ name: 'v.name', packed: expect.any(Buffer) }])
    expect(unpackChunk(chunks[0]!.packed!).toString()).toBe('"Ada",\n"Grace"')
  })

  it('yields outputs in the order of the inputs', async () => {
    async function* readBatches(): AsyncGenerator<PackedBatch[]> {
      for (const length of [900, 1, 500, 2, 300, 3]) yield createBatches(new Array<string>(length).fill('Ada'))
    }
    const lengths: number[] = []
    for await (const { length } of runTask(mapTask, setup, readBatches(), { inThreads: true })) lengths.push(length)
    expect(lengths).toEqual([900, 1, 500, 2, 300, 3])
  })

  it.skipIf(availableParallelism() === 1)('fails if its thread ended, and runs in a new one later', async () => {
    const { run, end } = await startTask({ ...mapTask, name: 'unknown' }, setup, { inThreads: true })
    const ended = 'There is no task unknown'
    await expect(run(createBatches(['Ada']))).rejects.toThrow(ended)
    await expect(run(createBatches(['Ada']))).rejects.toThrow(ended)
    end()
    // Another thread of the failed task may end a moment later.
    await vi.waitFor(async () => {
      const { run: runLater, end: endLater } = await startMapping()
      const output = runLater(createBatches(['Ada'])).finally(endLater)
      expect(await output).toMatchObject({ length: 1 })
    }, 10_000)
  })

  it('fails with the error of an input, and runs the next one', async () => {
    const { run, end } = await startMapping()
    await expect(run(['none' as never])).rejects.toThrow(Error)
    const { parts } = await run(createBatches(['Grace']))
    end()
    expect((parts[0] as SegmentsPart).segments[0]!.rows).toBe(1)
  })
})
