import type { Finding } from '../../../base/errors/index.ts';

/** Checks the namespaces of a manager; undefined means all of them. */
export function checkNamespaces(namespaces: readonly string[] | undefined): readonly Finding[] {
  if (namespaces === undefined || (namespaces.length > 0 && !namespaces.includes(''))) return [];
  return [
    {
      code: 'runtime/invalid-manager',
      message: `namespaces: expected at least one namespace and no empty name, got ${JSON.stringify(namespaces)}`,
      fix: ['name the namespaces, or leave the option out to watch all'],
    },
  ];
}
