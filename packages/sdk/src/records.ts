export { Records } from './operations.generated.ts'
