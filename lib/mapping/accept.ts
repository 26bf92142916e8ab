/** Accepts the rules of a program once it was used, and learns from them for future suggestions. */
import type { EnumValue } from '../../schemas/programs/plan.ts'
import { MappingMemories } from '../entities/mapping-memories.ts'
import { Programs } from '../entities/programs.ts'
import type { Tx } from '../tx.ts'
import { getAssignConfig } from './edges.ts'
import { getLearnedName, learn } from './learned.ts'
import { updateProgram } from './programs.ts'

export async function acceptProgram(tx: Tx, jobId: string, programId: string): Promise<void> {
  const program = await Programs.get(programId)
  if (program?.jobId !== jobId) return
  const acceptance = { acceptedAt: tx.now, acceptedBy: tx.actor.actorId }
  const acceptedProgram = {
    ...program,
    ...acceptance,
    rules: program.rules.map((rule) => ({ ...acceptance, ...rule })),
  }
  updateProgram(tx, program, acceptedProgram)
  const accepted = program.rules.flatMap((rule) => {
    const config = getAssignConfig(rule)
    if (!config) return []
    const values: { sourceValue: EnumValue; destinationValue: EnumValue }[] = config.values ?? []
    return [{ source: config.sourceField, field: config.destinationField, values }]
  })
  const { accountId, environmentId, spaceId, destination } = program
  const memoryKey = { accountId, environmentId, destination: getLearnedName(destination), actorId: tx.actor.actorId }
  tx.write(
    await MappingMemories.change(memoryKey, tx.now, (memory) => learn(memory, accepted, { at: tx.now, spaceId })),
  )
}
