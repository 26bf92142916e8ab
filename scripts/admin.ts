/** `npm run admin -- <name>`: manages a deployment, with your AWS credentials. */
import { runNamed } from './run-named.ts'

await runNamed('admin', {
  create: () => import('./admin/create.ts'),
  'rotate-keys': () => import('./admin/rotate-keys.ts'),
  'remove-stack': () => import('./admin/remove-stack.ts'),
})
