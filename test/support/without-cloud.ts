/** Imported first by tests whose modules build AWS clients that are never used. */
process.env.AWS_ENDPOINT_URL ??= 'http://127.0.0.1:9'
