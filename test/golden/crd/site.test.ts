import { afterAll, expect, test } from 'vitest';
import { generateManifests } from '../../../src/compiler/manifests/index.ts';
import { renderMachineDocument } from '../../../src/project/scaffold/machine-document.ts';
import { projectFolder } from '../../unit/compiler/manifests/project-folder.ts';

const folder = projectFolder({
  'src/names.ts': `export const common = { group: 'web.example.com', kind: 'Site', scope: 'Cluster', shortNames: ['st'], categories: ['all', 'web'] } as const;
export const age = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' } as const;`,
  'src/site.ts': `import { defineResource, type Condition, type CustomResource, type DateTime, type Int32, type IntOrString, type ListMap } from 'opsdk';
import { age, common } from './names.ts';
export interface SiteSpec {
  /**
   * @minimum 1
   * @printerColumn
   */
  replicas: Int32;
  maxSurge?: IntOrString;
  since?: DateTime;
}
export interface Site extends CustomResource { spec: SiteSpec; status?: { conditions?: ListMap<Condition, 'type'> } }
export const Site = defineResource<Site>({
  ...common,
  version: 'v1',
  storage: true,
  printerColumns: [
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status', description: \`ready in \${common.group}\` },
    { name: 'App', type: 'string', jsonPath: '.metadata.labels.app\\\\.kubernetes\\\\.io/name', priority: 1 },
    age,
  ],
});`,
  'src/old-site.ts': `import { defineResource, type CustomResource } from 'opsdk';
import { age, common } from './names.ts';
import type { SiteSpec } from './site.ts';
export interface OldSite extends CustomResource { spec?: SiteSpec }
export const OldSite = defineResource<OldSite>({ ...common, version: 'v1alpha1', served: false, printerColumns: [age] });`,
});
afterAll(() => folder.remove());

test('two versions, shared names, columns from tags and declarations: one CRD, byte for byte', async () => {
  const { files, warnings } = generateManifests({ projectDir: folder.dir, only: 'crd' });
  expect(warnings).toEqual([]);
  const [crd] = files;
  expect(files.map((file) => file.path)).toEqual(['config/crd/bases/web.example.com_sites.yaml']);
  await expect(await renderMachineDocument('crd', crd?.document ?? {})).toMatchFileSnapshot(
    'expected/site.yaml',
  );
});
