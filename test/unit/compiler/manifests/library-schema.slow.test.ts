// A kind that a schema of a library describes is a kind like any other: for roles, bundles, columns, places and the operator's code.
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { buildOperator } from '../../../../src/compiler/build/index.ts';
import {
  crdFieldLocator,
  describeKinds,
  generateManifests,
  projectKinds,
} from '../../../../src/compiler/manifests/index.ts';
import { schemaProject } from '../../../helpers/schema-project.ts';
import type { ProjectFolder } from './project-folder.ts';

let folder: ProjectFolder | undefined;
afterEach(() => folder?.remove());

const schema = `import { z } from 'zod';
const port = z.object({ name: z.string(), port: z.int32() });
export const schema = z.object({
  spec: z.object({
    size: z.int32().default(1).describe('Number of pods.'),
    ports: z.array(port).optional(),
    ratio: z.number().optional(),
  }),
  status: z.object({ ready: z.int32().optional() }).optional(),
});
`;
const files = {
  'src/api/sample.ts': `import { defineResource, type ObjectOf } from 'opsdk';
import { schema } from './sample.schema.ts';
/** @allow schema/float a share */
export const Sample = defineResource({
  group: 'example.com', version: 'v1', kind: 'Sample', schema,
  printerColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
});
export type Sample = ObjectOf<typeof Sample>;
`,
  'src/controllers/sample.ts': `import { defineController, type Client, type Stored } from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { Sample } from '../api/sample.ts';
async function report(client: Client, sample: Stored<Sample>): Promise<void> {
  const { size } = sample.spec;
  await client.applyStatus(Sample, { name: sample.metadata.name, namespace: 'x' }, { ready: size });
}
export const controller = defineController({
  for: Sample,
  owns: [Deployment],
  async reconcile(sample, { client }) {
    await client.apply(Deployment, { metadata: { name: 'a', namespace: 'b' }, spec: { replicas: sample.spec.size } });
    await report(client, sample);
  },
});
`,
  'src/main.ts': `import { createManager, operatorMain } from 'opsdk';
import { controller } from './controllers/sample.ts';
await operatorMain(() => createManager({ controllers: [controller] }));
`,
};

test('roles, columns, descriptors and used kinds', { timeout: 300_000 }, () => {
  folder = schemaProject(schema, files);
  const projectDir = folder.dir;
  const { files: made, warnings } = generateManifests({ projectDir });
  expect(warnings.map(({ code }) => code)).not.toContain('schema/float');
  const [crd, role] = made.map(({ document }) => document);
  expect(crd).toMatchObject({
    spec: {
      versions: [{ additionalPrinterColumns: [{ jsonPath: '.spec.size' }], subresources: { status: {} } }],
    },
  });
  expect(role).toMatchObject({
    rules: expect.arrayContaining([
      expect.objectContaining({ apiGroups: ['example.com'], resources: ['samples/status'] }),
      expect.objectContaining({
        apiGroups: ['example.com'],
        resources: ['samples'],
        verbs: ['list', 'watch'],
      }),
    ]) as unknown,
  });
  expect(describeKinds({ projectDir }).kinds).toMatchObject([
    {
      name: 'samples.example.com',
      resources: [{ kind: 'Deployment' }],
      specDescriptors: [
        { path: 'size', displayName: 'Size', description: 'Number of pods.' },
        { path: 'ports' },
        { path: 'ratio' },
      ],
      statusDescriptors: [{ path: 'ready' }],
    },
  ]);
  expect(projectKinds(projectDir).declared.map(({ crd: name }) => name)).toEqual(['samples.example.com']);
});

test('fields of the CRD are found in the schema', { timeout: 300_000 }, () => {
  folder = schemaProject(schema, files);
  const locate = crdFieldLocator({ projectDir: folder.dir });
  const at = (field: string): string | undefined => {
    const place = locate(
      'samples.example.com',
      `spec.versions[0].schema.openAPIV3Schema.properties[spec].${field}`,
    );
    return place && `${place.file}:${place.line}`;
  };
  expect(at('properties[size].default')).toBe('src/api/sample.schema.ts:5');
  expect(at('properties[ports].items.properties[port].format')).toBe('src/api/sample.schema.ts:2');
});

test('the operator is bundled without the schema and its library', { timeout: 300_000 }, async () => {
  folder = schemaProject(schema, files);
  folder.write(
    'tsconfig.json',
    '{ "compilerOptions": { "module": "NodeNext", "verbatimModuleSyntax": true } }',
  );
  const code = async (): Promise<string> => {
    const { files: bundled } = await buildOperator({ projectDir: join(folder?.dir ?? '') });
    return bundled
      .filter(({ path }) => path.endsWith('.mjs'))
      .map(({ content }) => content)
      .join('\n');
  };
  const plain = await code();
  expect(plain).toContain('"Sample"');
  expect(plain).not.toContain('Number of pods.');
  expect(plain).not.toContain('ZodObject');
  // Whoever uses the schema in the operator has it there.
  folder.write(
    'src/controllers/sample.ts',
    `${files['src/controllers/sample.ts']}import { schema } from '../api/sample.schema.ts';\nexport const check = (value: unknown): boolean => schema.safeParse(value).success;\n`,
  );
  folder.write(
    'src/main.ts',
    `${files['src/main.ts']}import { check } from './controllers/sample.ts';\ncheck({});\n`,
  );
  expect(await code()).toContain('ZodObject');
});
