import { isIPv6 } from 'node:net';
import { isJsonMap, jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../base/util/json-map.ts';

/** Address of an operator that serves its webhooks outside of the cluster, and the authority that signed its certificate. */
export interface WebhookServer {
  /** Name or IP address at which the API server reaches the operator. */
  readonly host: string;
  readonly port: number;
  /** Certificate of the authority that signed the server's certificate, in PEM. */
  readonly caCertificate: string;
}

/** The kinds that configure admission webhooks. */
const configurationKinds: ReadonlySet<string> = new Set([
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
]);

/** Returns true for a MutatingWebhookConfiguration or ValidatingWebhookConfiguration. */
export function isWebhookConfiguration({ kind }: { readonly kind: string }): boolean {
  return configurationKinds.has(kind);
}

/** Returns true if an object makes the API server call a Service, for an admission webhook or for conversions. */
export function asksService(object: { readonly kind: string }): boolean {
  return clientConfigsOf(object).some(({ service }) => isJsonMap(service));
}

/**
 * Replaces each `service` in an object with the URL of a server and the certificate authority to trust. Webhooks that already have a `url`
 * belong to another server and stay unchanged. Objects that are neither webhook configurations nor CustomResourceDefinitions also stay
 * unchanged.
 *
 * Source: admissionregistration.k8s.io/v1 and apiextensions.k8s.io/v1 `WebhookClientConfig`; the default path of a Service is `/`.
 */
export function withWebhookUrls<T extends { readonly kind: string }>(object: T, server: WebhookServer): T {
  if (!asksService(object)) return object;
  const { webhooks, spec } = object as T & { readonly webhooks?: unknown; readonly spec?: unknown };
  if (isWebhookConfiguration(object)) {
    const local = jsonListOf(webhooks).map((each) => withClientConfig(jsonMapOf(each), server));
    return { ...object, webhooks: local };
  }
  return {
    ...object,
    spec: { ...jsonMapOf(spec), conversion: localConversion(conversionOf(object), server) },
  };
}

/**
 * Returns `spec.conversion` of a CustomResourceDefinition. Returns undefined if the definition has none, or if the object is of another
 * kind.
 */
export function conversionOf(object: { readonly kind: string }): JsonMap | undefined {
  if (object.kind !== 'CustomResourceDefinition') return undefined;
  const conversion = jsonMapOf((object as { readonly spec?: unknown }).spec)['conversion'];
  return isJsonMap(conversion) ? conversion : undefined;
}

/** Returns the URL that the API server calls for conversions; undefined if the object has no such URL. */
export function conversionUrl(object: { readonly kind: string }): string | undefined {
  const url = jsonMapOf(jsonMapOf(conversionOf(object)?.['webhook'])['clientConfig'])['url'];
  return typeof url === 'string' ? url : undefined;
}

function clientConfigsOf(object: { readonly kind: string }): readonly JsonMap[] {
  const { webhooks } = object as { readonly webhooks?: unknown };
  const askers = isWebhookConfiguration(object) ? jsonListOf(webhooks) : [conversionOf(object)?.['webhook']];
  return askers.map((each) => jsonMapOf(jsonMapOf(each)['clientConfig']));
}

function localConversion(conversion: JsonMap | undefined, server: WebhookServer): JsonMap {
  return { ...conversion, webhook: withClientConfig(jsonMapOf(conversion?.['webhook']), server) };
}

function withClientConfig(asker: JsonMap, server: WebhookServer): JsonMap {
  const { service, ...others } = jsonMapOf(asker['clientConfig']);
  if (!isJsonMap(service)) return asker;
  const path = jsonTextOf(service['path']);
  const clientConfig = {
    ...others,
    url: urlOf(server, path),
    caBundle: Buffer.from(server.caCertificate, 'utf8').toString('base64'),
  };
  return { ...asker, clientConfig };
}

/** Returns the URL of a path on the server. */
export function urlOf({ host, port }: Pick<WebhookServer, 'host' | 'port'>, path: string): string {
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return `https://${authority}${path.startsWith('/') ? '' : '/'}${path}`;
}

/** Label on objects that make the API server call an operator outside of the cluster. The value is the name of the project. */
export const localLabel = 'op-sdk.dev/local-webhooks';

/** Annotation that names, as JSON, the process that wrote the object, and the time of writing. */
export const localOwner = 'op-sdk.dev/local-webhooks-owner';

/**
 * Annotation that stores the original `spec.conversion` as JSON. The original can then be restored even if the process that replaced it is
 * killed.
 */
export const conversionBefore = 'op-sdk.dev/conversion-before';

/**
 * Annotation with the URL that replaced the original conversion. If the definition now has another URL, somebody has changed it since, so
 * the original conversion is not restored.
 */
export const conversionTakenBy = 'op-sdk.dev/conversion-taken-by';

/** Values of the label and the annotation by which the objects that a killed process left are found. */
export interface LocalMarks {
  /** The value of {@link localLabel}: the name of the project. */
  readonly project: string;
  /** The value of {@link localOwner}: the process that wrote the object, and the time of writing. */
  readonly owner: string;
}
