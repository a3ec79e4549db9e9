import type { Observed } from './observed.ts';

const v0 = 'operators.coreos.com/';

/**
 * Names the owners of a CustomResourceDefinition, as OLM labels it: `operator web-operator in namespace web`, `ClusterExtension web`.
 * Nothing if OLM did not, or if definitions may not be read.
 */
export function crdOwners(observed: Observed, crd: string): readonly string[] {
  const labels = observed.get('CustomResourceDefinition', crd)?.metadata.labels ?? {};
  const extension = labels['olm.operatorframework.io/owner-name'];
  // `<package>.<namespace>`; packages may have dots, namespaces do not.
  const operators = Object.keys(labels).flatMap((key) => {
    const match = key.startsWith(v0) ? /^(.+)\.([^.]+)$/.exec(key.slice(v0.length)) : null;
    return match === null ? [] : [`operator ${match[1]} in namespace ${match[2]}`];
  });
  return [...(extension === undefined ? [] : [`ClusterExtension ${extension}`]), ...operators];
}
