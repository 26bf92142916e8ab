/** Parquet files written by PyArrow 26.0.1 and DuckDB 2.0.1, and the rows that were written. */
import { readFileSync } from 'node:fs'
import { DAY_MS } from '../../schemas/kit/time.ts'

export const readParquetFile = (name: string): Buffer =>
  readFileSync(new URL(`./parquet/${name}.parquet`, import.meta.url))

const ROWS = 40
const toIso = (time: number): string => new Date(time).toISOString().replace('Z', '')

export const PARQUET_ROWS = Array.from({ length: ROWS }, (_, i) => {
  const present = <T>(value: T): T | null => (i % 7 === 3 ? null : value)
  return {
    id: String(9007199254740993n + BigInt(i)),
    name: present(`Näme ${i}, "q"`),
    price: present(((i * 12345 - 999999) / 100).toFixed(2)),
    ratio: present(String(i / 7)),
    f32: String(Number((0.1 * i).toFixed(1))),
    ok: present(String(i % 3 === 0)),
    day: present(toIso(Date.UTC(1969, 11, 30) + i * 31 * DAY_MS).slice(0, 10)),
    at: present(toIso(Date.UTC(2024, 0, 31, 23, 59, 59, 123) + i * 7_919_000).replace('.123', '.123456Z')),
    local: i % 2 === 0 ? '2024-02-29T01:02:03' : '2024-02-29T01:02:03.001',
    u64: String(2n ** 64n - 1n - BigInt(i)),
    i8: String(i - 128),
    time: `${String(i % 24).padStart(2, '0')}:${String(i).padStart(2, '0')}:01`,
    'address.street': present(`S ${i}`),
    'address.zip.code': present(String(i).padStart(5, '0')),
    tags: present(JSON.stringify(Array.from({ length: i % 4 }, (_, at) => `t${at}`))),
  }
})
