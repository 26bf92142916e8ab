import { expect, it } from 'vitest'
import { withComponents } from '../../../lib/reference/components.ts'
import { openApi } from '../../../lib/reference/openapi.ts'
import { endpoints } from '../../../schemas/index.ts'
import { shapes } from '../../../schemas/shapes.ts'

it('says with named shapes what it says without', () => {
  const whole = openApi(endpoints, '0')
  const named = withComponents(whole, shapes) as { components: { schemas: Record<string, object> } }
  const { schemas } = named.components
  for (const name of ['Space', 'Sheet', 'Job', 'Agent', 'Errors']) expect(schemas).toHaveProperty(name)
  const resolved = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(resolved)
    const { $ref } = value as { $ref?: unknown }
    const name = typeof $ref === 'string' ? /^#\/components\/schemas\/(\w+)$/.exec($ref)?.[1] : undefined
    if (name !== undefined && name !== 'Errors') return resolved(schemas[name])
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolved(part)]))
  }
  const { components: _, ...rest } = named
  const { components: __, ...wanted } = whole
  expect(resolved(rest)).toEqual(wanted)
  expect(JSON.stringify(named).length).toBeLessThan(JSON.stringify(whole).length / 2)
})
