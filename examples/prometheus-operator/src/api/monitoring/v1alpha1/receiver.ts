import type { Int32 } from 'opsdk';
import type { SecretKeySelector } from 'opsdk/k8s/core/v1';
import type { BasicAuth, ProxyConfig, SafeAuthorization, SafeTLSConfig } from '../v1/http-client.ts';
import type { PrometheusDuration } from '../v1/duration.ts';

/** ReceiverHTTPConfig is how notifications are sent by HTTP. */
export interface ReceiverHTTPConfig extends ProxyConfig {
  /** BasicAuth authenticates by user name and password. At most one of basicAuth and authorization is allowed. */
  basicAuth?: BasicAuth;
  /** Authorization is the header that authenticates. */
  authorization?: SafeAuthorization;
  /** TlsConfig is how to connect by TLS. */
  tlsConfig?: SafeTLSConfig;
  /** FollowRedirects is false to treat redirects as failures. Default: true. */
  followRedirects?: boolean;
}

/** KeyValue is a name with a value. */
export interface KeyValue {
  /**
   * Key is the name.
   *
   * @minLength 1
   */
  key: string;
  /** Value of the name. */
  value: string;
}

/** WebhookConfig sends notifications to an address. */
export interface WebhookConfig {
  /** SendResolved notifies of alerts that have ended, too. Default: true. */
  sendResolved?: boolean;
  /** Url that gets the notifications. One of url and urlSecret is required. */
  url?: string;
  /** UrlSecret is the key of a Secret with the address. It takes precedence over url. */
  urlSecret?: SecretKeySelector;
  /**
   * MaxAlerts is the largest number of alerts of a notification. Default: 0, all.
   *
   * @minimum 0
   */
  maxAlerts?: Int32;
  /** Timeout of a request. It needs Alertmanager 0.28. */
  timeout?: PrometheusDuration;
  /** HttpConfig is how requests are sent. */
  httpConfig?: ReceiverHTTPConfig;
}

/** EmailConfig sends notifications by mail. */
export interface EmailConfig {
  /** SendResolved notifies of alerts that have ended, too. Default: false. */
  sendResolved?: boolean;
  /**
   * To is the address of the reader.
   *
   * @minLength 1
   */
  to?: string;
  /**
   * From is the address of the sender.
   *
   * @minLength 1
   */
  from?: string;
  /**
   * Smarthost is the server, with its port.
   *
   * @minLength 1
   */
  smarthost?: string;
  /**
   * Hello is the host name that the server is greeted with.
   *
   * @minLength 1
   */
  hello?: string;
  /**
   * AuthUsername is the name of the user.
   *
   * @minLength 1
   */
  authUsername?: string;
  /** AuthPassword is the key of a Secret with the password. */
  authPassword?: SecretKeySelector;
  /** AuthSecret is the key of a Secret with the secret of CRAM-MD5. */
  authSecret?: SecretKeySelector;
  /**
   * AuthIdentity is the identity of PLAIN.
   *
   * @minLength 1
   */
  authIdentity?: string;
  /** RequireTLS is false to send without TLS. Default: true. */
  requireTLS?: boolean;
  /** Headers of the mail. */
  headers?: KeyValue[];
  /** Html is the body as HTML. */
  html?: string;
  /** Text is the body as text. */
  text?: string;
}

/** SlackConfig sends notifications to Slack. */
export interface SlackConfig {
  /** SendResolved notifies of alerts that have ended, too. Default: false. */
  sendResolved?: boolean;
  /** ApiURL is the key of a Secret with the address of the webhook of Slack. */
  apiURL?: SecretKeySelector;
  /**
   * Channel or user.
   *
   * @minLength 1
   */
  channel?: string;
  /**
   * Username of the sender.
   *
   * @minLength 1
   */
  username?: string;
  /**
   * Color of the message.
   *
   * @minLength 1
   */
  color?: string;
  /**
   * Title of the message.
   *
   * @minLength 1
   */
  title?: string;
  /** TitleLink is the address that the title links to. */
  titleLink?: string;
  /**
   * Text of the message.
   *
   * @minLength 1
   */
  text?: string;
  /**
   * IconEmoji such as `:fire:`.
   *
   * @minLength 1
   */
  iconEmoji?: string;
  /** IconURL is the address of an image. */
  iconURL?: string;
  /** HttpConfig is how requests are sent. */
  httpConfig?: ReceiverHTTPConfig;
}

/** PagerDutyConfig sends notifications to PagerDuty. */
export interface PagerDutyConfig {
  /** SendResolved notifies of alerts that have ended, too. Default: true. */
  sendResolved?: boolean;
  /** RoutingKey is the key of a Secret with the integration key of the Events API v2. */
  routingKey?: SecretKeySelector;
  /** ServiceKey is the key of a Secret with the integration key of the API v1. */
  serviceKey?: SecretKeySelector;
  /**
   * Url of the API.
   *
   * @pattern ^https?://.+$
   */
  url?: string;
  /**
   * Severity of the incident.
   *
   * @minLength 1
   */
  severity?: string;
  /**
   * Class of the incident.
   *
   * @minLength 1
   */
  class?: string;
  /**
   * Component that is concerned.
   *
   * @minLength 1
   */
  component?: string;
  /**
   * Group of components.
   *
   * @minLength 1
   */
  group?: string;
  /**
   * Description of the incident.
   *
   * @minLength 1
   */
  description?: string;
  /** Details are names with values. */
  details?: KeyValue[];
  /** HttpConfig is how requests are sent. */
  httpConfig?: ReceiverHTTPConfig;
}

/** Receiver gets notifications on one or several ways. */
export interface Receiver {
  /**
   * Name of the receiver, unique in the AlertmanagerConfig.
   *
   * @minLength 1
   */
  name: string;
  /** WebhookConfigs send to addresses. */
  webhookConfigs?: WebhookConfig[];
  /** EmailConfigs send mail. */
  emailConfigs?: EmailConfig[];
  /** SlackConfigs send to Slack. */
  slackConfigs?: SlackConfig[];
  /** PagerdutyConfigs send to PagerDuty. */
  pagerdutyConfigs?: PagerDutyConfig[];
}
