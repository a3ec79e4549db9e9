import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/run.mjs';
import type { ClusterBed } from './cluster-bed.ts';
import { createNginxProject, type OperatorProject } from './operator-project.ts';

const v1alpha2 = ['--group', 'operator', '--version', 'v1alpha2', '--kind', 'NginxOperator'];

/** Gives an object no replicas, unless it says how many, and refuses five and more. */
const webhook = `import { defineWebhook } from 'opsdk';
import { NginxOperator } from '../../../api/operator/v1alpha2/nginx-operator.ts';

export const nginxOperatorWebhook = defineWebhook(NginxOperator, {
  default(nginx) {
    if (nginx.spec === undefined) return;
    nginx.spec.replicas ??= 0;
  },
  validate: {
    create({ spec: { replicas = 0 } }) {
      return replicas < 5 ? [] : [{ path: '.spec.replicas', message: 'must be less than 5', value: replicas }];
    },
  },
});
`;

/** Scaffolds the nginx operator with two versions of its kind, a conversion between them, and webhooks. */
export async function createTwoVersionsProject(
  bed: ClusterBed,
  certProvider: 'cert-manager' | 'self-signed',
): Promise<OperatorProject> {
  const project = await createNginxProject(bed);
  try {
    await project.opSdk('create', 'api', ...v1alpha2, '--resource', '--controller', '--storage', '--force');
    await project.opSdk(
      ...['create', 'webhook', ...v1alpha2, '--defaulting', '--programmatic-validation'],
      ...['--conversion', '--spoke', 'v1alpha1', '--cert-provider', certProvider],
    );
    cpSync(join(root, 'examples', 'two-versions'), project.folder, { recursive: true });
    writeFileSync(join(project.folder, 'src/webhooks/operator/v1alpha2/nginx-operator.ts'), webhook);
    await project.opSdk('generate', 'manifests');
  } catch (error) {
    project[Symbol.dispose]();
    throw error;
  }
  return project;
}
