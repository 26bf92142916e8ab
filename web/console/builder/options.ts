import type { EnumOption } from './shape.ts'

const toLine = ({ label, value }: EnumOption): string => String(label || (value ?? ''))

export const formatOptions = (options: readonly EnumOption[]): string => options.map(toLine).join('\n')

export function parseOptions(text: string, previous: readonly EnumOption[]): EnumOption[] {
  const byLine = new Map(previous.map((option) => [toLine(option), option]))
  const lines = text.split('\n').map((line) => line.trim())
  return [...new Set(lines)].filter(Boolean).map((line) => byLine.get(line) ?? { value: line, label: line })
}
