import { fieldAt, listOf, mapOf, textOf } from './fields.ts';
import { mailAddressProblem } from './mail-address.ts';
import { reportMinKubeVersion } from './min-kube-version.ts';
import { requestUriProblem } from './request-uri.ts';
import { parseTolerantVersion } from './semver.ts';
import { asText } from '../../../base/util/json-map.ts';
import type { BundleObject, Complain } from './types.ts';

const mediaTypes = ['image/gif', 'image/jpeg', 'image/png', 'image/svg+xml'];

interface HubReport {
  readonly error: Complain<
    | 'bundle/no-provider'
    | 'bundle/invalid-maintainer'
    | 'bundle/invalid-link'
    | 'bundle/no-version'
    | 'bundle/invalid-icon'
    | 'bundle/invalid-version'
  >;
  readonly warn: Complain<'bundle/no-icon' | 'bundle/no-min-kube-version'>;
}

/** Checks the metadata that OperatorHub.io shows of an operator. Source: operator-framework/api `operatorhub.go` `validateHubCSVSpec`. */
export function reportHubMetadata(csv: BundleObject, report: HubReport): void {
  checkProvider(csv, report);
  checkMaintainers(csv, report);
  checkLinks(csv, report);
  checkVersion(csv, report);
  checkIcons(csv, report);
  reportMinKubeVersion(csv, report);
}

function checkProvider(csv: BundleObject, { error }: HubReport): void {
  if (asText(fieldAt(csv.value, 'spec', 'provider', 'name')).trim() !== '') return;
  error(
    'bundle/no-provider',
    [csv, ['spec', 'provider']],
    'spec.provider.name is missing',
    'name who provides the operator',
  );
}

function checkMaintainers(csv: BundleObject, { error }: HubReport): void {
  const path = ['spec', 'maintainers'] as const;
  for (const [index, entry] of listOf(fieldAt(csv.value, ...path)).entries()) {
    const { name, email } = mapOf(entry);
    const address = asText(email);
    if (asText(name) === '' || address === '') {
      const message = `spec.maintainers[${index}] needs both a name and an email`;
      error('bundle/invalid-maintainer', [csv, [...path, index]], message, 'write both');
    }
    const problem = address === '' ? undefined : mailAddressProblem(address);
    if (problem === undefined) continue;
    const message = `spec.maintainers[${index}].email ${JSON.stringify(address)} is not a mail address: ${problem}`;
    error(
      'bundle/invalid-maintainer',
      [csv, [...path, index, 'email']],
      message,
      'write an address such as jane@example.com',
    );
  }
}

function checkLinks(csv: BundleObject, { error }: HubReport): void {
  const path = ['spec', 'links'] as const;
  for (const [index, entry] of listOf(fieldAt(csv.value, ...path)).entries()) {
    const { name, url } = mapOf(entry);
    const address = asText(url);
    if (asText(name) === '' || address === '') {
      const message = `spec.links[${index}] needs both a name and a url`;
      error('bundle/invalid-link', [csv, [...path, index]], message, 'write both');
    }
    const problem = address === '' ? undefined : requestUriProblem(address);
    if (problem === undefined) continue;
    const message = `spec.links[${index}].url ${JSON.stringify(address)} is not valid: ${problem}`;
    error(
      'bundle/invalid-link',
      [csv, [...path, index, 'url']],
      message,
      'write an address such as https://example.com/docs',
    );
  }
}

function checkVersion(csv: BundleObject, { error }: HubReport): void {
  const version = parseTolerantVersion(textOf(fieldAt(csv.value, 'spec', 'version')));
  const isZero = version === undefined || version.major + version.minor + version.patch === 0;
  if (!isZero || version?.isPrerelease === true) return;
  error(
    'bundle/no-version',
    [csv, ['spec', 'version']],
    'spec.version is missing or 0.0.0',
    'write the version, such as 0.1.0',
  );
}

function checkIcons(csv: BundleObject, { error, warn }: HubReport): void {
  const path = ['spec', 'icon'] as const;
  const value = fieldAt(csv.value, ...path);
  if (!Array.isArray(value)) {
    warn(
      'bundle/no-icon',
      [csv, ['spec']],
      'spec.icon is missing, so catalogues show a placeholder',
      'write one image in base64',
    );
    return;
  }
  if (value.length !== 1) {
    const message = `spec.icon has ${value.length} images; expected one`;
    error(
      'bundle/invalid-icon',
      [csv, path],
      message,
      value.length === 0 ? 'remove the empty list' : 'leave one of them',
    );
  }
  // Of several, the first one is shown.
  const { base64data, mediatype } = mapOf(value[0]);
  if (value.length > 0 && (asText(base64data) === '' || asText(mediatype) === ''))
    error(
      'bundle/invalid-icon',
      [csv, [...path, 0]],
      'spec.icon[0] needs both base64data and mediatype',
      'write both',
    );
  if (asText(mediatype) !== '' && !mediaTypes.includes(asText(mediatype))) {
    const message = `spec.icon[0].mediatype is ${JSON.stringify(mediatype)}; expected one of ${mediaTypes.join(', ')}`;
    error(
      'bundle/invalid-icon',
      [csv, [...path, 0, 'mediatype']],
      message,
      'convert the image to one of them',
    );
  }
}
