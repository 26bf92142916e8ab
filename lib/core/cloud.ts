/** What every AWS client starts from. Outside Lambda an endpoint must be named: a laptop never reaches real AWS by accident. */

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'

export const clientDefaults = (): { region: string } => {
  if (!process.env.AWS_ENDPOINT_URL && !process.env.AWS_LAMBDA_FUNCTION_NAME) {
    throw new Error(
      'AWS_ENDPOINT_URL is not set: start the embedded cloud (npm start) or name a LocalStack-compatible endpoint.',
    )
  }
  return { region: process.env.AWS_REGION ?? 'us-east-1' }
}
