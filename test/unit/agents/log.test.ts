import { describe, expect, it } from 'vitest'
import { RunLog } from '../../../lib/agents/runtime/log.ts'

const time = new Date('2026-01-01T00:00:00Z')

describe('log of a run', () => {
  it('contains time, level and text of each line', () => {
    const log = new RunLog(1000)
    log.add('INFO', 'one', time)
    log.add('ERROR', 'two', time)
    expect(log.text()).toBe('2026-01-01T00:00:00.000Z INFO one\n2026-01-01T00:00:00.000Z ERROR two')
  })

  it('keeps the start and the end, and states how many lines and bytes are missing', () => {
    const log = new RunLog(4000)
    let all = 0
    for (let number = 0; number < 1000; number++) {
      log.add('INFO', `é ${number}`, time)
      all += Buffer.byteLength(`${time.toISOString()} INFO é ${number}\n`)
    }
    const text = log.text()
    const [, lines, bytes] = /\[(\d+) lines, (\d+) bytes omitted\]/.exec(text)!
    const kept = text.split('\n').filter((line) => !line.startsWith('['))
    expect(kept.length + Number(lines)).toBe(1000)
    expect(Buffer.byteLength(kept.map((line) => `${line}\n`).join('')) + Number(bytes)).toBe(all)
    expect(Buffer.byteLength(text)).toBeLessThan(4100)
    expect(text).toContain('é 0\n')
    expect(text.endsWith('é 999')).toBe(true)
  })

  it('truncates one endless line and says so', () => {
    const log = new RunLog(1000)
    log.add('INFO', 'x'.repeat(100_000), time)
    expect(log.text()).toMatch(/x{8192} \[91808 characters omitted\]$/)
  })
})
