/** Installs the published packages before the first test that needs them. */
import { installTools } from '../../scripts/install-tools.ts'

export default (): void => installTools('test/published')
