import type { Translations } from '../translate.ts'
import { access } from './access.ts'
import { actions } from './actions.ts'
import { agents } from './agents.ts'
import { assistant } from './assistant.ts'
import { clips } from './clips.ts'
import { fileReading } from './file-reading.ts'
import { files } from './files.ts'
import { jobs } from './jobs.ts'
import { mappings } from './mappings.ts'
import { missing } from './missing.ts'
import { mutations } from './mutations.ts'
import { quality } from './quality.ts'
import { recipes } from './recipes.ts'
import { records } from './records.ts'
import { requests } from './requests.ts'
import { routes } from './routes.ts'
import { shape } from './shape.ts'
import { values } from './values.ts'

const translations: Translations = {
  ...access,
  ...actions,
  ...agents,
  ...assistant,
  ...clips,
  ...fileReading,
  ...files,
  ...jobs,
  ...mappings,
  ...missing,
  ...mutations,
  ...quality,
  ...recipes,
  ...records,
  ...requests,
  ...routes,
  ...shape,
  ...values,
}
export default translations
