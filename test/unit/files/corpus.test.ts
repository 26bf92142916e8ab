/** Reads every file of the corpus as expected; `npm run bench -- corpus` prints the results. */
import { describe, expect, it } from 'vitest'
import { CORPUS } from '../../support/corpus.ts'
import { readAndExpected, runDetection } from '../../support/corpus-report.ts'

describe.each([...new Set(CORPUS.map(({ category }) => category))])('%s', (category) => {
  it.each(CORPUS.filter((file) => file.category === category))('$name', async (file) => {
    const { read, meant } = await readAndExpected(file)
    expect(read).toEqual(meant)
  })
})

it('has at least 150 files', () => {
  expect(CORPUS.length).toBeGreaterThanOrEqual(150)
})

it('detects the format of delimited text', async () => {
  const found = await runDetection(500)
  expect(found).toHaveLength(6)
  for (const { what, of, files, wrong } of found)
    expect(wrong.length, `${what} ${of}: ${wrong.slice(0, 20).join('\n')}`).toBeLessThanOrEqual(
      files * (what === 'headerRow' ? 0.05 : 0.01),
    )
})
