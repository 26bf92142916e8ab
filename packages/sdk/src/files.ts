export { Files } from './operations.generated.ts'
