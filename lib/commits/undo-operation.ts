const PREFIX = 'undo-'

export const formatUndoOperation = (commitId: string): string => `${PREFIX}${commitId}`

export const parseUndoOperation = (op: string): string | undefined =>
  op.startsWith(PREFIX) ? op.slice(PREFIX.length) : undefined
