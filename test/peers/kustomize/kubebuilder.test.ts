// config/default of kubebuilder's own projects beside kustomize: KUBEBUILDER_TESTDATA is `testdata` of a checkout.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildKustomizeOracle, type Tree } from './oracle.ts';
import { renderOurs } from './render-ours.ts';

const testdata = process.env.KUBEBUILDER_TESTDATA ?? '';
const oracle =
  testdata !== '' && existsSync(testdata)
    ? buildKustomizeOracle()
    : { missing: 'KUBEBUILDER_TESTDATA names no folder' };
if ('missing' in oracle) console.log(`skipped: the projects of kubebuilder: ${oracle.missing}`);

/** The folders of kustomizations in `config`, each with all of its files. */
function treesOf(project: string): readonly (Tree & { readonly folder: string })[] {
  const config = join(testdata, project, 'config');
  const paths = readdirSync(config, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const files = Object.fromEntries(
    paths.map((path) => [`config/${path.slice(config.length + 1)}`, readFileSync(path, 'utf8')]),
  );
  return ['default', 'crd', 'rbac', 'manager', 'samples', 'prometheus', 'webhook', 'certmanager']
    .map((name) => `config/${name}`)
    .filter((folder) => `${folder}/kustomization.yaml` in files)
    .map((folder) => ({ files, folder }));
}

describe.skipIf('missing' in oracle)("kubebuilder's projects beside kustomize", () => {
  afterAll(() => ('missing' in oracle ? undefined : oracle.close()));
  const projects =
    'missing' in oracle
      ? []
      : readdirSync(testdata).filter((name) => existsSync(join(testdata, name, 'config/default')));
  const trees = projects.flatMap((project) => treesOf(project).map((tree) => ({ project, tree })));

  it('finds projects', () => {
    expect(projects.length).toBeGreaterThan(0);
  });

  it.each(trees.map(({ project, tree }) => [project, tree.folder, tree] as const))(
    '%s %s',
    async (_project, _folder, tree) => {
      const [expected] = 'missing' in oracle ? [] : oracle.render([tree]);
      expect(expected).toHaveProperty('objects');
      expect(await renderOurs(tree)).toEqual(expected);
    },
  );
});
