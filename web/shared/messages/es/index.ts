import type { Translations } from '../translate.ts'
import { clips } from './clips.ts'
import { fileReading } from './file-reading.ts'
import { files } from './files.ts'
import { jobs } from './jobs.ts'
import { records } from './records.ts'
import { requests } from './requests.ts'

const translations: Translations = {
  ...clips,
  ...fileReading,
  ...files,
  ...jobs,
  ...records,
  ...requests,
}
export default translations
