export function makeUnique(usedNames: ReadonlySet<string>, name: string): string {
  let unique = name
  for (let number = 2; usedNames.has(unique); number++) unique = `${name} ${number}`
  return unique
}
