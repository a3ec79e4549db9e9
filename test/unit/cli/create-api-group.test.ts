// The group of `create api` stands in front of the domain of the project, which it does not repeat.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ScaffoldedProjects, type ScaffoldedProject } from '../../helpers/scaffolded-project.ts';

const projects = new ScaffoldedProjects();
let project: ScaffoldedProject;
beforeAll(async () => {
  project = await projects.create();
});
afterAll(() => projects.remove());

const api = (group: string, ...flags: string[]): string[] => [
  ...['create', 'api', '--group', group, '--version', 'v1', '--kind', 'Redis', '--controller=false'],
  ...flags,
];

describe('create api --group', () => {
  test.each([
    ['cache.example.com', 'give --group cache, which is "cache.example.com"'],
    ['east.cache.example.com', 'give --group east.cache, which is "east.cache.example.com"'],
    ['example.com', 'give the part in front of the domain: --group cache is "cache.example.com"'],
  ])('%s is refused in a project of example.com, with what is meant', async (group, fix) => {
    const findings = await project.refused(api(group), 2);
    expect(findings).toMatchObject([{ code: 'cli/invalid-value', where: { flag: '--group' }, fix: [fix] }]);
    expect(findings[0]?.message).toContain(`"${group}.example.com"`);
  });

  test('that only looks like the domain is a group', async () => {
    await project.done(api('myexample.com', '--dry-run'));
    await project.done(api('example', '--dry-run'));
    await project.done(api('example.com.cache', '--dry-run'));
  });

  test('of a project that has the doubled group already stays usable', async () => {
    const doubled = await projects.create();
    await doubled.done(api('cache'));
    doubled.edit('PROJECT', (text) => text.replaceAll('group: cache', 'group: cache.example.com'));
    await doubled.refused(api('cache.example.com'));
    await doubled.done(api('cache.example.com', '--force', '--dry-run'));
  });

  test('of a built-in kind is its own, whatever the domain', async () => {
    await project.done([
      ...['create', 'api', '--group', 'networking.k8s.io', '--version', 'v1', '--kind', 'Ingress'],
      ...['--resource=false', '--controller', '--dry-run'],
    ]);
  });
});
