import type { Finding } from '../../base/errors/index.ts';
import type { ApiDirectory } from '../../sdk/kube/index.ts';
import { groupOf } from '../../base/util/api-version.ts';
import { closestName } from '../../base/util/closest-name.ts';
import type { PlacedObject } from '../../kubernetes/yaml/manifest-object.ts';

/** Groups of operators that scaffolds refer to, and how to get on without the kinds. */
const hints: Readonly<Record<string, readonly string[]>> = {
  'monitoring.coreos.com': [
    'install the Prometheus Operator, or its CustomResourceDefinitions alone, first',
    'or comment out ../prometheus in config/default/kustomization.yaml',
  ],
  'cert-manager.io': [
    'install cert-manager first, and wait until it runs',
    'or let the operator make the certificate of its webhooks itself: `op-sdk explain project/cert-provider`',
  ],
};

/** Tells why the server does not know the kind of an object, and what would help. */
export function unknownKind({ object, where }: PlacedObject, directory: ApiDirectory): Finding {
  const { apiVersion, kind, metadata } = object;
  const group = groupOf(apiVersion);
  return {
    code: 'cluster/unknown-kind',
    message: `${kind} ${metadata.name}: no matches for kind "${kind}" in version "${apiVersion}"`,
    where,
    fix: fixes(apiVersion, kind, group, directory),
  };
}

function fixes(
  apiVersion: string,
  kind: string,
  group: string,
  { types, unavailable }: ApiDirectory,
): readonly string[] {
  if (unavailable.includes(apiVersion)) {
    return [`the API server of ${apiVersion} does not answer: \`kubectl get apiservices\` says why`];
  }
  const otherVersions = types
    .filter(({ resource }) => resource.group === group && resource.kind === kind)
    .map(({ resource }) => resource.apiVersion);
  if (otherVersions.length > 0) return [`the cluster serves it as ${otherVersions.join(' and ')}`];
  const known = hints[group];
  if (known !== undefined) return known;
  const inVersion = types.filter(({ resource }) => resource.apiVersion === apiVersion);
  const elsewhere = types.filter(({ resource }) => resource.kind === kind);
  if (inVersion.length === 0 || group === '') {
    const versions = elsewhere.map(({ resource }) => resource.apiVersion);
    if (versions.length > 0) return [`write apiVersion ${versions.join(' or ')}, if that is what you mean`];
  }
  const suggestion = closestName(
    kind,
    inVersion.map(({ resource }) => resource.kind),
  );
  if (suggestion !== undefined) return [`write ${suggestion}, if that is what you mean`];
  return [
    'check the spelling of apiVersion and kind',
    'install the CustomResourceDefinition first, or put it into the same manifest',
  ];
}
