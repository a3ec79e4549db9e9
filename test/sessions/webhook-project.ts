// Projects with webhooks, and a definition with a conversion, for tests of what `op-sdk run` and `dev` do with them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { externalResource, type KubeObject, type Resource } from '../../src/sdk/api/index.ts';
import { uniqueName } from '../helpers/control-plane.ts';
import { scaffoldProject, webhookOperator, writeWebhookManifests } from '../helpers/dev-process.ts';

interface Memcached extends KubeObject {
  readonly spec: { readonly foo?: string };
}

/** A project with one kind and a webhook for it, below a folder; its operator is {@link webhookOperator}. */
export async function webhookProject(scratch: string) {
  const group = uniqueName('hooks');
  const project = join(scratch, group);
  await scaffoldProject(project, { group, name: group });
  writeFileSync(join(project, 'src/main.ts'), webhookOperator);
  writeWebhookManifests(project, group);
  const crd = `memcacheds.${group}.example.com`;
  const kind = (version: string): Resource<Memcached> =>
    externalResource<Memcached>({
      ...{ group: `${group}.example.com`, version, kind: 'Memcached' },
      ...{ plural: 'memcacheds', scope: 'Namespaced' },
    });
  return { project, group, crd, kind, configuration: `${group}-mutating-webhook-configuration` };
}

/** What `generate manifests` writes for a kind with two versions and a conversion, in config/crd alone. */
export function convert(project: string, crd: string): void {
  const patch = [
    'resources:',
    `- bases/${crd.slice(crd.indexOf('.') + 1)}_memcacheds.yaml`,
    'patches:',
    `- target: { kind: CustomResourceDefinition, name: ${crd} }`,
    '  patch: |-',
    '    - op: copy',
    '      from: /spec/versions/0',
    '      path: /spec/versions/1',
    '    - op: replace',
    '      path: /spec/versions/1/name',
    '      value: v1beta1',
    '    - op: replace',
    '      path: /spec/versions/1/storage',
    '      value: false',
    '    - op: add',
    '      path: /spec/conversion',
    '      value:',
    '        strategy: Webhook',
    '        webhook:',
    '          conversionReviewVersions: [v1]',
    '          clientConfig: { service: { name: webhook-service, namespace: system, path: /convert } }',
    '',
  ];
  writeFileSync(join(project, 'config/crd/kustomization.yaml'), patch.join('\n'));
}
