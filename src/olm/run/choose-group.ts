import type { KubeObject } from '../../sdk/api/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { fieldAt, textsOf } from '../bundle/validate/fields.ts';
import { defaultInstallMode, installModeText, modeOfTargets, type InstallMode } from './install-mode.ts';
import { runGroup } from './run-names.ts';

/** The OperatorGroup of an installation. */
export interface ChosenGroup {
  readonly mode: InstallMode;
  readonly name: string;
  /** False if it is there already. */
  readonly isNew: boolean;
}

export interface GroupChoice {
  /** Where the operator runs. */
  readonly namespace: string;
  /** The OperatorGroups of that namespace. */
  readonly groups: readonly KubeObject[];
  /** The types of install modes that the bundle supports. */
  readonly supported: readonly string[];
  /** Value of `--install-mode`. */
  readonly wanted: InstallMode | undefined;
}

/**
 * Chooses the OperatorGroup by which OLM v0 learns what the operator watches: the one that is there if it fits, else a new one. OLM
 * installs nothing, and says nothing, in a namespace with several groups.
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

/** The namespaces of a group; with a selector, those that OLM has found. */
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
      ? `the bundle supports ${has}: name the namespaces that the operator shall watch`
      : `the bundle does not support the install mode ${mode.type}, but ${has}`;
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
    message: `the OperatorGroup ${name} of the namespace ${namespace} is for ${installModeText(present)}, but ${need}`,
    where: { object: `operatorgroup.operators.coreos.com/${name}` },
    fix: [
      ...(supported.includes(present.type)
        ? [`install as the group says: --install-mode ${installModeText(present)}`]
        : []),
      'install into another namespace: --namespace NAME',
      `or delete the group if no other operator of the namespace needs it: kubectl delete operatorgroup ${name} -n ${namespace}`,
    ],
  });
}
