import { asText } from '../../../base/util/json-map.ts';
import { fieldAt, listOf, mapOf, textOf } from './fields.ts';
import { reportMinKubeVersion } from './csv-fields.ts';
import { parseTolerantVersion } from './semver.ts';
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

/**
 * Checks the metadata that OperatorHub.io displays about an operator. Source: operator-framework/api `operatorhub.go` `validateHubCSVSpec`.
 */
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
  // Check only the first icon, because OperatorHub.io shows the first of several icons.
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

const atom = "[\\w!#$%&'*+/=?^`{|}~\\-\\u0080-\\u{10ffff}]+";
const dotAtom = `${atom}(?:\\.${atom})*`;
const quoted = '"(?:[^"\\\\\\r\\n]|\\\\.)*"';
const literal = '\\[[^\\[\\]\\\\\\s]*\\]';
const address = `(?:${dotAtom}|${quoted})@(?:${dotAtom}|${literal})`;
/**
 * Pattern of a word in the display name of a mail address. The word may contain dots, which RFC 5322 allows only in its obsolete syntax.
 */
const word = `(?:${quoted}|[\\w!#$%&'*+/=?^\`{|}~.\\-\\u0080-\\u{10ffff}]+)`;
const comment = '\\s*(?:\\([^()]*\\)\\s*)*';
const form = new RegExp(
  `^${comment}(?:${address}|(?:${word}(?:\\s+${word})*)?\\s*<\\s*${address}\\s*>)${comment}$`,
  'u',
);

/**
 * Returns the problem with a mail address, which may follow a name; undefined if the address is valid. Source: RFC 5322; Go
 * `net/mail.ParseAddress`.
 */
function mailAddressProblem(text: string): string | undefined {
  if (form.test(text)) return undefined;
  if (!text.includes('@')) return 'it has no @';
  if (/[,;]\s*\S+@/.test(text)) return 'it holds several addresses';
  return 'it is not of the form name@example.com';
}

const badEscape = /%(?![0-9a-f]{2})/i;
const port = /^:\d*$/;

/**
 * Returns the problem with a web address; undefined if the address is valid. A valid address is a URL with a scheme, or a path that begins
 * with a slash. Source: Go `net/url.ParseRequestURI`.
 */
function requestUriProblem(text: string): string | undefined {
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'it holds a control character';
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1];
  if (scheme === undefined && text.startsWith(':')) return 'its scheme is missing';
  const rest = scheme === undefined ? text : text.slice(scheme.length + 1);
  const [address = ''] = rest.split('?');
  // After a scheme, an address without a leading slash may be anything, such as mailto:a@example.com.
  if (!address.startsWith('/')) return scheme === undefined ? 'it has no scheme, such as https:' : undefined;
  const [, authority, path = ''] = /^(?:\/\/([^/]*))?([^]*)$/.exec(address) ?? [];
  if (scheme === undefined) return pathProblem(address);
  return (authority === undefined ? undefined : hostProblem(authority)) ?? pathProblem(path);
}

function pathProblem(path: string): string | undefined {
  return badEscape.test(path) ? 'it holds a % that escapes nothing' : undefined;
}

function hostProblem(authority: string): string | undefined {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const bracket = host.lastIndexOf(']');
  if (host.startsWith('[') && bracket < 0) return 'its host has no closing bracket';
  const rest = host.startsWith('[')
    ? host.slice(bracket + 1)
    : host.slice(host.includes(':') ? host.lastIndexOf(':') : host.length);
  if (rest !== '' && !port.test(rest)) return 'its port is not a number';
  const name = host.slice(0, host.length - rest.length);
  if (/[\s"<>\\^`{|}]/.test(name)) return 'its host holds a character that is not allowed';
  return /%(?!25)/i.test(name) && badEscape.test(name)
    ? 'its host holds a % that escapes nothing'
    : undefined;
}
