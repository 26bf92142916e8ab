/** The process started by `measureDuckDb`: reads, types and validates, corrects and exports a file, and reports times. */
import { DuckDBInstance } from '@duckdb/node-api'

const [file, database, exported, options] = process.argv.slice(2)
const { countries } = JSON.parse(options)

const instance = await DuckDBInstance.create(database)
const connection = await instance.connect()

const quote = (text) => `'${text.replaceAll("'", "''")}'`
const list = (texts) => texts.map(quote).join(', ')

const times = {}
async function measure(name, statement) {
  const start = performance.now()
  await connection.run(statement)
  times[name] = performance.now() - start
}

await measure('read', `CREATE TABLE raw AS SELECT * FROM read_csv(${quote(file)}, all_varchar = true, header = true)`)

const TYPES = { amount: 'DOUBLE', quantity: 'DOUBLE', signup_date: 'DATE', active: 'BOOLEAN' }
const typed = Object.entries(TYPES).map(([column, type]) => `TRY_CAST(${column} AS ${type}) AS ${column}`)
const MISSING_WORD = 'N/A'
const broken = Object.entries(TYPES).map(
  ([column, type]) => `TRY_CAST(${column} AS ${type}) IS NULL AND ${column} <> ${quote(MISSING_WORD)}`,
)
const missing = ['customer_id', 'first_name', 'last_name'].map((column) => `${column} IS NULL`)
const repeated = ['customer_id', 'email'].map(
  (column) => `${column} IN (SELECT ${column} FROM raw GROUP BY ${column} HAVING count(*) > 1)`,
)
await measure(
  'validate',
  `CREATE TABLE typed AS
   SELECT * REPLACE (${typed.join(', ')}),
     [${[...missing, ...broken, `country NOT IN (${list(countries)})`, ...repeated].join(',\n      ')}] AS errors
   FROM raw`,
)
const invalid = await connection.runAndReadAll('SELECT count(*) FROM typed WHERE list_contains(errors, true)')
await measure('correct', `UPDATE typed SET phone = replace(phone, '-', '')`)
await measure('export', `COPY (SELECT * EXCLUDE (errors) FROM typed) TO ${quote(exported)} (HEADER, DELIMITER ',')`)

process.send({ times, invalid: Number(invalid.getRows()[0][0]) })
process.disconnect()
connection.closeSync()
