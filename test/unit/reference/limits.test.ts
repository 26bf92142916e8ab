/** The pages of limits and errors contain everything the code declares. */
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../schemas/index.ts'
import { ERROR_STATUS } from '../../../schemas/kit/error-codes.ts'
import { renderErrorsPage } from '../../../scripts/reference/errors-page.ts'
import { LIMITS } from '../../../scripts/reference/limits.ts'
import { renderLimitsPage } from '../../../scripts/reference/limits-page.ts'

const NO_LIMITS =
  /_(MS|HOURS|MINUTES|SECONDS|DAYS)$|^(MAX_BUS_EVENT_BYTES|UNCHECKED_RATIO_BYTES|INLINE_UPDATE_EVENTS|INLINE_ID_EVENTS|INLINE_IDS_PER_EVENT|SOCKET_MESSAGE_BYTES|MAX_ATTEMPTS)$/

describe('docs/reference/limits.md', () => {
  it('lists every number that a contract exports as a limit', async () => {
    const shown = new Set(Object.values(LIMITS).flatMap((limits) => limits.map(({ value }) => value)))
    const missing: string[] = []
    for (const name of readdirSync('schemas').filter((name) => name.endsWith('.ts'))) {
      const module = (await import(`../../../schemas/${name}`)) as Record<string, unknown>
      for (const [constant, value] of Object.entries(module))
        if (/^[A-Z_]+$/.test(constant) && typeof value === 'number' && !NO_LIMITS.test(constant) && !shown.has(value))
          missing.push(`${constant} of schemas/${name}: add it to scripts/reference/limits.ts`)
    }
    expect(missing).toEqual([])
  })

  it('formats values for readers', () => {
    const page = renderLimitsPage({ token: 50, address: 20 })
    expect(page).toContain('| a file | 20 GB | 413 `too-large` |')
    expect(page).toContain('| records per call | 10,000 | 400 `invalid` |')
    expect(page).toContain('| a canvas or canvas area | 64 KB |')
  })
})

describe('docs/reference/errors.md', () => {
  it('lists every code with its status, an example, and its sources', () => {
    const page = renderErrorsPage(endpoints)
    for (const [code, status] of Object.entries(ERROR_STATUS)) {
      expect(page).toContain(`| ${status} | \`${code}\` |`)
      expect(page).toMatch(new RegExp(`### ${status} ${code}\n\n\`\`\`json\n.+\n\`\`\`\n\nReturned by .+\\.`))
    }
  })
})
