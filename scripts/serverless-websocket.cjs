'use strict'
/**
 * A Serverless plugin: the framework lets functions manage the connections of every WebSocket API in the account; here they
 * may manage those of this stack's. CommonJS, because the Serverless Framework loads plugins with `require`.
 */
module.exports = class OwnConnections {
  constructor(serverless) {
    this.hooks = {
      'after:package:compileEvents': () => {
        const { Resources } = serverless.service.provider.compiledCloudFormationTemplate
        const statements = Resources.IamRoleLambdaExecution.Properties.Policies[0].PolicyDocument.Statement
        const connections = statements.filter(({ Action }) => [Action].flat().includes('execute-api:ManageConnections'))
        for (const statement of connections) statement.Resource = [{ 'Fn::Sub': OWN }]
      },
    }
  }
}

const OWN =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation's
  'arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${WebsocketsApi}/*/*/@connections/*'
