/**
 * The catalogue of every text the API returns for people: errors, validation messages, and job infos. The API writes
 * English; the application recognizes a text and shows it in the reader's language (web/shared/messages).
 */

import { accessMessages } from './access.ts'
import { actionMessages } from './actions.ts'
import { agentMessages } from './agents.ts'
import { assistantMessages } from './assistant.ts'
import { clipMessages } from './clips.ts'
import { fileReadingMessages } from './file-reading.ts'
import { fileMessages } from './files.ts'
import { formatText, type Text } from './format.ts'
import { jobMessages } from './jobs.ts'
import { mappingMessages } from './mappings.ts'
import { missingMessages } from './missing.ts'
import { mutationMessages } from './mutations.ts'
import { qualityMessages } from './quality.ts'
import { recipeMessages } from './recipes.ts'
import { recordMessages } from './records.ts'
import { requestMessages } from './requests.ts'
import { routeMessages } from './routes.ts'
import { shapeMessages } from './shape.ts'
import { valueMessages } from './values.ts'

export const MESSAGES = {
  ...accessMessages,
  ...actionMessages,
  ...agentMessages,
  ...assistantMessages,
  ...clipMessages,
  ...fileReadingMessages,
  ...fileMessages,
  ...jobMessages,
  ...mappingMessages,
  ...missingMessages,
  ...mutationMessages,
  ...qualityMessages,
  ...recipeMessages,
  ...recordMessages,
  ...requestMessages,
  ...routeMessages,
  ...shapeMessages,
  ...valueMessages,
}

export type MessageKey = keyof typeof MESSAGES

type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
type NamesOf<T extends Text> = T extends string ? NamesIn<T> : NamesIn<Extract<T[keyof T], string>>
type Values<K extends MessageKey> = [NamesOf<(typeof MESSAGES)[K]>] extends [never]
  ? []
  : [values: Record<NamesOf<(typeof MESSAGES)[K]>, string | number>]

/**
 * Writes a message in English. A number is written with thousands separators, and `count` chooses the plural form; pass
 * text for a number that is a name, such as a version.
 *
 * @example message('jobs.recordsDeleted', { count: 1200 }) // 'Deleted 1,200 records'
 */
export function message<K extends MessageKey>(key: K, ...[values]: Values<K>): string {
  return formatText(MESSAGES[key], values ?? {}, 'en')
}
