/**
 * A local OpenID provider: the login name determines the email address, which is unverified for `unproven-` names and
 * undeclared for `unsaid-` ones. Prints its issuer.
 */
import { createServer } from 'node:http'
import Provider from 'oidc-provider'

const [redirectUri] = process.argv.slice(2)
const server = createServer()
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${server.address().port}`
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'wharf',
      client_secret: 'a secret of the provider',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      email: `${id.replace(/^(unproven|unsaid)-/, '')}@example.com`,
      ...(id.startsWith('unsaid-') ? {} : { email_verified: !id.startsWith('unproven-') }),
    }),
  }),
  pkce: { required: () => true },
  features: { devInteractions: { enabled: true } },
})
server.on('request', provider.callback())
console.log(issuer)
