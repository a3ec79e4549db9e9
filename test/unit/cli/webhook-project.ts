import { parse } from 'yaml';
import { renderKustomization } from '../../../src/kubernetes/kustomize/index.ts';
import { ScaffoldedProjects, type ScaffoldedProject } from '../../helpers/scaffolded-project.ts';

/** Of a test file; it removes them in the end. */
export const projects = new ScaffoldedProjects();

export const redis = ['--group', 'cache', '--kind', 'Redis'];
export const api = (version: string, ...flags: string[]): string[] => [
  ...['create', 'api', '--version', version, ...redis, '--controller=false'],
  ...flags,
];
export const webhook = (version: string, ...flags: string[]): string[] => [
  ...['create', 'webhook', '--version', version, ...redis],
  ...flags,
];
export const remove = (...flags: string[]): string[] => ['delete', 'api', ...redis, ...flags];
export const code = 'src/webhooks/cache/v1/redis.ts';
export const conversion = 'src/conversions/cache/redis.ts';
export const defaultFile = 'config/default/kustomization.yaml';
export const types = (version: string): string => `src/api/cache/${version}/redis.ts`;

export async function withVersions(...versions: string[]): Promise<ScaffoldedProject> {
  const project = await projects.create();
  for (const version of versions) await project.done(api(version));
  return project;
}

export interface Entry {
  readonly version: string;
  readonly webhooks?: object;
}
export const entriesOf = (project: ScaffoldedProject): readonly Entry[] =>
  (parse(project.read('PROJECT')) as { readonly resources?: readonly Entry[] }).resources ?? [];

/** The objects of config/default. */
export async function rendered(project: ScaffoldedProject): Promise<readonly string[]> {
  const objects = await renderKustomization('config/default', { cwd: project.folder });
  return objects.map(({ object }) => `${object.kind} ${object.metadata.name}`);
}
