import { afterEach, expect, test } from 'vitest';
import { generateManifests } from '../../../../src/compiler/manifests/index.ts';
import { projectFolder, type ProjectFolder } from './project-folder.ts';

let folder: ProjectFolder | undefined;
afterEach(() => folder?.remove());

const source = `import { defineResource, type Condition, type CustomResource } from 'opsdk';
import type { ContainerPort } from 'opsdk/k8s/core/v1';
export interface Sample extends CustomResource {
  ports?: ContainerPort[];
  /** Our own words. */
  port?: ContainerPort;
  condition?: Condition;
}
export const Sample = defineResource<Sample>({ group: 'a.example.com', version: 'v1', kind: 'Sample' });
`;

interface Schema {
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

function properties(embeddedDescriptions?: boolean): Readonly<Record<string, Schema>> {
  folder ??= projectFolder({ 'src/sample.ts': source });
  const { files } = generateManifests({
    projectDir: folder.dir,
    only: 'crd',
    ...(embeddedDescriptions === undefined ? {} : { embeddedDescriptions }),
  });
  const { versions } = files[0]?.document['spec'] as {
    versions: readonly { schema: { openAPIV3Schema: Schema } }[];
  };
  return versions[0]?.schema.openAPIV3Schema.properties ?? {};
}

test('the descriptions of built-in types are left out, kept when asked for, and never take the place of the own ones', () => {
  const short = properties();
  expect(short['ports']?.items?.description).toBeUndefined();
  expect(short['ports']?.items?.properties?.['containerPort']?.description).toBeUndefined();
  expect(short['port']?.description).toBe('Our own words.');
  expect(short['condition']?.properties?.['reason']?.description).toContain('programmatic identifier');

  const full = properties(true);
  expect(full['ports']?.items?.description).toBe(
    'ContainerPort represents a network port in a single container.',
  );
  expect(full['ports']?.items?.properties?.['containerPort']?.description).toContain('pod');
  expect(full['port']?.description).toBe('Our own words.');
});
