import {
  label1035Problem,
  label1123Problem,
  nameSchemas,
  subdomainProblem,
} from '../../kubernetes/objects/index.ts';
import type { JsonMap } from '../../base/util/json-map.ts';

const apiVersion = /^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/;
const webhookPath = /^(?:\/[A-Za-z0-9_-]+)+$/;
const conversionPath = '/convert';

const LABEL_MAX = 63;
/** Longest suffix that is added to a project's name to form a DNS label: the name of a Service. */
const LONGEST_SUFFIX = '-controller-manager-metrics-service';
const PROJECT_NAME_MAX = LABEL_MAX - LONGEST_SUFFIX.length;

/**
 * Function that checks a name. Returns its problem, worded so that it can end a message such as "… is …: <problem>"; undefined if the name
 * is valid.
 */
export type NameCheck = (value: string) => string | undefined;

/** Checks a DNS subdomain: labels of lower-case letters, digits and `-`, joined by dots. */
export const checkSubdomain: NameCheck = subdomainProblem;

/** Checks a DNS label. */
export const checkLabel: NameCheck = label1123Problem;

/** Checks a plural: a DNS label that begins with a letter. */
export const checkPlural: NameCheck = label1035Problem;

/**
 * Checks the name of a project. It must be a label that begins with a letter, and short enough to prefix the names of the project's
 * Services. The namespace `<name>-system` and the Service `<name>-controller-manager-metrics-service` are derived from it.
 */
export const checkProjectName: NameCheck = (value) => {
  const problem = checkPlural(value);
  if (problem !== undefined) return problem;
  if (value.length <= PROJECT_NAME_MAX) return undefined;
  const service = `the Service "${value}${LONGEST_SUFFIX}"`;
  return `it has ${value.length} characters; ${PROJECT_NAME_MAX} are allowed, so that ${service} has at most ${LABEL_MAX}`;
};

/** Checks an API version: `v1`, `v1alpha1`, `v2beta3`. Source: Kubernetes API conventions; kubebuilder's resource model. */
export const checkVersion: NameCheck = (value) =>
  apiVersion.test(value) ? undefined : 'it must look like v1, v1alpha1 or v2beta3';

/** Checks the URL path of a webhook, by the rules of kubebuilder; `/convert` is reserved for conversions. */
export const checkWebhookPath: NameCheck = (value) => {
  if (!webhookPath.test(value))
    return 'it must be a path such as /mutate-memcached: "/", then letters, digits, "-" and "_"';
  return value === conversionPath ? 'it is reserved: conversions are served at this path' : undefined;
};

/** Checks a kind. It must be in PascalCase, and a valid label when written in lower case. Source: CRD validation of `spec.names.kind`. */
export const checkKindName: NameCheck = (value) => {
  if (value === '') return 'it is empty';
  if (!/^[A-Z]/.test(value)) return 'it must begin with an upper-case letter';
  if (!/^[A-Za-z0-9]+$/.test(value)) return 'only letters and digits are allowed';
  if (value.length > LABEL_MAX) return `it has ${value.length} characters; ${LABEL_MAX} are allowed`;
  return undefined;
};

/** Keywords of JSON Schema by which editors check the same names. */
export const nameKeywords = {
  subdomain: nameSchemas.subdomain,
  plural: nameSchemas.label1035,
  projectName: { ...nameSchemas.label1035, maxLength: PROJECT_NAME_MAX },
  version: { pattern: apiVersion.source },
  webhookPath: { pattern: webhookPath.source, not: { enum: [conversionPath] } },
  kind: { pattern: '^[A-Z][A-Za-z0-9]*$', maxLength: LABEL_MAX },
} as const satisfies Readonly<Record<string, JsonMap>>;

/**
 * Removes the project's domain from the end of a group, because the full group would otherwise contain the domain twice.
 * @returns undefined if the group does not end with the domain; empty if the group is the domain itself
 */
export function groupWithoutDomain(group: string, domain: string): string | undefined {
  if (domain === '') return undefined;
  if (group === domain) return '';
  return group.endsWith(`.${domain}`) ? group.slice(0, -domain.length - 1) : undefined;
}

/** Checks a line of free text, such as an owner. It must not contain control characters or line breaks. */
export const checkTextLine: NameCheck = (value) =>
  /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(value) ? 'it holds a control character or a line break' : undefined;

/** Splits an identifier into lower-case words: `HTTPRoute` gives http, route; `EtcdV2` gives etcd, v2. */
function words(identifier: string): string[] {
  return identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** Converts an identifier to kebab case: `NginxOperator` → `nginx-operator`. */
export function kebabCase(identifier: string): string {
  return words(identifier).join('-');
}

/** Converts an identifier to camel case: `NginxOperator` → `nginxOperator`, `HTTPRoute` → `httpRoute`. */
export function camelCase(identifier: string): string {
  const [first = '', ...rest] = words(identifier);
  return first + rest.map(capitalised).join('');
}

/** Converts an identifier to Pascal case: `nginx operator` → `NginxOperator`. */
export function pascalCase(identifier: string): string {
  return words(identifier).map(capitalised).join('');
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/**
 * Derives a project's name from the name of its folder, in lower case; characters other than letters and digits become `-`.
 * @returns undefined if nothing usable is left; the result may still be too long for {@link checkProjectName}
 */
export function projectNameFromFolder(folder: string): string | undefined {
  const name = folder
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+|-+$/g, '');
  return name === '' ? undefined : name;
}
