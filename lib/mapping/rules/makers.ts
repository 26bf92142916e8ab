/** What each type of rule makes of one row: cells of the source in, cells of the destination out. Pure. */
import type { PlainRule } from '../../../schemas/mapping-rule.ts'
import { translation } from '../apply.ts'
import { equationOf } from './arithmetic.ts'
import { type Cell, isEmpty, MADE, numberOf, textOf, tidy } from './cells.ts'
import { dateReader } from './dates.ts'
import { patternOf } from './pattern.ts'

/** Makes one row. */
export interface Maker {
  /** Source fields, in the order `make` gets their cells. */
  from: readonly string[]
  /** Destination fields, in the order `make` gives their cells. */
  fill: readonly string[]
  make(cells: readonly Cell[]): readonly Cell[]
}

type Making = Exclude<PlainRule, { type: 'ignore' | 'delete' }>

const LOCALE = 'en-US'
/** Of lists made of one text, as the public rule language has it. */
const SEPARATOR = ','

/** @param lists keys of destination fields that hold lists */
export function makerOf(rule: Making, lists: ReadonlySet<string>): Maker {
  switch (rule.type) {
    case 'assign': {
      const { destinationField, values, delimiter } = rule.config
      const isList = lists.has(destinationField)
      return ofOne(rule.config, translation({ values: values ?? [], delimiter, isList }))
    }
    case 'constant': {
      const value = [rule.config.value]
      return { from: [], fill: [rule.config.destinationField], make: () => value }
    }
    case 'find-replace': {
      const { destinationField, values } = rule.config
      const one = (text: string) => values.reduce((so, { find, replace }) => so.replaceAll(find, () => replace), text)
      return ofOne({ sourceField: `${MADE}${destinationField}`, destinationField }, eachText(one))
    }
    case 'transform':
      return ofOne(rule.config, eachText(TRANSFORM[rule.config.transform]))
    case 'value-map': {
      const { values, otherwise } = rule.config
      const known = new Map(
        values.map(({ sourceValue, destinationValue }) => [textOf(sourceValue).trim(), destinationValue]),
      )
      return ofOne(rule.config, (value) =>
        isEmpty(value) ? null : (known.get(textOf(value).trim()) ?? (otherwise === undefined ? value : otherwise)),
      )
    }
    case 'date': {
      const { format, formats = [], locale, output } = rule.config
      return ofOne(
        rule.config,
        dateReader({ formats: format === undefined ? formats : [format, ...formats], locale, output }),
      )
    }
    case 'number': {
      const { locale = LOCALE } = rule.config
      return ofOne(rule.config, (value) => {
        const number = numberOf(value, locale)
        return Number.isNaN(number) ? value : number
      })
    }
    case 'regex-extract': {
      const { sourceField, destinationFields, regex } = rule.config
      const extract = patternOf(regex)
      return {
        from: [sourceField],
        fill: destinationFields,
        make: ([value]) => (isEmpty(value) ? [] : extract(textOf(value))),
      }
    }
    case 'split': {
      const { sourceField, destinationFields, separator } = rule.config
      const make = ([value]: readonly Cell[]) =>
        pieces(
          Array.isArray(value) ? value.map(textOf) : textOf(value).split(separator),
          destinationFields.length,
          separator,
        )
      return { from: [sourceField], fill: destinationFields, make }
    }
    case 'interpolate': {
      const { template } = rule.config
      return ofSome(rule.config, (cells) =>
        template.replace(/\{(\d+)\}/g, (_, index: string) => textOf(cells[Number(index)])),
      )
    }
    case 'arithmetic': {
      const { equation, sourceFields, locale = LOCALE } = rule.config
      const compute = equationOf(equation, sourceFields)
      return ofSome(rule.config, (cells) => {
        const value = compute(cells.map((cell) => numberOf(cell, locale)))
        return Number.isFinite(value) ? tidy(value) : null
      })
    }
    case 'coalesce':
      return ofSome(rule.config, (cells) => cells.find((cell) => !isEmpty(cell)))
    case 'concatenate': {
      const { separator = SEPARATOR } = rule.config
      return ofSome(rule.config, (cells) => present(cells).map(textOf).join(separator))
    }
    case 'array':
      return ofSome(rule.config, (cells) =>
        present(cells).flatMap((cell) => (Array.isArray(cell) ? cell : [textOf(cell)])),
      )
  }
}

interface FromOne {
  sourceField: string
  destinationField: string
}
const ofOne = ({ sourceField, destinationField }: FromOne, make: (value: Cell) => Cell): Maker => ({
  from: [sourceField],
  fill: [destinationField],
  make: ([value]) => [make(value)],
})

interface FromSome {
  sourceFields: readonly string[]
  destinationField: string
}
const ofSome = ({ sourceFields, destinationField }: FromSome, make: (cells: readonly Cell[]) => Cell): Maker => ({
  from: sourceFields,
  fill: [destinationField],
  make: (cells) => [make(cells)],
})

const present = (cells: readonly Cell[]): Cell[] => cells.filter((cell) => !isEmpty(cell))

/** Changes texts, those of lists too; other values stay. */
const eachText =
  (change: (text: string) => string) =>
  (value: Cell): Cell => {
    if (typeof value === 'string') return change(value)
    return Array.isArray(value) ? value.map((item) => (typeof item === 'string' ? change(item) : item)) : value
  }

const TRANSFORM = {
  uppercase: (text: string) => text.toUpperCase(),
  lowercase: (text: string) => text.toLowerCase(),
  titlecase: (text: string) =>
    text.replace(
      /([\p{L}\p{N}])([\p{L}\p{M}\p{N}'’]*)/gu,
      (_, first: string, rest: string) => first.toUpperCase() + rest.toLowerCase(),
    ),
  trim: (text: string) => text.trim(),
  'collapse-spaces': (text: string) => text.trim().replace(/\s+/g, ' '),
} as const

/** At most `count` pieces, without the spaces around them; the last one has all that is left. */
function pieces(all: readonly string[], count: number, separator: string): string[] {
  const last = all.slice(count - 1).join(separator)
  return [...all.slice(0, count - 1), last].map((piece) => piece.trim())
}
