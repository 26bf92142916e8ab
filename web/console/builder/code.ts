import type { Constraint, Field } from './shape.ts'

type Blueprint = { sheets: readonly { fields: readonly Field[]; constraints?: readonly Constraint[] }[] }

const KNOWN_TO_SDK = new Set(['required', 'unique', 'computed', 'external', 'stored'])

function toSdkConstraint(constraint: Constraint): Constraint {
  if (KNOWN_TO_SDK.has(constraint.type)) return constraint
  const { type, config } = constraint
  return { type: 'external', validator: `rule:${type}`, ...(config ? { config } : {}) }
}

const toSdkConstraints = <T extends { constraints?: readonly Constraint[] | null }>(item: T): T =>
  item.constraints ? { ...item, constraints: item.constraints.map(toSdkConstraint) } : item

export const formatJson = (blueprint: object): string => JSON.stringify(blueprint, null, 2)

export function formatListener(blueprint: Blueprint): string {
  const workbook = {
    ...blueprint,
    sheets: blueprint.sheets.map((sheet) => ({
      ...toSdkConstraints(sheet),
      fields: sheet.fields.map((field) => toSdkConstraints(field)),
    })),
  }
  const text = JSON.stringify(workbook, null, 2).replace(/\n/g, '\n      ')
  return `import { configureSpace } from '@flatfile/plugin-space-configure'

export default function (listener) {
  listener.use(
    configureSpace({
      workbooks: [${text}],
    }),
  )
}
`
}
