import type { LucideIcon } from 'lucide-react'
import type { TextKey } from '../../../shared/texts/keys.ts'
import { createField, createSheet, type Draft, type DraftField, type DraftSheet } from '../draft.ts'
import type { Kind } from '../kinds.ts'
import type { Constraint } from '../shape.ts'

interface FieldSettings {
  required?: boolean
  unique?: boolean
  options?: readonly string[]
  refersTo?: readonly [string, string]
  rules?: Constraint[]
  description?: string
  alsoCalled?: string[]
}

export type FieldDeclaration = readonly [label: string, kind: Kind, settings?: FieldSettings]

interface SheetDeclaration {
  name: string
  fields: readonly FieldDeclaration[]
  rules?: Constraint[]
}

export interface Template {
  id: string
  title: TextKey
  text: TextKey
  Icon: LucideIcon
  name: string
  sheets: readonly SheetDeclaration[]
}

function buildField([label, kind, settings = {}]: FieldDeclaration, usedKeys: readonly string[]): DraftField {
  const { required, unique, options, refersTo, rules = [], description, alsoCalled } = settings
  const config = options
    ? { config: { options: options.map((value) => ({ value, label: value })) } }
    : refersTo
      ? { config: { ref: refersTo[0], key: refersTo[1] } }
      : {}
  const constraints = [...(required ? [{ type: 'required' }] : []), ...(unique ? [{ type: 'unique' }] : []), ...rules]
  return createField(label, kind, usedKeys, {
    ...config,
    constraints,
    ...(description ? { description } : {}),
    ...(alsoCalled ? { alternativeNames: alsoCalled } : {}),
  })
}

export function buildDraft({ name, sheets }: Template): Draft {
  const built: DraftSheet[] = []
  for (const declaration of sheets) {
    const fields: DraftField[] = []
    for (const field of declaration.fields)
      fields.push(
        buildField(
          field,
          fields.map((one) => one.field.key),
        ),
      )
    built.push({ ...createSheet(declaration.name, built, fields), constraints: declaration.rules ?? [] })
  }
  return { name, sheets: built, canSubmit: true, onlyValid: true }
}
