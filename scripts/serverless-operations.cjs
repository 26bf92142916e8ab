'use strict'
/** Serverless plugin: adds alarms (functions/alarms.yml), a dashboard, and a custom domain if DOMAIN_NAME is set. */
const SUB = 'Fn::Sub'

module.exports = class Operations {
  constructor(serverless) {
    this.serverless = serverless
    this.hooks = {
      initialize: () => this.useDomain(),
      'before:package:finalize': () => this.addAlarms(),
    }
  }

  get settings() {
    const { alarms, alarmTopic, domainName, certificateArn, platformPrefix } = this.serverless.service.custom
    return { alarms, alarmTopic, domainName, certificateArn, stack: platformPrefix.replace(/-$/, '') }
  }

  addAlarms() {
    const { Resources } = this.serverless.service.provider.compiledCloudFormationTemplate
    const { alarms, alarmTopic, stack } = this.settings
    for (const [name, alarm] of Object.entries(alarms)) {
      const AlarmActions = alarmTopic ? [alarmTopic] : []
      const named = {
        AlarmName: `${stack}-${name}`,
        AlarmDescription: `docs/operations/runbook.md#${name.toLowerCase()}`,
      }
      const Properties = { ...named, ...watched(alarm, stack), AlarmActions, OKActions: AlarmActions }
      if (alarm.filter) Resources[`${name}Filter`] = counted(alarm)
      Resources[`${name}Alarm`] = { Type: 'AWS::CloudWatch::Alarm', Properties }
    }
    const DashboardBody = dashboard(Object.entries(alarms), stack, this.functionNames())
    Resources.Dashboard = { Type: 'AWS::CloudWatch::Dashboard', Properties: { DashboardName: stack, DashboardBody } }
  }

  functionNames() {
    return Object.values(this.serverless.service.functions).map(({ name }) => name)
  }

  useDomain() {
    const { service, classes } = this.serverless
    const { domainName, certificateArn } = this.settings
    if (!domainName) return
    if (!certificateArn)
      throw new classes.Error('DOMAIN_NAME needs CERTIFICATE_ARN: the ARN of an ACM certificate for the domain.')
    service.provider.environment.BASE_URL = `https://${domainName}/api`
    const { Resources, Outputs } = service.resources
    Outputs.ApiUrl.Value = `https://${domainName}/api`
    Resources.Domain = {
      Type: 'AWS::ApiGatewayV2::DomainName',
      Properties: {
        DomainName: domainName,
        DomainNameConfigurations: [
          { CertificateArn: certificateArn, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
        ],
      },
    }
    Resources.DomainMapping = {
      Type: 'AWS::ApiGatewayV2::ApiMapping',
      DependsOn: ['HttpApiStage'],
      Properties: { ApiId: { Ref: 'HttpApi' }, DomainName: { Ref: 'Domain' }, Stage: '$default' },
    }
    Outputs.DomainTarget = {
      Description: 'The target for the DNS record: a CNAME, or an alias in Route 53',
      Value: { 'Fn::GetAtt': ['Domain', 'RegionalDomainName'] },
    }
  }
}

const PERCENTILE = /^p\d+/

/** Missing data is fine, except for metrics with a lower bound. */
function watched({ metric, dimensions, statistic, above, below, minutes, periods = 1 }, stack) {
  const [Namespace, MetricName] = metric.split(' ')
  return {
    Namespace,
    MetricName,
    Dimensions: Object.entries(dimensions ?? own(Namespace, stack)).map(([Name, Value]) => ({ Name, Value })),
    ...(PERCENTILE.test(statistic) ? { ExtendedStatistic: statistic } : { Statistic: statistic }),
    ComparisonOperator: above === undefined ? 'LessThanThreshold' : 'GreaterThanThreshold',
    Threshold: above ?? below,
    Period: minutes * 60,
    EvaluationPeriods: periods,
    TreatMissingData: above === undefined ? 'breaching' : 'notBreaching',
  }
}

const counted = ({ metric, filter }) => ({
  Type: 'AWS::Logs::MetricFilter',
  Properties: {
    LogGroupName: { Ref: 'Log' },
    FilterPattern: filter,
    MetricTransformations: [
      {
        MetricNamespace: metric.split(' ')[0],
        MetricName: metric.split(' ')[1],
        MetricValue: '1',
        Dimensions: [{ Key: 'service', Value: '$.service' }],
      },
    ],
  },
})

const own = (namespace, stack) => (namespace === 'Wharf' ? { service: stack } : {})

const inText = (value) =>
  typeof value === 'string' ? value : `\${${value.Ref ?? [value['Fn::GetAtt']].flat(2).join('.')}}`

function dashboard(alarms, stack, functions) {
  const region = `\${AWS::Region}`
  const line = ([namespace, name], dimensions, stat, label) => [
    namespace,
    name,
    ...Object.entries(dimensions).flatMap(([key, value]) => [key, inText(value)]),
    { stat, ...(label ? { label } : {}) },
  ]
  const graph = (title, metrics, period = 300) => ({
    type: 'metric',
    width: 8,
    height: 6,
    properties: { title, region, period, view: 'timeSeries', metrics },
  })
  const mine = (name, stat) => line(['Wharf', name], own('Wharf', stack), stat)
  const widgets = [
    graph('Imports', [mine('Imports', 'Sum'), mine('ImportsFailed', 'Sum')]),
    graph('Rows', [mine('Rows', 'Sum')]),
    graph('Agents', [mine('AgentRuns', 'Sum'), mine('AgentFailures', 'Sum')]),
    graph(
      'Function errors',
      functions.map((name) => line(['AWS/Lambda', 'Errors'], { FunctionName: name }, 'Sum', name)),
    ),
    ...alarms.map(([name, { metric, dimensions, statistic, minutes }]) => {
      const [namespace, metricName] = metric.split(' ')
      const found = line([namespace, metricName], dimensions ?? own(namespace, stack), statistic)
      return graph(name, [found], minutes * 60)
    }),
  ]
  return { [SUB]: JSON.stringify({ widgets }) }
}
