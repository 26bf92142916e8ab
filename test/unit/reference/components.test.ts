import { expect, it } from 'vitest'
import { endpoints } from '../../../schemas/index.ts'
import { shapes } from '../../../schemas/shapes.ts'
import { withComponents } from '../../../scripts/reference/components.ts'
import { buildOpenApi } from '../../../scripts/reference/openapi.ts'

const whole = buildOpenApi(endpoints, [], '0')
const document = withComponents(whole, shapes)

it('named shapes describe the same as inline ones', () => {
  const named = document as { components: { schemas: Record<string, object> } }
  const { schemas } = named.components
  for (const name of ['Space', 'Sheet', 'Job', 'Agent', 'Errors']) expect(schemas).toHaveProperty(name)
  const resolve = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(resolve)
    const { $ref, ...beside } = value as { $ref?: unknown }
    const name = typeof $ref === 'string' ? /^#\/components\/schemas\/(\w+)$/.exec($ref)?.[1] : undefined
    if (name !== undefined && name !== 'Errors') return Object.assign({}, resolve(schemas[name]), beside)
    const parts = Object.entries(value).filter(([key]) => key !== 'discriminator' && key !== 'title')
    return Object.fromEntries(parts.map(([key, part]) => [key, resolve(part)]))
  }
  const { components: _, ...rest } = named
  const { components: __, ...wanted } = whole
  expect(resolve(rest)).toEqual(resolve(wanted))
  expect(JSON.stringify(named).length).toBeLessThan(JSON.stringify(whole).length / 2)
})

it('gives members of unions their own names and a discriminator', () => {
  const { components } = document as unknown as {
    components: { schemas: Record<string, { oneOf?: object[]; discriminator?: { mapping: Record<string, string> } }> }
  }
  const { Field, MappingRule } = components.schemas
  expect(Field!.discriminator!.mapping['enum-list']).toBe('#/components/schemas/EnumListField')
  expect(Field!.oneOf).toEqual(Object.values(Field!.discriminator!.mapping).map(($ref) => ({ $ref })))
  expect(components.schemas.AssignMappingRule).toMatchObject({
    properties: { type: { const: 'assign' }, config: { $ref: '#/components/schemas/AssignRuleConfig' } },
  })
  expect(Object.keys(MappingRule!.discriminator!.mapping)).toContain('subprogram')
})

// A property can also be named oneOf.
const hasProperties = (member: object): boolean => 'properties' in member

it('names every member of a union of several objects', () => {
  const unnamed: string[] = []
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    const { oneOf, anyOf } = value as { oneOf?: unknown; anyOf?: unknown }
    const objects = [oneOf, anyOf].filter(Array.isArray).flatMap((members) => members.filter(hasProperties))
    if (objects.length > 1) unnamed.push(path)
    for (const [key, part] of Object.entries(value)) walk(part, `${path}/${key}`)
  }
  walk(document, '')
  expect(unnamed).toEqual([])
})
