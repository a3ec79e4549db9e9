// The scaffolds, the examples and the operators of the tests keep the rules of docs/conventions.md.
import { afterAll, describe, expect, test } from 'vitest';
import { filesBelow } from '../../../helpers/source-files.ts';
import { generateManifests } from '../../../../src/compiler/manifests/index.ts';
import { projectFolder, type ProjectFolder } from './project-folder.ts';

const codes = /^manifests\/(?:varying-reason|varying-condition-type|reason-format|changing-message)$/;
const texts = /\b(?:events|conditions)\b|conditionsOf/;

/** Folders of whole projects, and of sources alone. Those of `test/golden/projects` are made from the templates. */
const folders = [
  ...['memcached-operator', 'namespace-sync', 'etcd-operator', 'prometheus-operator', 'redis-operator'].map(
    (name) => `examples/${name}`,
  ),
  ...['basic', 'controllers'].map((name) => `test/golden/projects/${name}`),
  ...['database-operator'].map((name) => `test/operators/${name}`),
];
const open: ProjectFolder[] = [];
afterAll(() => {
  for (const each of open) each.remove();
});

describe.each(folders)('%s', (path) => {
  const sources = filesBelow(path, (name) => name.endsWith('.ts') && !/\/(?:test|generated)\//.test(name));
  const isProject = sources.some((file) => file.path.startsWith(`${path}/src/`));

  test('describes Events or conditions', () => {
    expect(sources.filter(({ text }) => texts.test(text))).not.toEqual([]);
  });

  test('by constants, with texts that do not change by themselves', () => {
    const folder = projectFolder(
      Object.fromEntries(
        sources.map((file) => [`${isProject ? '' : 'src/'}${file.path.slice(path.length + 1)}`, file.text]),
      ),
    );
    open.push(folder);
    const { warnings } = generateManifests({ projectDir: folder.dir, only: 'rbac' });
    expect(warnings.filter(({ code }) => codes.test(code))).toEqual([]);
  });
});
