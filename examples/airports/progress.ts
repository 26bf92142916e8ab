/** A progress bar on a terminal; otherwise one line when done. */
import color from 'picocolors'

const WIDTH = 28
const LABEL = 34

export class Progress {
  readonly #label: string
  readonly #start = performance.now()

  constructor(label: string) {
    this.#label = label
    this.show(0)
  }

  show(fraction: number, note = ''): void {
    if (process.stdout.isTTY) process.stdout.write(`\r${this.#line(fraction)} ${color.dim(note)}\u001b[K`)
  }

  done(note = ''): number {
    const seconds = (performance.now() - this.#start) / 1000
    process.stdout.write(
      `${process.stdout.isTTY ? '\r' : ''}${this.#line(1)} ${color.dim(`${note ? `${note}, ` : ''}${seconds.toFixed(2)} s`)}${process.stdout.isTTY ? '\u001b[K' : ''}\n`,
    )
    return seconds
  }

  #line(fraction: number): string {
    const filled = Math.round(Math.min(1, Math.max(0, fraction)) * WIDTH)
    return `${this.#label.padEnd(LABEL)}${color.cyan('█'.repeat(filled))}${color.dim('░'.repeat(WIDTH - filled))}`
  }
}
