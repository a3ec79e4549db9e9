import { isBase64 } from '../../../base/util/bytes.ts';
import { isJsonMap, jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';
import { closestName } from '../../../base/util/terminal-words.ts';
import { label1035Problem, subdomainProblem } from '../../objects/index.ts';
import { collect, type Add, type Violation } from './violation.ts';

const strategies = ['None', 'Webhook'];
/** Versions of ConversionReview that the API server supports. Source: apiextensions `acceptedConversionReviewVersions`. */
const reviewVersions = ['v1', 'v1beta1'];

const path = ['spec', 'conversion'];
const webhookPath = [...path, 'webhook'];
const clientPath = [...webhookPath, 'clientConfig'];

/** Checks `spec.conversion`. Source: apiextensions `validateCustomResourceConversion`. */
export function checkConversion({ conversion }: JsonMap): readonly Violation[] {
  if (!isJsonMap(conversion)) return [];
  const { webhook } = conversion;
  const strategy = jsonTextOf(conversion['strategy']);
  return collect('crd/conversion', (add) => {
    if (!strategies.includes(strategy)) {
      const closest = closestName(strategy, strategies);
      const fix = closest === undefined ? 'write None or Webhook' : `did you mean ${closest}?`;
      add([...path, 'strategy'], `conversion: expected the strategy None or Webhook, got '${strategy}'`, fix);
    } else if (strategy === 'None') {
      const { clientConfig, conversionReviewVersions } = jsonMapOf(webhook);
      const said = {
        clientConfig: clientConfig !== undefined,
        conversionReviewVersions: jsonListOf(conversionReviewVersions).length > 0,
      };
      for (const [field, isSaid] of Object.entries(said)) {
        const message = `conversion: the strategy None has no webhook, hence no ${field}`;
        if (isSaid) add([...webhookPath, field], message, 'remove it, or write the strategy Webhook');
      }
    } else {
      checkReviewVersions(jsonListOf(jsonMapOf(webhook)['conversionReviewVersions']).map(jsonTextOf), add);
      checkClient(jsonMapOf(webhook)['clientConfig'], add);
    }
  });
}

function checkReviewVersions(versions: readonly string[], add: Add): void {
  const at = [...webhookPath, 'conversionReviewVersions'];
  const fix = 'write [v1]';
  if (versions.length === 0) return add(at, 'conversion: conversionReviewVersions is missing or empty', fix);
  for (const [index, version] of versions.entries()) {
    const problem = versions.indexOf(version) < index ? 'it is listed twice' : label1035Problem(version);
    if (problem !== undefined)
      add([...at, index], `conversion: the review version '${version}' is not valid: ${problem}`, fix);
  }
  if (versions.some((version) => reviewVersions.includes(version))) return;
  const known = reviewVersions.join(', ');
  add(at, `conversion: none of the review versions is one that the API server speaks (${known})`, fix);
}

function checkClient(client: unknown, add: Add): void {
  const { url, service, caBundle } = jsonMapOf(client);
  const ca = typeof caBundle === 'string' ? caBundleProblem(caBundle) : undefined;
  if (ca !== undefined)
    add(
      [...clientPath, 'caBundle'],
      `conversion: the caBundle is not valid: ${ca}`,
      'write a PEM certificate in base64, or leave it to cert-manager',
    );
  const hasService = isJsonMap(service);
  if ((typeof url === 'string') === hasService) {
    const found = hasService ? 'both url and service' : 'neither url nor service';
    add(
      client === undefined ? path : clientPath,
      `conversion: clientConfig has ${found}; exactly one is expected`,
      'write one of the two',
    );
  } else if (typeof url === 'string') {
    const problem = urlProblem(url);
    if (problem !== undefined)
      add(
        [...clientPath, 'url'],
        `conversion: the url '${url}' is not valid: ${problem}`,
        'write https://host[:port]/path',
      );
  } else checkService(jsonMapOf(service), add);
}

/** Checks `clientConfig.service` of the conversion webhook. Source: apiserver `webhook.ValidateWebhookService`. */
function checkService({ name, namespace, port, path: webPath }: JsonMap, add: Add): void {
  const at = [...clientPath, 'service'];
  for (const [field, value] of Object.entries({ namespace, name })) {
    if (jsonTextOf(value) === '')
      add([...at, field], `conversion: the service of clientConfig has no ${field}`, `write its ${field}`);
  }
  if (typeof port === 'number' && !(Number.isInteger(port) && port >= 1 && port <= 65_535))
    add(
      [...at, 'port'],
      `conversion: the port ${port} is not between 1 and 65535`,
      'write the port of the Service, or remove it for 443',
    );
  const problem = servicePathProblem(jsonTextOf(webPath));
  if (problem !== undefined)
    add(
      [...at, 'path'],
      `conversion: the path '${jsonTextOf(webPath)}' is not valid: ${problem}`,
      'write a path such as /convert',
    );
}

const badEscape = /%(?![0-9a-f]{2})/i;

/**
 * Returns the reason why the URL of a webhook is invalid. As in Go's `url.Parse`, an empty query or fragment counts as absent. Source:
 * apiserver `webhook.ValidateWebhookURL`.
 */
function urlProblem(url: string): string | undefined {
  const [, before = '', fragment = ''] = /^([^#]*)(?:#([^]*))?$/.exec(url) ?? [];
  const [, scheme = '', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):)?([^]*)$/i.exec(before) ?? [];
  const [, address = '', query = ''] = /^([^?]*)(?:\?([^]*))?$/.exec(rest) ?? [];
  const [, authority, path = ''] = /^(?:\/\/([^/]*))?([^]*)$/.exec(address) ?? [];
  const host = authority?.slice(authority.lastIndexOf('@') + 1) ?? '';
  const isHost =
    /^(?:\[[0-9a-f:.%]+\]|[^\s\\^`{|}%:[\]]*|(?:[^\s\\^`{|}%:[\]]|%[89a-f][0-9a-f])*)(?::\d*)?$/i;
  if (
    /[\u0000-\u001f\u007f]/.test(url) ||
    badEscape.test(path) ||
    badEscape.test(fragment) ||
    !isHost.test(host)
  )
    return 'it is not a URL';
  if (scheme.toLowerCase() !== 'https') return 'its scheme is not https';
  if (host === '') return 'it has no host';
  if (authority?.includes('@') === true) return 'it holds a user';
  if (fragment !== '') return 'it has a fragment';
  return query === '' ? undefined : 'it has a query';
}

/**
 * Returns the reason why a path of `clientConfig.service` is invalid. Valid are an empty path, `/`, and segments that are DNS subdomains.
 * Source: apiserver `webhook.ValidateWebhookService`.
 */
export function servicePathProblem(path: string): string | undefined {
  if (path === '' || path === '/') return undefined;
  if (!path.startsWith('/')) return 'it does not start with a slash';
  const segments = path
    .slice(1)
    .replace(/(?<=.)\/$/, '')
    .split('/');
  for (const segment of segments) {
    if (segment === '' || segment === '/') return 'a part of it is empty';
    const problem = subdomainProblem(segment);
    if (problem !== undefined) return `in its part ${JSON.stringify(segment)}, ${problem}`;
  }
  return undefined;
}

/**
 * Returns the reason why `caBundle` is invalid. The field is of type bytes, so a value that is not base64 cannot be decoded. On creation
 * the API server accepts any bytes, including placeholders.
 */
function caBundleProblem(text: string): string | undefined {
  return isBase64(text) ? undefined : 'it is not base64';
}
