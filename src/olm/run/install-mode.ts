import { label1123Problem } from '../../kubernetes/objects/index.ts';
import type { KubeObject } from '../../sdk/api/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { fieldAt, textsOf } from '../bundle/index.ts';
import { runGroup } from './run-names.ts';

/** Install mode of OLM v0. It determines which namespaces an operator watches. */
export interface InstallMode {
  readonly type: InstallModeType;
  /** Target namespaces of the OperatorGroup; undefined for all namespaces. */
  readonly targets: readonly string[] | undefined;
}

type InstallModeType = 'AllNamespaces' | 'OwnNamespace' | 'SingleNamespace' | 'MultiNamespace';

const forms = 'AllNamespaces, OwnNamespace, SingleNamespace=NAMESPACE or MultiNamespace=NAMESPACE,NAMESPACE';

/**
 * Parses the value of `--install-mode` by the same rules as operator-sdk.
 *
 * @param namespace namespace of the operator
 * @returns the mode, or the reason why the text is invalid
 */
export function parseInstallMode(
  text: string,
  namespace: string,
): InstallMode | { readonly problem: string } {
  const [type = '', ...rest] = text.split('=');
  const value = rest.length === 0 ? undefined : rest.join('=');
  const named = (value ?? '').split(',').filter((name) => name !== '');
  const invalid = named.map((name) => [name, label1123Problem(name)] as const).find(([, why]) => why);
  if (invalid !== undefined)
    return { problem: `${JSON.stringify(invalid[0])} is not a namespace: ${invalid[1]}` };
  if (new Set(named).size < named.length) return { problem: 'a namespace appears twice' };
  switch (type) {
    case 'AllNamespaces':
      return value === undefined
        ? { type, targets: undefined }
        : { problem: 'AllNamespaces takes no namespace' };
    case 'OwnNamespace':
      if (named.some((name) => name !== namespace) || named.length > 1)
        return { problem: `OwnNamespace allows only the namespace ${namespace}, in which the operator runs` };
      return { type, targets: [namespace] };
    case 'SingleNamespace': {
      if (named.length !== 1) return { problem: 'expected one namespace: SingleNamespace=NAMESPACE' };
      if (named[0] === namespace)
        return {
          problem: `SingleNamespace names ${namespace}, the namespace in which the operator runs: write OwnNamespace instead`,
        };
      return { type, targets: named };
    }
    case 'MultiNamespace':
      if (named.length === 0) return { problem: 'expected namespaces: MultiNamespace=NAMESPACE,NAMESPACE' };
      return { type, targets: named };
    default:
      return { problem: `expected ${forms}` };
  }
}

/**
 * Returns the default install mode of a bundle: `AllNamespaces` if the bundle supports it, otherwise `OwnNamespace`.
 *
 * @param supported the types that `spec.installModes` of the ClusterServiceVersion supports
 * @returns undefined if the bundle supports neither
 */
function defaultInstallMode(supported: readonly string[], namespace: string): InstallMode | undefined {
  if (supported.includes('AllNamespaces')) return { type: 'AllNamespaces', targets: undefined };
  return supported.includes('OwnNamespace') ? { type: 'OwnNamespace', targets: [namespace] } : undefined;
}

/** Returns the install mode that results from the target namespaces of an OperatorGroup. */
function modeOfTargets(targets: readonly string[], namespace: string): InstallMode {
  if (targets.length === 0 || targets.includes('')) return { type: 'AllNamespaces', targets: undefined };
  if (targets.length > 1) return { type: 'MultiNamespace', targets };
  return { type: targets[0] === namespace ? 'OwnNamespace' : 'SingleNamespace', targets };
}

/** Returns an install mode in the format of the flag `--install-mode`, such as `MultiNamespace=a,b`. */
export function installModeText({ type, targets = [] }: InstallMode): string {
  return type === 'SingleNamespace' || type === 'MultiNamespace' ? `${type}=${targets.join(',')}` : type;
}

/** The OperatorGroup that an installation uses. */
export interface ChosenGroup {
  readonly mode: InstallMode;
  readonly name: string;
  /** True if the OperatorGroup must be created; false if it exists already. */
  readonly isNew: boolean;
}

export interface GroupChoice {
  /** Namespace of the operator. */
  readonly namespace: string;
  /** The existing OperatorGroups of the namespace. */
  readonly groups: readonly KubeObject[];
  /** The types of install modes that the bundle supports. */
  readonly supported: readonly string[];
  /** Parsed value of `--install-mode`; undefined if the flag is not set. */
  readonly wanted: InstallMode | undefined;
}

/**
 * Chooses the OperatorGroup, which defines the namespaces that an operator of OLM v0 watches. Returns the existing OperatorGroup if it fits
 * the wanted and the supported install modes, otherwise a new one. Several OperatorGroups in the namespace are an error, because OLM would
 * then install nothing and report nothing.
 *
 * @throws OpSdkError `olm/two-operator-groups`, `olm/group-conflict`, `olm/unsupported-mode`
 */
export function chooseGroup({ namespace, groups, supported, wanted }: GroupChoice): ChosenGroup {
  const [group, ...others] = groups;
  if (group !== undefined && others.length > 0) throw severalGroups(namespace, groups);
  const present = group === undefined ? undefined : modeOfTargets(targetsOf(group), namespace);
  const mode = wanted ?? present ?? defaultInstallMode(supported, namespace);
  if (mode === undefined || (!supported.includes(mode.type) && present === undefined))
    throw unsupportedMode(mode, supported);
  if (group === undefined || present === undefined) return { mode, name: runGroup, isNew: true };
  const { name = '' } = group.metadata;
  if (!isSame(mode, present) || !supported.includes(mode.type))
    throw groupConflict({ namespace, name, present, wanted, supported });
  return { mode, name, isNew: false };
}

/** Returns the target namespaces of an OperatorGroup. For a group with a selector, these are the namespaces that OLM has found. */
function targetsOf(group: KubeObject): readonly string[] {
  const named = textsOf(fieldAt(group, 'spec', 'targetNamespaces'));
  return named.length > 0 || fieldAt(group, 'spec', 'selector') === undefined
    ? named
    : textsOf(fieldAt(group, 'status', 'namespaces'));
}

function isSame(a: InstallMode, b: InstallMode): boolean {
  return [...(a.targets ?? [])].sort().join() === [...(b.targets ?? [])].sort().join();
}

function severalGroups(namespace: string, groups: readonly KubeObject[]): OpSdkError {
  const names = groups.map(({ metadata }) => metadata.name ?? '').sort();
  return new OpSdkError({
    code: 'olm/two-operator-groups',
    message: `the namespace ${namespace} has ${groups.length} OperatorGroups (${names.join(', ')}); OLM installs nothing in it`,
    where: { object: `namespace/${namespace}` },
    fix: [
      `keep one of them: kubectl delete operatorgroup NAME -n ${namespace}`,
      'or install into another namespace: --namespace NAME',
    ],
  });
}

function unsupportedMode(mode: InstallMode | undefined, supported: readonly string[]): OpSdkError {
  const has = supported.length === 0 ? 'none' : supported.join(', ');
  const message =
    mode === undefined
      ? `an install mode must be chosen, as the bundle supports only ${has}: name the namespaces that the operator shall watch`
      : `the bundle does not support the install mode ${mode.type}; supported modes: ${has}`;
  return new OpSdkError({
    code: 'olm/unsupported-mode',
    message,
    where: { flag: '--install-mode' },
    fix:
      supported.length === 0
        ? ['support one in spec.installModes of its ClusterServiceVersion']
        : supported.map((type) => `--install-mode ${exampleOf(type)}`),
  });
}

function exampleOf(type: string): string {
  if (type === 'SingleNamespace') return 'SingleNamespace=NAMESPACE';
  return type === 'MultiNamespace' ? 'MultiNamespace=NAMESPACE,NAMESPACE' : type;
}

function groupConflict(at: {
  readonly namespace: string;
  readonly name: string;
  readonly present: InstallMode;
  readonly wanted: InstallMode | undefined;
  readonly supported: readonly string[];
}): OpSdkError {
  const { namespace, name, present, wanted, supported } = at;
  const need =
    wanted === undefined
      ? `the bundle supports ${supported.join(', ') || 'none'}`
      : `--install-mode is ${installModeText(wanted)}`;
  return new OpSdkError({
    code: 'olm/group-conflict',
    message: `the OperatorGroup ${name} of the namespace ${namespace} has the install mode ${installModeText(present)}, but ${need}`,
    where: { object: `operatorgroup.operators.coreos.com/${name}` },
    fix: [
      ...(supported.includes(present.type)
        ? [`use the install mode of the group: --install-mode ${installModeText(present)}`]
        : []),
      'install into another namespace: --namespace NAME',
      `or delete the group if no other operator of the namespace needs it: kubectl delete operatorgroup ${name} -n ${namespace}`,
    ],
  });
}
