/** Arrow files written by PyArrow 26.0.1 and Polars 2.1.0; most have the rows of the Parquet files. */
import { readFileSync } from 'node:fs'

export const readArrowFile = (name: string): Buffer => readFileSync(new URL(`./arrow/${name}`, import.meta.url))
