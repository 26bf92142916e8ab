/** Somebody let records be carried by a program: its rules are accepted, and remembered for suggestions to come. */
import type { EnumValue } from '../../schemas/mapping.ts'
import { MappingMemories } from '../entities/mapping-memories.ts'
import { Programs } from '../entities/programs.ts'
import type { Tx } from '../tx.ts'
import { assignOf } from './edges.ts'
import { memoryName, remembering } from './memory.ts'
import { changeProgram } from './programs.ts'

/** Writes the acceptance and the memory of it into the transaction; nothing for a program that is gone or not the job's. */
export async function acceptProgram(tx: Tx, jobId: string, programId: string): Promise<void> {
  const before = await Programs.get(programId)
  if (before?.jobId !== jobId) return
  const by = { acceptedAt: tx.now, acceptedBy: tx.actor.actorId }
  const after = { ...before, ...by, rules: before.rules.map((rule) => ({ ...by, ...rule })) }
  changeProgram(tx, before, after)
  const accepted = before.rules.flatMap((rule) => {
    const config = assignOf(rule)
    if (!config) return []
    const values: { sourceValue: EnumValue; destinationValue: EnumValue }[] = config.values ?? []
    return [{ source: config.sourceField, field: config.destinationField, values }]
  })
  const { accountId, environmentId, spaceId, destination } = before
  const whose = { accountId, environmentId, destination: memoryName(destination), actorId: tx.actor.actorId }
  tx.write(
    await MappingMemories.change(whose, tx.now, (memory) => remembering(memory, accepted, { at: tx.now, spaceId })),
  )
}
