import { describe, expect, it } from 'vitest'
import { MESSY_LANGUAGES } from '../../../bench/messy/generate.ts'
import { importMessyFiles } from '../../../bench/messy/import.ts'

describe('messy files, imported as suggested', () => {
  it.each(MESSY_LANGUAGES)('in %s arrive as meant, and no cell arrives as another value', (language) => {
    const { cells, asMeant, rows, valid, wrong } = importMessyFiles(language, 5)
    expect(wrong).toEqual([])
    expect(asMeant / cells).toBeGreaterThan(0.99)
    expect(valid / rows).toBeGreaterThan(0.98)
  })
})
