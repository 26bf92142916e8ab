import type { ChangeDefinition } from './change.ts'
import { importFile } from './import.ts'
import * as records from './records.ts'
import * as values from './values.ts'

export const CHANGES: readonly ChangeDefinition[] = [...Object.values(values), ...Object.values(records), importFile]
