/** An entry of the record log as stored bytes: deflated with a dictionary, since an append is charged for its page. Pure. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Entries are stored with it, so it must never change. Frequent text is at the end. */
const DICTIONARY = Buffer.from(
  '"slots":["hints":["messages":["layouts":["links":[["x":1,"g":1,"s":1,"k":"a","b":{"a":[{"n":"q":"i":["b":[","d",' +
    '{"d":[["0.0",[{"w":[{"c":[{"us_ag_us_key_us_usr_01{"f":1,"o":"-4","t":17956,"w":"us_usr_01M","k":"p","v":,"e":"",' +
    '"b":{"p":[["0.0",[{"r":,"v":[0,""],"k":[0,[]]}]]],"sig":"","keys":["',
)

const OPTIONS = { level: 9, memLevel: 4, windowBits: 11, dictionary: DICTIONARY }

export const packEntry = (text: string): Uint8Array => deflateRawSync(text, OPTIONS)

export const unpackEntry = (bytes: Uint8Array): string => inflateRawSync(bytes, { dictionary: DICTIONARY }).toString()
