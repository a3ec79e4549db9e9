import { ownAccess, type KubeClient } from '../../../sdk/kube/index.ts';
import type { ApiDirectory } from '../../../sdk/kube/discovery/index.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/manifest-object.ts';
import { defineCheck, ok, problem } from '../check.ts';

/** Kinds that a deploy of any operator writes. */
const always: readonly Target[] = [
  { group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions' },
  { group: 'rbac.authorization.k8s.io', plural: 'clusterroles' },
];

interface Target {
  readonly group: string;
  readonly plural: string;
  readonly namespace?: string;
}

/** Checks that whoever calls may install CRDs and cluster roles, and write every other kind of config/default. */
export const permissions = defineCheck({
  name: 'permissions',
  needs: ['cluster'],
  async run({ cluster: { client, directory } }, { signal }, attempt) {
    const objects = await attempt('objects');
    const targets = unique([...always, ...('value' in objects ? targetsOf(objects.value, directory) : [])]);
    const denied: string[] = [];
    for (const target of targets) {
      // Server-side apply is a patch; what is not there yet is created too.
      for (const verb of ['create', 'patch']) {
        if (!(await isAllowed(client, target, verb, signal))) denied.push(`${verb} ${describe(target)}`);
      }
    }
    if (denied.length === 0) return ok(`${targets.map(({ plural }) => plural).join(', ')} may be written`);
    return problem(
      'cluster/not-permitted',
      `you may not ${denied.join(', ')}`,
      'ask an administrator of the cluster for the permission',
      'or choose another context: op-sdk doctor --context <name>',
    );
  },
});

function targetsOf(objects: readonly PlacedObject[], { types }: ApiDirectory): readonly Target[] {
  return objects.flatMap(({ object: { apiVersion, kind, metadata } }) => {
    const type = types.find(({ resource }) => resource.apiVersion === apiVersion && resource.kind === kind);
    if (type === undefined) return [];
    const { group, plural } = type.resource;
    return [
      { group, plural, ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }) },
    ];
  });
}

function unique(targets: readonly Target[]): readonly Target[] {
  return [...new Map(targets.map((target) => [describe(target), target])).values()];
}

function describe({ group, plural, namespace }: Target): string {
  const type = group === '' ? plural : `${plural}.${group}`;
  return namespace === undefined ? type : `${type} in ${namespace}`;
}

function isAllowed(
  { connection }: KubeClient,
  { plural, ...target }: Target,
  verb: string,
  signal: AbortSignal,
): Promise<boolean> {
  return ownAccess(connection, { ...target, resource: plural, verb }, { signal });
}
