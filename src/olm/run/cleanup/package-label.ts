const prefix = 'operators.coreos.com/';

/** The label by which OLM v0 notes what belongs to a package in a namespace; OLM cuts long ones. */
export function packageLabel(packageName: string, namespace: string): string {
  return `${prefix}${`${packageName}.${namespace}`.slice(0, 63).replace(/[._-]+$/, '')}`;
}

/** Returns true if labels name another package than this one, or the package in another namespace. */
export function isOfOtherPackage(
  labels: Readonly<Record<string, string>> | undefined,
  label: string,
): boolean {
  return Object.keys(labels ?? {}).some((key) => key.startsWith(prefix) && key !== label);
}
