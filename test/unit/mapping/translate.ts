import { suggestValues } from '../../../lib/mapping/enums.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

export function translate(labels: string, ...texts: string[]) {
  const options = labels.split(', ').map((value) => ({ value }))
  const { mapping } = suggestValues(texts, Field.parse({ key: 'kind', type: 'enum', config: { options } }))!
  return Object.fromEntries(mapping.map(({ sourceValue, destinationValue }) => [sourceValue, destinationValue]))
}
