import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import {
  addController,
  addResource,
  commandRecord,
  controllerNames,
  loadProject,
  newProjectFile,
  readProject,
  recordTemplates,
  setProjectFlag,
  setWebhooks,
  type ProjectResource,
} from '../../../../src/project/project/index.ts';

const memcached: ProjectResource = {
  group: 'cache',
  domain: 'example.com',
  version: 'v1alpha1',
  kind: 'Memcached',
  plural: 'memcacheds',
  path: 'src/api/cache/v1alpha1/memcached.ts',
  api: { crdVersion: 'v1', namespaced: true },
  controller: true,
};

const fresh = newProjectFile({
  domain: 'example.com',
  repo: "O'Hara */ ${x} {{y}}",
  projectName: 'cache-operator',
  cliVersion: '0.1.0',
  run: commandRecord('init', { domain: 'example.com' }, 'npm'),
  templates: { Makefile: 'abc', 'src/main.ts': '0123' },
});

/** The findings of a PROJECT text, as `line:column code message`. */
function problems(text: string): string[] {
  try {
    readProject(text);
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    return error.findings.map((finding) => {
      const place = finding.where as { file: string; line: number; column?: number };
      expect(place.file).toBe('PROJECT');
      return `${place.line}:${place.column ?? 0} ${finding.code} ${finding.message}`;
    });
  }
  return [];
}

describe('newProjectFile', () => {
  it('is read back as it was meant', () => {
    expect(readProject(fresh)).toEqual({
      domain: 'example.com',
      repo: "O'Hara */ ${x} {{y}}",
      projectName: 'cache-operator',
      cliVersion: '0.1.0',
      layout: ['typescript.opsdk.dev/v1'],
      multigroup: true,
      namespaced: false,
      resources: [],
    });
  });
});

describe('addResource', () => {
  it('inserts the resource before the version and changes nothing else', () => {
    const edited = addResource(fresh, memcached);
    expect(readProject(edited).resources).toEqual([memcached]);
    const at = edited.indexOf('resources:\n');
    const inserted = edited.length - fresh.length;
    expect(edited.slice(0, at) + edited.slice(at + inserted)).toBe(fresh);
    expect(edited.slice(at)).toBe(`resources:
- api:
    crdVersion: v1
    namespaced: true
  controller: true
  domain: example.com
  group: cache
  kind: Memcached
  path: src/api/cache/v1alpha1/memcached.ts
  version: v1alpha1
version: "3"
`);
  });

  it('keeps comments and unknown keys, and names an irregular plural', () => {
    const text = addResource(`# mine\n${fresh}# the end\nx-team: storage # ours\n`, memcached);
    const edited = addResource(text, { ...memcached, version: 'v1', plural: 'caches', controller: false });
    expect(edited).toContain('# mine\n');
    expect(edited).toContain('# the end\nx-team: storage # ours\n');
    expect(readProject(edited).resources).toEqual([
      memcached,
      { ...memcached, version: 'v1', plural: 'caches', controller: false },
    ]);
  });

  it('records template hashes beside those that are there', () => {
    const edited = recordTemplates(fresh, { 'config/crd/kustomization.yaml': '77' });
    expect(edited).toContain(
      '      Makefile: abc\n      config/crd/kustomization.yaml: "77"\n      src/main.ts: "0123"\n',
    );
    const without = fresh.replace(/plugins:\n( .*\n)*/, '');
    expect(readProject(recordTemplates(without, { a: 'b' }))).toEqual(readProject(fresh));
  });

  it('replaces `controller: true` by the names of the controllers', () => {
    const edited = addController(addResource(fresh, memcached), memcached, 0, 'backup');
    expect(edited).toContain(`    namespaced: true
  controllers:
  - name: memcached
  - name: backup
  domain: example.com
`);
    expect(readProject(edited).resources).toEqual([{ ...memcached, controllers: ['memcached', 'backup'] }]);
  });

  it('switches a setting of the project on and off', () => {
    const on = setProjectFlag(fresh, 'namespaced', true);
    expect(readProject(on).namespaced).toBe(true);
    expect(setProjectFlag(on, 'namespaced', false)).toBe(fresh);
  });

  it('says what to add by hand when the file has another shape', () => {
    const text = fresh.replace('version: "3"', 'resources: none\nversion: "3"');
    expect(() => addResource(text, memcached)).toThrow(/project\/cannot-edit.*resources is not a list/);
  });
});

describe('setWebhooks', () => {
  const webhooks = {
    webhookVersion: 'v1',
    defaulting: true,
    validation: false,
    conversion: false,
    spoke: [],
  };
  const converted = { ...webhooks, defaulting: false, conversion: true, spoke: ['v1alpha1', 'v1alpha2'] };
  const two = addResource(addResource(fresh, memcached), { ...memcached, version: 'v1' });

  it('writes what kubebuilder writes, and only what is so', () => {
    const text = setWebhooks(two, memcached, 0, webhooks);
    expect(text).toBe(
      two.replace(
        '  version: v1alpha1\n',
        '  version: v1alpha1\n  webhooks:\n    defaulting: true\n    webhookVersion: v1\n',
      ),
    );
    const more = setWebhooks(text, memcached, 1, { ...converted, validation: true, validationPath: '/a' });
    expect(readProject(more).resources.map((each) => each.webhooks)).toEqual([
      webhooks,
      { ...converted, validation: true, validationPath: '/a' },
    ]);
    expect(addResource(fresh, { ...memcached, webhooks })).toContain(
      '    defaulting: true\n    webhookVersion: v1\n',
    );
  });

  it('changes webhooks that are there, and keeps comments and other keys', () => {
    const before = { ...memcached, webhooks: converted };
    const text = setWebhooks(two, memcached, 0, converted).replace(
      '    spoke:\n',
      '    mine: 1 # mine\n    spoke:\n',
    );
    const changed = setWebhooks(text, before, 0, { ...webhooks, conversion: true, spoke: ['v1alpha2'] });
    expect(changed).toBe(
      text
        .replace('    - v1alpha1\n', '')
        .replace('conversion: true\n', 'conversion: true\n    defaulting: true\n'),
    );
    const none = setWebhooks(changed, { ...memcached, webhooks }, 0, webhooks);
    expect(none).not.toMatch(/spoke|conversion/);
    expect(none).toContain('mine: 1 # mine');
    expect(setWebhooks(none, memcached, 0, undefined)).toBe(two);
  });

  it('reads no other version, paths or spokes', () => {
    const text = setWebhooks(two, memcached, 0, { ...converted, validation: true, validationPath: '/a' })
      .replace('webhookVersion: v1\n', 'webhookVersion: v1beta1\n')
      .replace('validationPath: /a', 'validationPath: a b')
      .replace('- v1alpha2', '- two');
    expect(problems(text)).toHaveLength(3);
  });
});

describe('readProject', () => {
  it('reports every problem with its place', () => {
    const text = `domain: Foo_Bar
layout: [go.kubebuilder.io/v4]
multigroup: yes please
projectName: 7
resources:
- api: {crdVersion: v1beta1, namespaced: true}
  group: cache
  kind: memcached
  version: 1alpha
- just text
- {group: a, version: v1, kind: A, controller: 1}
- {group: a, version: v1, kind: A}
version: "3"
`;
    expect(problems(text)).toEqual([
      expect.stringMatching(/^1:1 project\/invalid domain is "Foo_Bar"/),
      '4:1 project/invalid projectName: expected a string, got a number',
      expect.stringMatching(/^2:1 project\/foreign-layout/),
      '3:1 project/invalid multigroup: expected true or false, got a string',
      expect.stringMatching(/^9:3 project\/invalid resources\[0\]\.version is "1alpha"/),
      expect.stringMatching(/^8:3 project\/invalid resources\[0\]\.kind is "memcached"/),
      expect.stringMatching(/^6:9 project\/invalid resources\[0\]\.api\.crdVersion is "v1beta1"/),
      '10:3 project/invalid resources[1]: expected an object, got a string',
      '11:36 project/invalid resources[2].controller: expected true or false, got a number',
      expect.stringMatching(
        /^12:3 project\/duplicate-resource resources\[3\] is a duplicate of resources\[2\]: /,
      ),
    ]);
  });

  it('refuses version 2 with one clear finding', () => {
    expect(problems('version: "2"\ndomain: 3\nrepo: x\n')).toEqual([
      '1:1 project/unsupported-version PROJECT has version "2"; op-sdk reads version "3"',
    ]);
  });

  it.each([
    [
      `${fresh.replace(/^version.*$/m, 'version: 3')}`,
      '21:1 project/invalid version: expected a string, got a number',
    ],
    [
      fresh.replace(/^layout:\n(- .*\n)+/m, 'layout: [typescript.opsdk.dev/v1, 5]\n'),
      '6:35 project/invalid layout[1]: expected a string, got a number',
    ],
    ['', '1:1 project/invalid PROJECT is not a map of keys and values'],
    ['- a\n', '1:1 project/invalid PROJECT is not a map of keys and values'],
    ['a: [\n', expect.stringMatching(/^2:1 io\/yaml-syntax /)],
    ['a: 1\na: 2\n', expect.stringMatching(/^2:1 io\/yaml-syntax the key "a" occurs twice/)],
  ])('refuses %j', (text, problem) => {
    expect(problems(text)[0]).toEqual(problem);
  });

  it('reads layouts written as one string, and resources without domain', () => {
    const text = `version: "3"\ndomain: x.io\nprojectName: p\nlayout: typescript.opsdk.dev/v1\nresources:\n- {group: a, version: v1, kind: Box}\n- {core: true, group: apps, version: v1, kind: Deployment}\n`;
    expect(readProject(text).resources).toEqual([
      { group: 'a', domain: 'x.io', version: 'v1', kind: 'Box', plural: 'boxes', controller: false },
      {
        group: 'apps',
        domain: '',
        version: 'v1',
        kind: 'Deployment',
        plural: 'deployments',
        controller: false,
        core: true,
      },
    ]);
  });

  it('reads the names of controllers, and whether a kind is defined elsewhere', () => {
    const text = `version: "3"\ndomain: x.io\nprojectName: p\nnamespaced: true\nlayout: typescript.opsdk.dev/v1\nresources:\n- {group: a, version: v1, kind: Box, controller: true, controllers: [{name: box}, {name: box-two}]}\n- {external: true, group: b, domain: io, version: v1, kind: Bag, path: bags/v1, controller: true}\n`;
    const project = readProject(text);
    expect(project).toMatchObject({
      namespaced: true,
      resources: [
        { kind: 'Box', controller: true, controllers: ['box', 'box-two'] },
        { kind: 'Bag', controller: true, external: true, domain: 'io', path: 'bags/v1' },
      ],
    });
    expect(project.resources.map(controllerNames)).toEqual([['box', 'box-two'], ['bag']]);
    expect(problems(text.replace('box-two', 'Box'))).toEqual([
      expect.stringContaining('resources[0].controllers[1].name is "Box"'),
    ]);
  });
});

it('has numbers put into quotes as they are written', () => {
  const text = fresh.replace(/^cliVersion.*$/m, 'cliVersion: 1.0');
  expect(() => readProject(text)).toThrow(
    expect.objectContaining({
      findings: [
        expect.objectContaining({
          message: 'cliVersion: expected a string, got a number',
          fix: ['put it into quotes'],
        }),
      ],
    }),
  );
});

describe('loadProject', () => {
  let root = '';
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'opsdk-project-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('reads the file', async () => {
    await writeFile(join(root, 'PROJECT'), fresh);
    expect(await loadProject(root)).toMatchObject({ root, text: fresh, projectName: 'cache-operator' });
  });

  it('says where a project would come from', async () => {
    await expect(loadProject(root)).rejects.toMatchObject({ code: 'project/not-found' });
  });
});
