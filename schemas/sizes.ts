/** Sizes that hold for more than one endpoint. */

/** A request's body where anybody may call: it is parsed before anything is known of the caller. All bodies count inflated. */
export const PUBLIC_BODY_BYTES = 64 * 1024
/** A request's body where a publishable key is enough: it is in web pages for everybody to read. */
export const PUBLISHABLE_BODY_BYTES = 1024 * 1024
/** A request's body everywhere else, unless the endpoint declares another limit. */
export const BODY_BYTES = 4 * 1024 * 1024
/** A request's body with the sheets of a workbook, or with values of records, each of which may have 4 MB. */
export const LARGE_BODY_BYTES = 16 * 1024 * 1024
/** A request's body with records as JSON. */
export const RECORDS_BODY_BYTES = 64 * 1024 * 1024
/** A request's body with a file, or with records as JSON lines: it is never parsed as one value. */
export const FILE_BODY_BYTES = 128 * 1024 * 1024
/** Objects, lists and their members in one JSON body: 10,000 records with a hundred fields have 2 million. */
export const JSON_VALUES = 8_000_000
/** Objects and lists within each other in a JSON body. */
export const JSON_LEVELS = 100
/** An error names at most this many problems, and says how many more there are. */
export const PROBLEMS_NAMED = 1000
/** The most API Gateway and Lambda take as a request, a compressed or binary body counted as base64. Nothing of ours can change it. */
export const LAMBDA_REQUEST_BYTES = 6 * 1024 * 1024

/** Of one value of a record, as JSON. */
export const VALUE_BYTES = 4 * 1024 * 1024
/** Of a record's metadata, and of its config, as JSON. */
export const OBJECT_BYTES = 64 * 1024
/** Larger answers go by the bucket; base64 of this many bytes still fits Lambda's 6 MB. */
export const DIRECT_BYTES = 4 * 1024 * 1024
/** The limit of requests is so many seconds' worth: a burst passes. */
export const WINDOW_SECONDS = 10
/** An agent's package, compressed: what a function takes at once. */
export const PACKAGE_BYTES = 50 * 1024 * 1024
/** An agent's bundle that goes straight to the bucket: as JSON, before any gzip. */
export const BUNDLE_BYTES = 128 * 1024 * 1024
/** A line of JSON lines. */
export const LINE_BYTES = 16 * 1024 * 1024
/**
 * Request line and headers together. API Gateway's own limit (its quotas page), which nothing of ours can change; Node's server
 * on a laptop takes more.
 */
export const HEADER_BYTES = { aws: 10 * 1024, laptop: 64 * 1024 } as const
