/** A path one field further down: `.spec`, `.spec["a.b"]`. */
export function fieldPath(path: string, name: string): string {
  const start = path === '.' ? '' : path;
  return /^[A-Za-z_$][\w$-]*$/.test(name) ? `${start}.${name}` : `${start}[${JSON.stringify(name)}]`;
}

/**
 * The path of a field from the keys that lead to its schema: `.spec.ports[]` from `properties`, `spec`, `properties`, `ports`,
 * `items`. Ends where the keys leave the structure of the schema, as in a junctor.
 */
export function fieldOfKeys(keys: readonly (string | number)[]): string {
  let path = '.';
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    const start = path === '.' ? '' : path;
    if (key === 'properties' && keys[index + 1] !== undefined) path = fieldPath(path, String(keys[++index]));
    else if (key === 'items') path = `${start}[]`;
    else if (key === 'additionalProperties') path = `${start}.*`;
    else break;
  }
  return path;
}
