export function readStamps(paths: readonly string[], startedAt: number): Record<string, string>
export function areCurrent(stamps: Readonly<Record<string, string>>): boolean
