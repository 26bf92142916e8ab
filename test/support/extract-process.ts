/** Runs in its own process: extracts a file and reports peak memory. Arguments: account, actor, file, job. */
import { Files } from '../../lib/entities/files.ts'
import { extractFile } from '../../lib/files/extract/index.ts'
import { readPeakMegabytes } from './peak-memory.ts'

const [accountId, actorId, fileId, jobId] = process.argv.slice(2) as [string, string, string, string]
const file = (await Files.get(fileId))!
const extracted = await extractFile({ file, actor: { accountId, actorId }, jobId, onProgress: async () => {} })
process.stdout.write(JSON.stringify({ ...extracted, peak: readPeakMegabytes() }))
