import { describe, expect, it } from 'vitest'
import { assertRules } from '../../../lib/workbooks/rules.ts'
import { Blueprint } from '../../../schemas/workbooks/shape.ts'
import { compareSheets } from '../../../web/console/builder/changes.ts'
import { formatListener } from '../../../web/console/builder/code.ts'
import { formatCondition, parseCondition, type Test } from '../../../web/console/builder/condition.ts'
import {
  createField,
  createSheet,
  type DraftSheet,
  moveItem,
  removeField,
  rename,
  toBlueprint,
} from '../../../web/console/builder/draft.ts'
import { getKind, KINDS, type Kind, withKind } from '../../../web/console/builder/kinds.ts'
import { formatOptions, parseOptions } from '../../../web/console/builder/options.ts'
import { isComplete } from '../../../web/console/builder/rules.ts'
import { buildDraft } from '../../../web/console/builder/templates/build.ts'
import { TEMPLATES } from '../../../web/console/builder/templates/index.ts'
import { buildBrandVariables, getTextColor, readBranding, withBranding } from '../../../web/shared/branding.ts'

describe('the templates', () => {
  it.each(TEMPLATES.map((template) => [template.id, template] as const))(
    '%s is a valid workbook',
    async (_, template) => {
      const blueprint = toBlueprint(buildDraft(template), 'Submit')
      const parsed = Blueprint.parse(blueprint)
      await assertRules(parsed.sheets!)
      expect(blueprint.sheets.flatMap(({ constraints = [] }) => constraints).every(isComplete)).toBe(true)
    },
  )
})

const sheetOf = (...labels: string[]): DraftSheet =>
  createSheet(
    'People',
    [],
    labels.map((label) => createField(label, 'text', [])),
  )

describe('a draft', () => {
  it('derives the key of a new field from its label until a rule names it', () => {
    const sheet = sheetOf('First name', 'Email')
    const { id } = sheet.fields[0]!
    expect(rename(sheet, id, 'Given name').fields[0]!.field).toMatchObject({ key: 'given_name', label: 'Given name' })
    const named = {
      ...sheet,
      constraints: [{ type: 'required-if', config: { field: 'email', when: '"first_name" is empty' } }],
    }
    expect(rename(named, id, 'Given name').fields[0]!.field).toMatchObject({ key: 'first_name', label: 'Given name' })
  })

  it('gives a field another key than its neighbor of the same name', () => {
    const sheet = sheetOf('Note', 'Other')
    expect(rename(sheet, sheet.fields[1]!.id, 'Note').fields[1]!.field.key).toBe('note_2')
  })

  it('removes the rules of a field with it', () => {
    const sheet = {
      ...sheetOf('Start', 'End'),
      constraints: [{ type: 'compare', config: { field: 'start', operator: 'lt', other: 'end' } }],
    }
    const removed = removeField(sheet, sheet.fields[1]!.id)
    expect(removed).toMatchObject({ rules: 1, sheet: { constraints: [] } })
    expect(removed.sheet.fields).toHaveLength(1)
  })

  it('moves fields within the list', () => {
    expect(moveItem(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
    expect(moveItem(['a', 'b', 'c'], 2, -5)).toEqual(['c', 'a', 'b'])
  })
})

describe('the type of a field', () => {
  it.each(Object.keys(KINDS) as Kind[])('is read as %s after it was chosen', (kind) => {
    expect(getKind(withKind({ key: 'a', type: 'string' }, kind))).toBe(kind)
  })

  it('keeps required and unique, and drops rules that the new type does not have', () => {
    const constraints = [{ type: 'required' }, { type: 'length', config: { max: 5 } }, { type: 'email' }]
    expect(withKind({ key: 'a', type: 'string', constraints }, 'number').constraints).toEqual([{ type: 'required' }])
  })
})

describe('conditions', () => {
  it.each<[Test[]]>([
    [[{ field: 'status', comparison: 'eq', value: 'Paid "now" \\ later' }]],
    [
      [
        { field: 'a b', comparison: 'empty', value: '' },
        { field: 'c', comparison: 'filled', value: '' },
      ],
    ],
    [
      [
        { field: 'n', comparison: 'gte', value: '10' },
        { field: 'and', comparison: 'contains', value: 'or' },
      ],
    ],
  ])('are the same after they were written as a query', (tests) => {
    expect(parseCondition(formatCondition(tests))).toEqual(tests)
  })

  it('read queries without quotes, and leave those with "or" as text', () => {
    expect(parseCondition('country ne US and amount gt 1000')).toHaveLength(2)
    expect(parseCondition('a eq 1 or b eq 2')).toBeUndefined()
    expect(parseCondition('(a eq 1)')).toBeUndefined()
  })
})

describe('options', () => {
  it('keep values and other names of lines that stay', () => {
    const options = [{ value: 'a', label: 'Active', alternativeNames: ['on'] }, { value: 'gone' }]
    expect(formatOptions(options)).toBe('Active\ngone')
    expect(parseOptions('gone\nActive\n\nNew', options)).toEqual([
      options[1],
      options[0],
      { value: 'New', label: 'New' },
    ])
  })
})

describe('the changes of an edit', () => {
  it('name added, changed and removed fields', () => {
    const before = sheetOf('A', 'B', 'C')
    const [a, b, c] = before.fields as [
      DraftSheet['fields'][number],
      DraftSheet['fields'][number],
      DraftSheet['fields'][number],
    ]
    const after = {
      ...before,
      fields: [c, { ...a, field: withKind(a.field, 'number') }, createField('D', 'text', [])],
    }
    expect(compareSheets([before], [after])).toEqual([
      {
        sheet: 'People',
        isNew: false,
        added: ['D'],
        changed: ['A'],
        removed: ['B'],
        isReordered: true,
        rulesChanged: false,
      },
    ])
    expect(b).toBeDefined()
    expect(compareSheets([before], [before])).toEqual([])
  })
})

describe('the code of a listener', () => {
  it('writes rules as the public SDK sends them', () => {
    const sheet = sheetOf('Email')
    sheet.fields = [createField('Email', 'email', [])]
    const code = formatListener(
      toBlueprint({ name: 'W', sheets: [sheet], canSubmit: false, onlyValid: true }, 'Submit'),
    )
    expect(code).toContain('"validator": "rule:email"')
    expect(code).toContain("from '@flatfile/plugin-space-configure'")
  })
})

describe('branding', () => {
  it('is part of the metadata next to other settings', () => {
    const metadata = { sidebarConfig: { showGuestInvite: true }, theme: { table: { fontSize: 12 } } }
    const branding = { color: '#5b3df5', logo: 'data:image/png;base64,AAAA', welcome: 'Hello' }
    const next = withBranding(metadata, branding)
    expect(next).toMatchObject(metadata)
    expect(readBranding(next)).toEqual(branding)
    expect(withBranding(next, {})).toEqual(metadata)
  })

  it('ignores what a page could load or run', () => {
    const metadata = { theme: { root: { primaryColor: 'url(x)' }, sidebar: { logo: 'https://example.com/a.png' } } }
    expect(readBranding(metadata)).toEqual({ color: undefined, logo: undefined, welcome: undefined })
  })

  it('makes a color darker or lighter until it can be read as text', () => {
    expect(buildBrandVariables('#0b6170')['--accent']).toMatch(/^light-dark\(#0b6170, #[0-9a-f]{6}\)$/)
    expect(buildBrandVariables('#ffd400')['--accent']).toMatch(/^light-dark\(#[0-9a-f]{6}, #ffd400\)$/)
  })

  it('writes readable text on a color', () => {
    expect([getTextColor('#ffee00'), getTextColor('#0b6170')]).toEqual(['#101418', '#ffffff'])
  })
})
