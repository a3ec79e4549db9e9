import { label1123Problem } from '../../kubernetes/crd/names.ts';

/** Which namespaces an operator of OLM v0 watches. */
export interface InstallMode {
  readonly type: InstallModeType;
  /** The namespaces of its OperatorGroup; undefined: all. */
  readonly targets: readonly string[] | undefined;
}

export type InstallModeType = 'AllNamespaces' | 'OwnNamespace' | 'SingleNamespace' | 'MultiNamespace';

const forms = 'AllNamespaces, OwnNamespace, SingleNamespace=NAMESPACE or MultiNamespace=NAMESPACE,NAMESPACE';

/**
 * Reads the value of `--install-mode`, with operator-sdk's rules.
 *
 * @param namespace the one that the operator runs in
 * @returns the mode, or what is wrong with the text
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
        return { problem: `OwnNamespace means ${namespace}, where the operator runs` };
      return { type, targets: [namespace] };
    case 'SingleNamespace': {
      if (named.length !== 1) return { problem: 'expected one namespace: SingleNamespace=NAMESPACE' };
      if (named[0] === namespace)
        return { problem: `${namespace} is where the operator runs: write OwnNamespace` };
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
 * The mode of a bundle for which none was named: all namespaces if it supports that, otherwise its own.
 *
 * @param supported the types that `spec.installModes` of the ClusterServiceVersion supports
 * @returns undefined if it supports neither
 */
export function defaultInstallMode(supported: readonly string[], namespace: string): InstallMode | undefined {
  if (supported.includes('AllNamespaces')) return { type: 'AllNamespaces', targets: undefined };
  return supported.includes('OwnNamespace') ? { type: 'OwnNamespace', targets: [namespace] } : undefined;
}

/** The mode in which OLM installs operators in a namespace with an OperatorGroup of these targets. */
export function modeOfTargets(targets: readonly string[], namespace: string): InstallMode {
  if (targets.length === 0 || targets.includes('')) return { type: 'AllNamespaces', targets: undefined };
  if (targets.length > 1) return { type: 'MultiNamespace', targets };
  return { type: targets[0] === namespace ? 'OwnNamespace' : 'SingleNamespace', targets };
}

/** `MultiNamespace=a,b`, as the flag takes it. */
export function installModeText({ type, targets = [] }: InstallMode): string {
  return type === 'SingleNamespace' || type === 'MultiNamespace' ? `${type}=${targets.join(',')}` : type;
}
