import { eventually } from '../../../src/testing/index.ts';
import {
  createRestMapper,
  isNotFound,
  isTypeNotServed,
  type KubeClient,
} from '../../../src/sdk/kube/index.ts';

/** Objects that come and go by themselves. */
const passing = new Set(['events', 'events.events.k8s.io', 'leases.coordination.k8s.io']);

/** The names of all objects of all types that the API server stores: `<plural>.<group> <namespace>/<name>`, with labels of namespaces. */
export async function allObjects(client: KubeClient): Promise<readonly string[]> {
  const { types } = await createRestMapper(client.connection).directory();
  const names = new Set<string>();
  for (const { resource, verbs } of types) {
    const { plural, group, kind } = resource;
    const type = group === '' ? plural : `${plural}.${group}`;
    if (passing.has(type) || !verbs.includes('list') || !verbs.includes('delete')) continue;
    try {
      for (const { metadata } of (await client.list(resource)).items) {
        names.add(`${type} ${metadata.namespace ?? ''}/${metadata.name}`);
        if (kind === 'Namespace')
          for (const label of Object.keys(metadata.labels ?? {}))
            names.add(`label of namespace ${metadata.name}: ${label}`);
      }
    } catch (error) {
      // A type whose definition has just gone.
      if (!isNotFound(error) && !isTypeNotServed(error)) throw error;
    }
  }
  return [...names].sort();
}

/** The same once the controllers of the cluster have given each namespace what they give to all. */
export function settledObjects(client: KubeClient): Promise<readonly string[]> {
  return eventually(
    async () => {
      const names = await allObjects(client);
      const spaces = names.flatMap((name) => /^namespaces \/(.*)$/.exec(name)?.[1] ?? []);
      const isComplete = spaces.every(
        (space) =>
          names.includes(`serviceaccounts ${space}/default`) &&
          names.includes(`configmaps ${space}/kube-root-ca.crt`),
      );
      return isComplete ? names : false;
    },
    { timeout: 60_000 },
  );
}
