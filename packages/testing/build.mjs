import { buildLibrary } from '../build-library.mjs'

await buildLibrary(import.meta.dirname)
