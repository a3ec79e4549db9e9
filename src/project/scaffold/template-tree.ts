import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FindingList, OpSdkError } from '../../base/errors/index.ts';
import { layout } from '../project/index.ts';
import { errnoOf, errnoText } from '../../base/util/fs.ts';
import { render, TemplateError, type TemplateModel } from './engine.ts';

/** Folders of templates that projects may override. Each folder has the same layout as the project itself. */
export const templateSets = [
  'init',
  'init-pnpm',
  'init-upgrade',
  'service-monitor',
  'first-api',
  'kind',
  'api',
  'controller',
  'foreign-controller',
  'foreign-integration',
  'webhook',
  'conversion',
  'webhook-config',
  'webhook-cert-manager',
  'webhook-self-signed',
  'monitoring',
  'manifests',
  'bundle',
  'publish',
  'chart',
] as const;
export type TemplateSet = (typeof templateSets)[number];

const SUFFIX = '.hbs';

/** The folder of op-sdk's own templates. */
export const templatesRoot = fileURLToPath(new URL('../../../templates/', import.meta.url));

/** A file rendered from its template. */
export interface RenderedFile {
  /** Path relative to the project folder, with forward slashes. */
  readonly path: string;
  readonly content: string;
}

/** A template: the set that contains it, its path in the set, and its file. */
interface Template {
  readonly set: TemplateSet;
  /** Path relative to the folder of the set, without `.hbs`, with placeholders such as `__kind__`. */
  readonly path: string;
  /** Absolute path of the template file. */
  readonly file: string;
  /** The override's path in the project; absent for op-sdk's own templates. */
  readonly override?: string;
}

/**
 * Returns the templates of a set, with the project's overrides in `.op-sdk/templates/<set>/` applied.
 * @param projectRoot absolute; undefined if the project does not exist yet
 * @throws OpSdkError `scaffold/unknown-template` for each override without a matching template
 */
export async function templatesOf(set: TemplateSet, projectRoot?: string): Promise<readonly Template[]> {
  const ours = (await filesBelow(join(templatesRoot, set))).filter((path) => path.endsWith(SUFFIX));
  const overrides = projectRoot === undefined ? [] : await overridesOf(projectRoot);
  const templates = ours.sort().map((path): Template => {
    const override = `${layout.templateOverrides}/${set}/${path}`;
    const isOverridden = projectRoot !== undefined && overrides.includes(`${set}/${path}`);
    const plain = path.slice(0, -SUFFIX.length);
    return isOverridden
      ? { set, path: plain, file: join(projectRoot, override), override }
      : { set, path: plain, file: join(templatesRoot, set, path) };
  });
  return templates;
}

/** Checks that every file under `.op-sdk/templates/` replaces a template. */
async function overridesOf(projectRoot: string): Promise<readonly string[]> {
  const overrides = await filesBelow(join(projectRoot, layout.templateOverrides));
  if (overrides.length === 0) return overrides;
  const known = new Set<string>();
  for (const set of templateSets) {
    for (const path of await filesBelow(join(templatesRoot, set))) known.add(`${set}/${path}`);
  }
  const findings = new FindingList();
  for (const path of overrides.filter((override) => !known.has(override))) {
    findings.add({
      code: 'scaffold/unknown-template',
      message: `the override ${path} is never used: op-sdk has no template with this path`,
      where: { file: `${layout.templateOverrides}/${path}` },
      fix: [`the templates are ${[...known].sort().join(', ')}`],
    });
  }
  findings.throwIfAny();
  return overrides;
}

/**
 * Renders the templates of a set.
 * @param names values of `__name__` placeholders in paths
 * @throws OpSdkError `scaffold/bad-template` for an override that cannot be rendered
 */
export async function renderSet(
  set: TemplateSet,
  model: TemplateModel,
  names: Readonly<Record<string, string>>,
  projectRoot?: string,
): Promise<readonly RenderedFile[]> {
  const findings = new FindingList();
  const files: RenderedFile[] = [];
  for (const template of await templatesOf(set, projectRoot)) {
    try {
      const source = await readFile(template.file, 'utf8');
      files.push({ path: fillIn(template.path, names), content: render(source, model) });
    } catch (error) {
      // An error in op-sdk's own template is a defect of op-sdk, not of the project, so it is thrown unchanged.
      if (!(error instanceof TemplateError) || template.override === undefined) throw error;
      findings.add({
        code: 'scaffold/bad-template',
        message: error.message,
        where: { file: template.override },
      });
    }
  }
  findings.throwIfAny();
  return files;
}

function fillIn(path: string, names: Readonly<Record<string, string>>): string {
  return path.replace(/__([a-zA-Z]+)__/g, (_match, name: string) => {
    const value = names[name];
    if (value === undefined) throw new TemplateError(`unknown path variable ${name} in ${path}`);
    return value;
  });
}

/** Returns the files below a folder as paths relative to it, with forward slashes; empty if the folder does not exist. */
async function filesBelow(folder: string): Promise<string[]> {
  let entries;
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw new OpSdkError(
      {
        code: 'io/cannot-read',
        message: `the folder of templates ${folder} cannot be read: ${errnoText(error)}`,
        where: { file: folder },
        fix: ['check its permissions'],
      },
      { cause: error },
    );
  }
  const nested = await Promise.all(
    entries.map(async (entry) => {
      if (!entry.isDirectory()) return [entry.name];
      return (await filesBelow(join(folder, entry.name))).map((path) => `${entry.name}/${path}`);
    }),
  );
  return nested.flat();
}
