export { Jobs } from './operations.generated.ts'
