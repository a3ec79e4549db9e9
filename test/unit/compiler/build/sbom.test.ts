import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { describe, expect, test } from 'vitest';
import { imageSbom } from '../../../../src/compiler/build/index.ts';

type Options = Parameters<typeof imageSbom>[0];

const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;
const packageOf = (name: string, license?: string, imports: readonly string[] = []) => ({
  name,
  version: '1.2.3',
  ...(license === undefined ? {} : { license }),
  texts: [],
  imports,
});

const options: Options = {
  image: { name: 'registry.example.com:5000/team/demo', tag: 'v0.1.0', digest: digest('a') },
  base: {
    name: 'docker.io/library/node',
    tag: '24-slim',
    digest: digest('b'),
    isLocal: false,
    node: '24.3.0',
  },
  packages: [
    packageOf('@scope/alpha', 'MIT', ['beta@1.2.3']),
    packageOf('beta', '(MIT OR Apache-2.0)'),
    packageOf('delta', 'UNLICENSED'),
    packageOf('epsilon', 'SEE LICENSE IN TERMS.txt'),
    packageOf('gamma'),
    packageOf('old', 'GPL-2.0'),
  ],
  directPackages: ['@scope/alpha@1.2.3', 'gamma@1.2.3'],
  toolVersion: '1.0.0',
};

interface Document {
  readonly metadata: { readonly component: Record<string, unknown> };
  readonly components: readonly (Record<string, unknown> & { readonly name: string })[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}
const parse = (bytes: Buffer): Document => JSON.parse(bytes.toString('utf8')) as Document;

async function schemaProblems(bytes: Buffer): Promise<unknown> {
  return new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(bytes.toString('utf8'));
}

describe('the bill of materials of an image', () => {
  test.each<[string, Options]>([
    ['an image on a base from a registry', options],
    [
      'an image on a layout, without packages',
      {
        ...options,
        packages: [],
        directPackages: [],
        base: { name: 'oci:base', digest: digest('b'), isLocal: true, node: undefined },
      },
    ],
  ])('fits the schema of CycloneDX 1.5: %s', async (_, given) => {
    expect(await schemaProblems(imageSbom(given))).toBeNull();
  });

  test('the validator finds what does not fit', async () => {
    const bent = { ...parse(imageSbom(options)), components: [{ name: 'x' }] };
    expect(await schemaProblems(Buffer.from(JSON.stringify(bent)))).not.toBeNull();
  });

  test('names image, base, Node and packages with their licenses', () => {
    const { metadata, components } = parse(imageSbom(options));
    expect(metadata.component).toMatchObject({
      name: 'registry.example.com:5000/team/demo',
      version: 'v0.1.0',
      purl: `pkg:oci/demo@sha256%3A${'a'.repeat(64)}?repository_url=registry.example.com%3A5000%2Fteam%2Fdemo&tag=v0.1.0`,
    });
    expect(components.map(({ name, licenses }) => [name, licenses])).toEqual([
      ['docker.io/library/node', undefined],
      ['node', [{ license: { id: 'MIT' } }]],
      ['@scope/alpha', [{ license: { id: 'MIT' } }]],
      ['beta', [{ expression: '(MIT OR Apache-2.0)' }]],
      ['delta', [{ license: { name: 'UNLICENSED' } }]],
      ['epsilon', [{ license: { name: 'SEE LICENSE IN TERMS.txt' } }]],
      ['gamma', undefined],
      ['old', [{ license: { id: 'GPL-2.0' } }]],
    ]);
    expect(components[2]?.['purl']).toBe('pkg:npm/%40scope/alpha@1.2.3');
  });

  test('says what depends on what, and every reference is a component', () => {
    const { metadata, components, dependencies } = parse(imageSbom(options));
    const refs = [metadata.component, ...components].map((each) => each['bom-ref']);
    expect(dependencies.map(({ ref }) => ref)).toEqual(refs);
    expect(refs).toEqual(expect.arrayContaining(dependencies.flatMap(({ dependsOn }) => dependsOn)));
    const alpha = 'pkg:npm/%40scope/alpha@1.2.3';
    expect(dependencies[0]?.dependsOn).toEqual([components[0]?.['bom-ref'], alpha, 'pkg:npm/gamma@1.2.3']);
    expect(dependencies.find(({ ref }) => ref === alpha)?.dependsOn).toEqual(['pkg:npm/beta@1.2.3']);
  });

  test('is the same for the same image', () => {
    expect(imageSbom(options).equals(imageSbom({ ...options }))).toBe(true);
  });
});
