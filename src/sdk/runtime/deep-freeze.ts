/** Freezes plain JSON all the way down, in place. Parts that are frozen already are taken to be so completely. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key in value) deepFreeze(value[key]);
  return value;
}

/** A frozen copy of plain JSON, all the way down. Parts that are frozen already are taken to be so completely, and shared. */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => frozenCopy(item))) as T;
  const copy: Partial<T> = {};
  for (const key in value) copy[key] = frozenCopy(value[key]);
  return Object.freeze(copy) as T;
}
