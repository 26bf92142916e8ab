import type { TextKey } from '../../shared/texts/keys.ts'
import type { Constraint, Field } from './shape.ts'

interface KindSettings {
  label: TextKey
  type: string
  format?: string
  constraint?: string
}

export const KINDS = {
  text: { label: 'kindText', type: 'string' },
  email: { label: 'kindEmail', type: 'string', format: 'email', constraint: 'email' },
  phone: { label: 'kindPhone', type: 'string', format: 'phone' },
  url: { label: 'kindUrl', type: 'string', format: 'url', constraint: 'url' },
  time: { label: 'kindTime', type: 'string', format: 'time' },
  number: { label: 'kindNumber', type: 'number' },
  date: { label: 'kindDate', type: 'date' },
  boolean: { label: 'kindBoolean', type: 'boolean' },
  option: { label: 'kindOption', type: 'enum' },
  options: { label: 'kindOptions', type: 'enum-list' },
  texts: { label: 'kindTexts', type: 'string-list' },
  reference: { label: 'kindReference', type: 'reference' },
  references: { label: 'kindReferences', type: 'reference-list' },
} as const satisfies Record<string, KindSettings>
export type Kind = keyof typeof KINDS

const ENTRIES = Object.entries(KINDS) as [Kind, KindSettings][]
const FORMAT_CONSTRAINTS = new Set(['email', 'phone', 'url', 'uuid'])

const getFormat = ({ metadata }: Field): unknown => (metadata as { format?: unknown } | null | undefined)?.format

export function getKind(field: Field): Kind {
  const format = field.type === 'string' ? getFormat(field) : undefined
  const [kind] =
    ENTRIES.find(([, settings]) => settings.type === field.type && settings.format === format) ??
    ENTRIES.find(([, settings]) => settings.type === field.type && settings.format === undefined) ??
    []
  return kind ?? 'text'
}

export const hasOptions = (kind: Kind): boolean => kind === 'option' || kind === 'options'
export const isReference = (kind: Kind): boolean => kind === 'reference' || kind === 'references'

export function withKind(field: Field, kind: Kind): Field {
  const { type, format, constraint }: KindSettings = KINDS[kind]
  const { config, metadata, ...rest } = field
  const { format: _, ...otherMetadata } = (metadata ?? {}) as { format?: unknown }
  const nextMetadata = format ? { ...otherMetadata, format } : otherMetadata
  const kept = (field.constraints ?? []).filter(
    (one) => !FORMAT_CONSTRAINTS.has(one.type) && canHaveRule(kind, one.type),
  )
  const constraints: Constraint[] = constraint ? [...kept, { type: constraint }] : kept
  const nextConfig = getConfig(kind, config)
  return {
    ...rest,
    type,
    constraints,
    ...(nextConfig ? { config: nextConfig } : {}),
    ...(Object.keys(nextMetadata).length > 0 ? { metadata: nextMetadata } : {}),
  }
}

function getConfig(kind: Kind, config: Field['config']): Field['config'] {
  if (hasOptions(kind)) return config?.options ? config : { options: [] }
  if (isReference(kind)) return config?.ref ? config : { ref: '', key: '' }
  return undefined
}

const RULES_OF_TEXTS = ['length', 'pattern', 'oneOf']

export function listRuleTypes(kind: Kind): string[] {
  if (kind === 'number' || kind === 'date') return ['range']
  if (kind === 'phone') return [...RULES_OF_TEXTS, 'phone']
  return KINDS[kind].type.startsWith('string') ? RULES_OF_TEXTS : []
}

const RULES_OF_FORMS = new Set(['length', 'pattern', 'oneOf', 'range', 'phone'])
const canHaveRule = (kind: Kind, type: string): boolean =>
  !RULES_OF_FORMS.has(type) || listRuleTypes(kind).includes(type)
