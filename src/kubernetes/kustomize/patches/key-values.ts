/**
 * Which of several keys count. A Service's ports are distinguished by port and protocol, but the protocol may be left out;
 * kustomize then goes by those keys that are there.
 */

/** The keys that some item has, and the values of one item for them. */
export function usedKeys(
  all: readonly (readonly string[])[],
  values: readonly string[],
  keys: readonly string[],
): { readonly keys: readonly string[]; readonly values: readonly string[] } {
  const used = new Set(keys.filter((_key, index) => all.some((other) => (other[index] ?? '') !== '')));
  if (used.size === 0) return { keys, values };
  return {
    keys: keys.filter((key) => used.has(key)),
    values: values.filter((value, index) => value !== '' || used.has(keys[index] ?? '')),
  };
}

/** Completes values by each other: an item with the port alone is the one with that port and a protocol. In place. */
export function completeValues(all: (readonly string[])[]): void {
  for (let i = 0; i < all.length; i++) {
    const values = all[i] ?? [];
    for (let j = 0; j < all.length; j++) {
      const completed = combined(values, all[j] ?? []);
      if (completed === undefined) continue;
      all[i] = completed;
      all[j] = completed;
    }
  }
}

/** Both in one if they agree in a value and differ only where one is empty. */
function combined(one: readonly string[], other: readonly string[]): readonly string[] | undefined {
  const clash = one.some((value, index) => value !== other[index] && value !== '' && other[index] !== '');
  if (clash || !one.some((value, index) => value === other[index])) return undefined;
  return one.map((value, index) => (value === '' ? (other[index] ?? '') : value));
}
