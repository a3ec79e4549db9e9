import { isMap } from '../../json.ts';
import { listOf, mapOf, textOf } from '../fields.ts';
import { label1035Problem, subdomainProblem } from '../name-rules.ts';
import type { Refuse } from './check-crds.ts';

const known = ['v1', 'v1beta1'];
const path = ['spec', 'conversion'];

/** `spec.conversion`: how objects get from one version to another. */
export function checkConversion(conversion: unknown, refuse: Refuse): void {
  if (conversion === undefined || conversion === null) return;
  const { strategy = 'None', webhook } = mapOf(conversion);
  if (strategy !== 'None' && strategy !== 'Webhook') {
    refuse(
      [...path, 'strategy'],
      `there is no strategy ${JSON.stringify(strategy)}`,
      'write None or Webhook',
    );
    return;
  }
  if (strategy === 'None') {
    if (webhook !== undefined)
      refuse(
        [...path, 'webhook'],
        'a webhook stands beside the strategy None',
        'write strategy: Webhook, or remove it',
      );
    return;
  }
  if (!isMap(webhook)) {
    refuse(
      path,
      'the strategy Webhook needs spec.conversion.webhook',
      'write its clientConfig and conversionReviewVersions',
    );
    return;
  }
  checkReviewVersions(listOf(webhook['conversionReviewVersions']), refuse);
  checkClient(mapOf(webhook['clientConfig']), refuse);
}

function checkReviewVersions(versions: readonly unknown[], refuse: Refuse): void {
  const at = [...path, 'webhook', 'conversionReviewVersions'];
  if (versions.length === 0) {
    refuse(at, 'conversionReviewVersions is missing', 'write [v1]');
    return;
  }
  for (const [index, version] of versions.entries()) {
    const problem =
      versions.indexOf(version) < index ? 'it is there twice' : label1035Problem(textOf(version));
    if (problem !== undefined)
      refuse(
        [...at, index],
        `conversionReviewVersions: ${JSON.stringify(version)} is not valid: ${problem}`,
        'correct it',
      );
  }
  if (versions.some((version) => known.includes(textOf(version)))) return;
  refuse(
    at,
    `conversionReviewVersions has none of ${known.join(', ')}, which the API server speaks`,
    'write [v1]',
  );
}

function checkClient(client: Readonly<Record<string, unknown>>, refuse: Refuse): void {
  const at = [...path, 'webhook', 'clientConfig'];
  const { url, service } = client;
  if ((url === undefined) === (service === undefined)) {
    refuse(at, 'clientConfig needs either a url or a service', 'write the service of the operator');
    return;
  }
  if (url !== undefined) {
    const problem = urlProblem(textOf(url));
    if (problem !== undefined) refuse([...at, 'url'], `the url is not valid: ${problem}`, 'correct it');
    return;
  }
  const { name, namespace, port, path: webPath } = mapOf(service);
  for (const [field, value] of Object.entries({ name, namespace })) {
    if (textOf(value) === '')
      refuse([...at, 'service'], `clientConfig.service has no ${field}`, `write its ${field}`);
  }
  if (port !== undefined && (typeof port !== 'number' || port < 1 || port > 65535))
    refuse(
      [...at, 'service', 'port'],
      `the port ${JSON.stringify(port)} is not between 1 and 65535`,
      'correct it',
    );
  const problem = webPath === undefined ? undefined : pathProblem(textOf(webPath));
  if (problem !== undefined)
    refuse(
      [...at, 'service', 'path'],
      `the path ${JSON.stringify(webPath)} is not valid: ${problem}`,
      'correct it',
    );
}

/** Source: apiserver `pkg/util/webhook/validation.go`. */
function urlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'it is no URL';
  const url = new URL(text);
  if (url.protocol !== 'https:') return 'it must begin with https://';
  if (url.username !== '' || url.password !== '') return 'it holds a user';
  if (url.search !== '' || text.includes('?')) return 'it holds a query';
  return url.hash === '' ? undefined : 'it holds a fragment';
}

function pathProblem(path: string): string | undefined {
  if (path === '/') return undefined;
  if (!path.startsWith('/')) return 'it must begin with /';
  const steps = path.slice(1).replace(/\/$/, '').split('/');
  if (steps.includes('')) return 'it has an empty step';
  return steps.map(subdomainProblem).find((problem) => problem !== undefined);
}
