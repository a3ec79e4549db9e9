import { afterAll, expect, test } from 'vitest';
import { crdFieldLocator } from '../../../../src/compiler/manifests/index.ts';
import { parseField } from '../../../../src/compiler/manifests/locate-crd-field.ts';
import { projectFolder } from './project-folder.ts';

test.each([
  ['spec.group', ['spec', 'group']],
  [
    'spec.versions[1].schema.openAPIV3Schema.type',
    ['spec', 'versions', 1, 'schema', 'openAPIV3Schema', 'type'],
  ],
  ['properties[a.b].properties[0].items', ['properties', 'a.b', 'properties', '0', 'items']],
  [
    'properties[spec].x-kubernetes-validations[2].rule',
    ['properties', 'spec', 'x-kubernetes-validations', 2, 'rule'],
  ],
  [
    'metadata.annotations[api-approved.kubernetes.io]',
    ['metadata', 'annotations', 'api-approved.kubernetes.io'],
  ],
  ['scale.specReplicasPath', ['scale', 'specReplicasPath']],
])('%s', (field, keys) => {
  expect(parseField(field)).toEqual(keys);
});

const folder = projectFolder({
  'src/sample.ts': `import { defineResource, type CustomResource, type Int32 } from 'opsdk';
import type { ContainerPort } from 'opsdk/k8s/core/v1';

/** @maxLength 9 */
type Name = string;

interface Part {
  name: Name;
  /** @immutable */
  weights?: Record<string, Int32>;
}

/** @cel self.spec.parts.size() > 0 */
export interface Sample extends CustomResource {
  spec: {
    parts: Part[];
    port?: ContainerPort;
    /** @items.cel self > 0 */
    sizes?: Int32[];
  };
}

export const Sample = defineResource<Sample>({
  group: 'a.example.com',
  version: 'v1',
  kind: 'Sample',
  plural: 'samples',
  shortNames: ['sm'],
  scope: 'Cluster',
  storage: true,
  selectableFields: ['.spec.port.name'],
  printerColumns: [{ name: 'Port', type: 'string', jsonPath: '.spec.port.name' }],
  annotations: { note: 'x' },
  conversion: { strategy: 'None' },
  cel: [{ rule: 'true' }],
});

export const Old = defineResource<Sample>({ group: 'a.example.com', version: 'v1alpha1', kind: 'Sample', plural: 'samples', shortNames: ['sm'], scope: 'Cluster' });
`,
});
afterAll(() => folder.remove());

const schema = 'spec.versions[0].schema.openAPIV3Schema';

test.each([
  [`${schema}.properties[spec].properties[parts].items.properties[name].pattern`, 'src/sample.ts:5:6'],
  [`${schema}.properties[spec].properties[parts].items.properties[name].maxLength`, 'src/sample.ts:4:5'],
  [
    `${schema}.properties[spec].properties[parts].items.properties[weights].additionalProperties.type`,
    'src/sample.ts:10:3',
  ],
  [
    `${schema}.properties[spec].properties[parts].items.properties[weights].x-kubernetes-validations[0].rule`,
    'src/sample.ts:9:7',
  ],
  [`${schema}.properties[spec].properties[port].properties[protocol].default`, 'src/sample.ts:17:5'],
  [
    `${schema}.properties[spec].properties[sizes].items.x-kubernetes-validations[0].rule`,
    'src/sample.ts:18:9',
  ],
  [`${schema}.properties[metadata]`, 'src/sample.ts:14:18'],
  [`${schema}.x-kubernetes-validations[0].rule`, 'src/sample.ts:13:5'],
  [`${schema}.x-kubernetes-validations[1].rule`, 'src/sample.ts:35:9'],
  [`${schema}.type`, 'src/sample.ts:14:18'],
  ['spec.validation.openAPIV3Schema.properties[spec].properties[parts].type', 'src/sample.ts:16:5'],
  ['spec.versions[0].selectableFields[0].jsonPath', 'src/sample.ts:31:22'],
  ['spec.versions[0].additionalPrinterColumns[0].JSONPath', 'src/sample.ts:32:20'],
  ['spec.versions[0].deprecationWarning', 'src/sample.ts:23:23'],
  ['spec.versions[1].name', 'src/sample.ts:38:78'],
  ['spec.conversion.strategy', 'src/sample.ts:34:27'],
  ['spec.names.shortNames[0]', 'src/sample.ts:28:16'],
  ['spec.names.kind', 'src/sample.ts:26:9'],
  ['spec.group', 'src/sample.ts:24:10'],
  ['spec.scope', 'src/sample.ts:29:10'],
  ['metadata.annotations', 'src/sample.ts:33:3'],
  ['metadata.name', 'src/sample.ts:24:10'],
])('%s comes from %s', (field, place) => {
  const { file, line, column } = locate('samples.a.example.com', field) ?? {};
  expect(`${file}:${line}:${column}`).toBe(place);
});

const locate = crdFieldLocator({ projectDir: folder.dir, only: 'crd' });

test('a definition that the sources do not make', () => {
  expect(locate('others.a.example.com', 'spec.group')).toBeUndefined();
});
