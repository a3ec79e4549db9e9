import type {
  EmailConfig,
  KeyValue,
  PagerDutyConfig,
  Receiver,
  ReceiverHTTPConfig,
  SlackConfig,
  WebhookConfig,
} from '../api/monitoring/v1alpha1/receiver.ts';
import { parseDuration } from './duration.ts';
import { checkUrl, clientConfig, type ClientContext } from './http-client.ts';
import type { ConfigObject } from './render.ts';

/** What the configuration that an AlertmanagerConfig is added to says once for all receivers. */
export interface ReceiverContext extends ClientContext {
  /** Names of fields of its `global`, such as `slack_api_url`. */
  readonly globals: ReadonlySet<string>;
}

/** Returns a receiver of Alertmanager. */
export function receiverConfig(
  receiver: Receiver,
  path: string,
  name: string,
  context: ReceiverContext,
): ConfigObject {
  return {
    name,
    webhook_configs: receiver.webhookConfigs?.map((each, index) =>
      webhookConfig(each, `${path}.webhookConfigs[${index}]`, context),
    ),
    email_configs: receiver.emailConfigs?.map((each, index) =>
      emailConfig(each, `${path}.emailConfigs[${index}]`, context),
    ),
    slack_configs: receiver.slackConfigs?.map((each, index) =>
      slackConfig(each, `${path}.slackConfigs[${index}]`, context),
    ),
    pagerduty_configs: receiver.pagerdutyConfigs?.map((each, index) =>
      pagerDutyConfig(each, `${path}.pagerdutyConfigs[${index}]`, context),
    ),
  };
}

function webhookConfig(config: WebhookConfig, path: string, context: ReceiverContext): ConfigObject {
  const { assets, problems, version } = context;
  const url =
    config.urlSecret === undefined ? config.url : assets.secret(config.urlSecret, `${path}.urlSecret`);
  if (config.urlSecret === undefined && !config.url) problems.add(path, 'expected one of url and urlSecret');
  // The value of a Secret is not repeated.
  if (url && !URL.canParse(url))
    problems.add(config.urlSecret === undefined ? `${path}.url` : `${path}.urlSecret`, 'expected a URL');
  if (config.timeout !== undefined) {
    version.require('0.28.0', `${path}.timeout`, problems);
    if (parseDuration(config.timeout) === undefined)
      problems.add(`${path}.timeout`, `expected a duration such as 10s, got "${config.timeout}"`);
  }
  return {
    send_resolved: config.sendResolved,
    url,
    max_alerts: config.maxAlerts,
    timeout: config.timeout,
    http_config: httpConfig(config.httpConfig, `${path}.httpConfig`, context),
  };
}

function emailConfig(
  config: EmailConfig,
  path: string,
  { assets, globals, problems }: ReceiverContext,
): ConfigObject {
  if (!config.to) problems.add(`${path}.to`, 'is required');
  if (!config.from && !globals.has('smtp_from')) problems.add(`${path}.from`, 'is required');
  if (!config.smarthost && !globals.has('smtp_smarthost')) problems.add(`${path}.smarthost`, 'is required');
  else if (config.smarthost && !/.:\w+$/.test(config.smarthost))
    problems.add(`${path}.smarthost`, `expected a host with a port, got "${config.smarthost}"`);
  const headers: Record<string, string> = {};
  for (const [index, { key, value }] of (config.headers ?? []).entries()) {
    const isThere = Object.keys(headers).some((other) => other.toLowerCase() === key.toLowerCase());
    if (isThere) problems.add(`${path}.headers[${index}].key`, `"${key}" is there twice`);
    headers[key] = value;
  }
  return {
    send_resolved: config.sendResolved,
    to: config.to,
    from: config.from,
    smarthost: config.smarthost,
    hello: config.hello,
    auth_username: config.authUsername,
    auth_password: assets.secret(config.authPassword, `${path}.authPassword`),
    auth_secret: assets.secret(config.authSecret, `${path}.authSecret`),
    auth_identity: config.authIdentity,
    require_tls: config.requireTLS,
    headers: config.headers && headers,
    html: config.html,
    text: config.text,
  };
}

function slackConfig(config: SlackConfig, path: string, context: ReceiverContext): ConfigObject {
  const { assets, globals, problems } = context;
  const url = assets.secret(config.apiURL, `${path}.apiURL`);
  if (config.apiURL === undefined && !globals.has('slack_api_url') && !globals.has('slack_api_url_file'))
    problems.add(`${path}.apiURL`, 'is required');
  if (url && !URL.canParse(url)) problems.add(`${path}.apiURL`, 'expected a URL');
  return {
    send_resolved: config.sendResolved,
    api_url: url,
    channel: config.channel,
    username: config.username,
    color: config.color,
    title: config.title,
    title_link: config.titleLink,
    text: config.text,
    icon_emoji: config.iconEmoji,
    icon_url: config.iconURL,
    http_config: httpConfig(config.httpConfig, `${path}.httpConfig`, context),
  };
}

function pagerDutyConfig(config: PagerDutyConfig, path: string, context: ReceiverContext): ConfigObject {
  const { assets, problems } = context;
  if ((config.routingKey === undefined) === (config.serviceKey === undefined))
    problems.add(path, 'expected one of routingKey and serviceKey');
  if (config.url !== undefined) checkUrl(config.url, `${path}.url`, problems);
  return {
    send_resolved: config.sendResolved,
    routing_key: assets.secret(config.routingKey, `${path}.routingKey`),
    service_key: assets.secret(config.serviceKey, `${path}.serviceKey`),
    url: config.url,
    severity: config.severity,
    class: config.class,
    component: config.component,
    group: config.group,
    description: config.description,
    details: config.details && recordOf(config.details),
    http_config: httpConfig(config.httpConfig, `${path}.httpConfig`, context),
  };
}

function recordOf(list: readonly KeyValue[]): Record<string, string> {
  return Object.fromEntries(list.map(({ key, value }) => [key, value]));
}

function httpConfig(
  config: ReceiverHTTPConfig | undefined,
  path: string,
  context: ReceiverContext,
): ConfigObject | undefined {
  return config && clientConfig(config, path, context);
}
