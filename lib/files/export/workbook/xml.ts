export const XML_HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

export const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!)

/** Characters XML cannot contain. With the `u` flag only lone surrogates match. */
export const INVALID_XML = /(?![\t\n])\p{Cc}|\p{Surrogate}|[\ufffe\uffff]/gu
