/** Size limits shared by several endpoints. */

/** Public endpoints: the body is parsed before the caller is known. All body limits apply to the inflated size. */
export const PUBLIC_BODY_BYTES = 64 * 1024
/** For publishable keys, which anyone can read in a web page. */
export const PUBLISHABLE_BODY_BYTES = 1024 * 1024
export const BODY_BYTES = 4 * 1024 * 1024
/** For sheets of a workbook and for single values, which can be 4 MB each. */
export const LARGE_BODY_BYTES = 16 * 1024 * 1024
export const RECORDS_BODY_BYTES = 64 * 1024 * 1024
/** For files and JSON lines, which are never parsed as one value. */
export const FILE_BODY_BYTES = 128 * 1024 * 1024
/** Objects, lists and members of one JSON body; 10,000 records with a hundred fields have 2 million. */
export const MAX_JSON_VALUES = 8_000_000
export const MAX_JSON_DEPTH = 100
export const MAX_PROBLEMS_PER_ERROR = 1000
/** The hard limit of API Gateway and Lambda; compressed and binary bodies count as base64. */
export const LAMBDA_REQUEST_BYTES = 6 * 1024 * 1024

export const VALUE_BYTES = 4 * 1024 * 1024
export const METADATA_BYTES = 64 * 1024
/** Larger replies go through the bucket. This many bytes as base64 still fit Lambda's 6 MB. */
export const INLINE_RESPONSE_BYTES = 4 * 1024 * 1024
/** The rate limit is averaged over this window, which allows bursts. */
export const RATE_LIMIT_WINDOW_SECONDS = 10
export const PACKAGE_BYTES = 50 * 1024 * 1024
export const BUNDLE_BYTES = 128 * 1024 * 1024
export const LINE_BYTES = 16 * 1024 * 1024
/** Request line and headers together. On AWS this is API Gateway's fixed quota; the local Node server accepts more. */
export const HEADER_BYTES = { aws: 10 * 1024, local: 64 * 1024 } as const
