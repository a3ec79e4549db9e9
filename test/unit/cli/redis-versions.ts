import { parse } from 'yaml';
import type { ScaffoldedProject, ScaffoldedProjects } from '../../helpers/scaffolded-project.ts';

export const api = (version: string, ...flags: string[]): string[] => [
  ...['create', 'api', '--group', 'cache', '--version', version, '--kind', 'Redis'],
  ...flags,
];
export const types = (version: string): string => `src/api/cache/${version}/redis.ts`;

export async function withV1(projects: ScaffoldedProjects, ...flags: string[]): Promise<ScaffoldedProject> {
  const project = await projects.create();
  await project.done(api('v1', ...flags));
  return project;
}

export const replace =
  (from: string, to: string) =>
  (text: string): string =>
    text.replace(from, to);

export async function upToDate(project: ScaffoldedProject): Promise<void> {
  await project.done(['generate', 'manifests', '--check']);
}

interface Crd {
  readonly spec: {
    readonly versions: readonly {
      readonly name: string;
      readonly storage: boolean;
      readonly schema: object;
    }[];
  };
}
export const versionsIn = (project: ScaffoldedProject): Crd['spec']['versions'] =>
  (parse(project.read('config/crd/bases/cache.example.com_redises.yaml')) as Crd).spec.versions;

export const resourcesIn = (project: ScaffoldedProject): readonly object[] =>
  (parse(project.read('PROJECT')) as { readonly resources: readonly object[] }).resources;
