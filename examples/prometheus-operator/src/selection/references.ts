/**
 * Returns the Secrets and ConfigMaps that a spec refers to, as `<namespace>/<name>`. Every selector of a key has a name and a key; that some
 * other object may have both as well costs one reconcile more.
 */
export function referencesOf(spec: unknown, namespace: string): readonly string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) {
      const { name, key } = value as { readonly name?: unknown; readonly key?: unknown };
      if (typeof name === 'string' && typeof key === 'string') found.add(`${namespace}/${name}`);
      Object.values(value).forEach(visit);
    }
  };
  visit(spec);
  return [...found];
}
