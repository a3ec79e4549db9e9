import { closestName } from '../../../base/util/terminal-words.ts';

const ui = 'urn:alm:descriptor:com.tectonic.ui:';
const kubernetes = 'urn:alm:descriptor:io.kubernetes:';

/**
 * The x-descriptors that OpenShift's console, the user interface of OLM, supports. Source: openshift/console
 * `frontend/packages/operator-lifecycle-manager/src/components/descriptors/types.ts`.
 */
const whole: readonly string[] = [
  ...[
    'advanced',
    'booleanSwitch',
    'checkbox',
    'endpointList',
    'hidden',
    'imagePullPolicy',
    'label',
    'namespaceSelector',
    'nodeAffinity',
    'number',
    'password',
    'podAffinity',
    'podAntiAffinity',
    'podCount',
    'podStatuses',
    'resourceRequirements',
    'text',
    'updateStrategy',
  ].map((name) => `${ui}${name}`),
  'urn:alm:descriptor:io.kubernetes.conditions',
  'urn:alm:descriptor:io.kubernetes.phase',
  'urn:alm:descriptor:io.kubernetes.phase:reason',
  'urn:alm:descriptor:org.w3:link',
  'urn:alm:descriptor:prometheusEndpoint',
  'urn:alm:descriptor:text',
];

/** Prefixes of the x-descriptors that end with a value. The value may be a group, an option, `field:value` or `group:version:Kind`. */
const prefixes: readonly string[] = [
  ...['arrayFieldGroup', 'fieldDependency', 'fieldGroup', 'select', 'selector'].map(
    (name) => `${ui}${name}:`,
  ),
  kubernetes,
];

/** All known x-descriptors. An x-descriptor that takes a value ends with a colon in this list. */
export const knownXDescriptors: readonly string[] = [...whole, ...prefixes];

/**
 * Checks that an x-descriptor is known, because user interfaces ignore unknown x-descriptors.
 * @returns the problem and its fix; undefined if nothing is wrong
 */
export function xDescriptorProblem(
  name: string,
): { readonly message: string; readonly fix: string } | undefined {
  if (whole.includes(name)) return undefined;
  const prefix = prefixes.find((item) => name.startsWith(item) || `${name}:` === item);
  if (prefix !== undefined) {
    if (name.length > prefix.length) return undefined;
    return {
      message: `the x-descriptor ${name} needs a value after it`,
      fix: `write ${prefix}${exampleOf(prefix)}`,
    };
  }
  const meant = closestDescriptor(name);
  return {
    message: `unknown x-descriptor ${name}`,
    fix: meant === undefined ? 'docs/bundles.md lists the known ones' : `did you mean ${meant}?`,
  };
}

function exampleOf(prefix: string): string {
  if (prefix === kubernetes) return 'Secret';
  if (prefix === `${ui}fieldDependency:`) return '<field>:<value>';
  return prefix === `${ui}selector:` ? 'core:v1:Pod' : '<name>';
}

/**
 * Returns the known x-descriptor that the author probably meant: a complete name, or a prefix with the given value. Compares only the part
 * after `urn:…`, because authors often omit this prefix.
 */
function closestDescriptor(name: string): string | undefined {
  const own = ownPart(name);
  const meant = closestOf(own, whole);
  if (meant !== undefined) return meant;
  const [, head = own, value = '…'] = /^([^:]+):(.+)$/s.exec(own) ?? [];
  const prefix = closestOf(head, prefixes);
  return prefix === undefined ? undefined : `${prefix}${value}`;
}

function closestOf(own: string, names: readonly string[]): string | undefined {
  const byPart = new Map(names.map((item) => [ownPart(item).replace(/:$/, ''), item] as const));
  return byPart.get(closestName(own, byPart.keys()) ?? '');
}

function ownPart(name: string): string {
  return name.replace(/^urn:alm:descriptor:/, '').replace(/^com\.tectonic\.ui:/, '');
}
