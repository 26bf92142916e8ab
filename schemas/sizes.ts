/** Sizes that hold for more than one endpoint. */

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
