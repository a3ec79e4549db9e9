import { join } from 'node:path';
import { readdirSync, existsSync, readFileSync } from 'node:fs';
import { renderKustomization } from '../../../src/kubernetes/kustomize/index.ts';
import type { ManifestObject } from '../../../src/kubernetes/yaml/index.ts';
import { renderOurs } from '../kustomize/render-ours.ts';
import { scaffolds, sectionsOf } from '../kustomize/scaffolds.ts';

const examples = join(import.meta.dirname, '../../../examples');

/** What `deploy` applies in a project. */
export interface DeployedProject {
  /** Title of a test. */
  readonly title: string;
  /** Name of the project. */
  readonly name: string;
  readonly objects: readonly ManifestObject[];
}

/** Returns all examples with a config/default, and each golden project as it is scaffolded and with everything switched on. */
export async function deployedProjects(): Promise<readonly DeployedProject[]> {
  const ofExamples = readdirSync(examples)
    .filter((name) => existsSync(join(examples, name, 'config/default/kustomization.yaml')))
    .map(async (name): Promise<DeployedProject> => {
      const cwd = join(examples, name);
      const placed = await renderKustomization('config/default', { cwd });
      return {
        title: `example ${name}`,
        name: projectName(readFileSync(join(cwd, 'PROJECT'), 'utf8')),
        objects: placed.map(({ object }) => object),
      };
    });
  const ofScaffolds = scaffolds()
    .filter(({ folder, name }) => folder === 'config/default' && !name.includes("a patch of the user's own"))
    .filter(({ name, files }) => {
      const sections = sectionsOf(files['config/default/kustomization.yaml'] ?? '');
      // As it is scaffolded, or with nothing left to switch on.
      return !name.includes(', with ') || sections.length === 0;
    })
    .map(async (scaffold): Promise<DeployedProject | undefined> => {
      const rendered = await renderOurs(scaffold);
      if (!('objects' in rendered)) return undefined;
      const objects = rendered.objects as readonly ManifestObject[];
      const deployment = objects.find(({ kind }) => kind === 'Deployment');
      const name = deployment?.metadata.name.replace(/-controller-manager$/, '');
      return name === undefined ? undefined : { title: scaffold.name, name, objects };
    });
  const all = await Promise.all([...ofExamples, ...ofScaffolds]);
  return all.filter((each) => each !== undefined);
}

function projectName(text: string): string {
  return /^projectName: (.*)$/m.exec(text)?.[1] ?? '';
}
