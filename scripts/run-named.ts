/** Runs the program that the first argument names; the program finds the remaining ones in `process.argv`. */
export async function runNamed(script: string, programs: Record<string, () => Promise<unknown>>): Promise<void> {
  const [name = ''] = process.argv.splice(2, 1)
  const program = programs[name]
  if (program) await program()
  else {
    console.error(`Usage: npm run ${script} -- ${Object.keys(programs).join(' | ')}`)
    process.exitCode = 1
  }
}
