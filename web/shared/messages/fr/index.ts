import type { Translations } from '../translate.ts'
import { actions } from './actions.ts'
import { agents } from './agents.ts'
import { clips } from './clips.ts'
import { fileReading } from './file-reading.ts'
import { files } from './files.ts'
import { jobs } from './jobs.ts'
import { mappings } from './mappings.ts'
import { mutations } from './mutations.ts'
import { records } from './records.ts'
import { requests } from './requests.ts'
import { routes } from './routes.ts'

const translations: Translations = {
  ...actions,
  ...agents,
  ...clips,
  ...fileReading,
  ...files,
  ...jobs,
  ...mappings,
  ...mutations,
  ...records,
  ...requests,
  ...routes,
}
export default translations
