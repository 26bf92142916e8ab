import type { Translations } from '../translate.ts'
import { actions } from './actions.ts'
import { agents } from './agents.ts'
import { files } from './files.ts'
import { jobs } from './jobs.ts'
import { mappings } from './mappings.ts'
import { mutations } from './mutations.ts'
import { records } from './records.ts'
import { requests } from './requests.ts'
import { routes } from './routes.ts'

const translations: Translations = {
  ...records,
  ...files,
  ...jobs,
  ...routes,
  ...agents,
  ...mappings,
  ...mutations,
  ...actions,
  ...requests,
}
export default translations
