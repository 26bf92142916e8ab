import type { Translations } from '../translate.ts'
import { files } from './files.ts'
import { jobs } from './jobs.ts'
import { records } from './records.ts'
import { requests } from './requests.ts'

const translations: Translations = { ...records, ...files, ...jobs, ...requests }
export default translations
