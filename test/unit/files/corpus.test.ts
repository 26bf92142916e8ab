/** Files of every kind are read as what they are meant to be; `npm run corpus` prints the table of results. */
import { describe, expect, it } from 'vitest'
import { CORPUS } from '../../support/corpus.ts'
import { detectionResults, readAndMeant } from '../../support/corpus-report.ts'

describe.each([...new Set(CORPUS.map(({ category }) => category))])('%s', (category) => {
  it.each(CORPUS.filter((file) => file.category === category))('$name', async (file) => {
    const { read, meant } = await readAndMeant(file)
    expect(read).toEqual(meant)
  })
})

it('of at least 150 files there are', () => {
  expect(CORPUS.length).toBeGreaterThanOrEqual(150)
})

it('how delimited text is written is found out', async () => {
  const found = await detectionResults(500)
  expect(found).toHaveLength(6)
  for (const { what, of, files, wrong } of found)
    expect(wrong.length, `${what} ${of}: ${wrong.slice(0, 20).join('\n')}`).toBeLessThanOrEqual(
      files * (what === 'headerRow' ? 0.05 : 0.01),
    )
})
