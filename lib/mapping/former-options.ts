/** Finds the option for what has ended: `Ex-customer` is `Former` next to `Customer`. Pure. */
import type { EnumValue } from '../../schemas/programs/plan.ts'
import type { NamedValue } from './initials.ts'
import type { Option } from './option-words.ts'
import { splitWords } from './tokenize.ts'

const FORMER = new Set(
  'ancien ancienne anciens antiga antigo antigua antiguo byla byly ehem ehemalig ehemalige ehemaliger ehemaliges ex former oud voormalig voormalige'.split(
    ' ',
  ),
)

const isFormer = ({ name }: NamedValue): boolean => FORMER.has(splitWords(name)[0] ?? '')

export function readFormer(
  texts: readonly string[],
  options: readonly NamedValue[],
  find: (text: string) => Option | undefined,
): Map<string, EnumValue> {
  const [former, ...others] = new Set(options.filter(isFormer).map(({ value }) => value))
  if (former === undefined || others.length > 0) return new Map()
  return new Map(
    texts.flatMap((text) => {
      const [first = '', ...rest] = splitWords(text)
      const present = FORMER.has(first) && rest.length > 0 ? find(rest.join(' ')) : undefined
      return present && present.value !== former ? [[text, former] as const] : []
    }),
  )
}
