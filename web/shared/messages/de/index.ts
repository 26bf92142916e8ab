import type { Translations } from '../translate.ts'
import { access } from './access.ts'
import { files } from './files.ts'
import { jobs } from './jobs.ts'
import { missing } from './missing.ts'
import { records } from './records.ts'
import { requests } from './requests.ts'
import { shape } from './shape.ts'

const translations: Translations = { ...records, ...files, ...jobs, ...requests, ...access, ...shape, ...missing }
export default translations
