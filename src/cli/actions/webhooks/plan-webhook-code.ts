import type { FindingList } from '../../../base/errors/index.ts';
import type { VersionSources } from '../../../compiler/manifests/index.ts';
import {
  layout,
  readFileOf,
  recordedTemplates,
  type LoadedProject,
  type ProjectWebhooks,
  type ProjectResource,
} from '../../../project/project/index.ts';
import {
  contentHash,
  controllerEntry,
  conversionFiles,
  conversionNames,
  spokeText,
  webhookFiles,
  webhookNames,
  webhookOptions,
  withDevDependency,
  type WebhookNames,
  fastCheckRange,
  type ConversionSpoke,
} from '../../../project/scaffold/index.ts';
import {
  addSpokes,
  addWebhookOptions,
  fileImports,
  leadsTo,
  type Spliced,
  bodyFields,
} from '../../../compiler/source/index.ts';
import type { WantedWebhooks } from './check-webhook-flags.ts';
import { ownVersions } from './decide-webhooks.ts';
import type { WebhookTarget } from './webhook-target.ts';

/** Input for the plan of the webhooks' code, and its outcome. */
export interface CodePlan {
  readonly project: LoadedProject;
  readonly sources: VersionSources;
  readonly target: WebhookTarget;
  readonly wanted: WantedWebhooks;
  /** Webhooks that the kind will have. */
  readonly webhooks: ProjectWebhooks;
  /** Header of new source files, without comment signs. */
  readonly header: string;
  readonly force: boolean;
  readonly findings: FindingList;
  /** Files that are edited. */
  readonly pending: PendingFiles;
  /** Files that are written as a whole: new ones, and with `--force` those that are there. */
  readonly fresh: { path: string; content: string }[];
  /** Files among `pending` that nobody had edited, and that are scaffolded again; with the line ends of templates. */
  readonly again: { path: string; content: string }[];
  /** Notes for the user. */
  readonly notes: string[];
}

interface CodeFile {
  readonly path: string;
  readonly content: string;
}

/** Plans the functions of a kind's admission webhooks and their test. */
export async function planAdmission(plan: CodePlan): Promise<void> {
  const { project, target, wanted, webhooks, header } = plan;
  const { resource, source, exportName } = target;
  const { defaultingPath, validationPath } = webhooks;
  const paths = { defaultingPath, validationPath };
  const { defaulting, validation } = webhooks;
  const isForeign = !target.isOwn;
  const input = { resource, isForeign, source, exportName, defaulting, validation, ...paths, header };
  const files = await webhookFiles(input, project.root);
  const options = (['defaulting', 'validation'] as const)
    .filter((what) => wanted[what])
    .flatMap((what) => webhookOptions(paths, what));
  await placeCode(plan, files, layout.webhook(resource), (text, path) => {
    const spliced = addWebhookOptions(plan.sources.program.ts, path, text, options);
    return {
      spliced,
      byHand: `${options.map(([, written]) => `${written},`).join('\n')}   // in the options of defineWebhook`,
    };
  });
  const others = project.resources.filter(
    (known) => known.webhooks?.defaulting === true || known.webhooks?.validation === true,
  );
  await register(plan, layout.webhook(resource), webhookNames(resource, others));
}

/** Plans the conversion of a kind and its test, with what the test needs. */
export async function planConversion(plan: CodePlan): Promise<void> {
  const { project, target, webhooks, header, sources } = plan;
  const { resource } = target;
  const own = ownVersions(project, resource);
  const spokes = webhooks.spoke.flatMap((version) => {
    const known = own.find((each) => each.version === version);
    return known === undefined ? [] : [conversionSpoke(sources, resource, known)];
  });
  const added = spokes.filter(({ version }) => resource.webhooks?.spoke.includes(version) !== true);
  const files = await conversionFiles({ hub: resource, spokes, header }, project.root);
  await placeCode(plan, files, layout.conversion(resource), (text, path) => {
    const calls = added.map((spoke) => spokeText(resource.kind, path, spoke));
    return {
      spliced: addSpokes(sources.program.ts, path, text, calls),
      byHand: calls.map(({ importLine, call }) => `${importLine}\n${call}`).join('\n'),
    };
  });
  const others = project.resources.filter((known) => known.webhooks?.conversion === true);
  await register(plan, layout.conversion(resource), conversionNames(resource, others));
  await addFastCheck(plan);
}

/**
 * Places a scaffolded file and its test: written completely if the file does not exist or is unedited, otherwise spliced. The test of an
 * edited file is left to its author.
 */
async function placeCode(
  { project, force, fresh, again, pending, findings, notes }: CodePlan,
  files: readonly CodeFile[],
  main: string,
  splice: (text: string, path: string) => { readonly spliced: Spliced; readonly byHand: string },
): Promise<void> {
  const recorded = recordedTemplates(project.text);
  for (const file of files) {
    const { path } = file;
    const before = force ? undefined : await readFileOf(project.root, path);
    if (before === undefined) fresh.push(file);
    else if (recorded[path] === contentHash(before)) {
      pending.set({ path, content: withLineEndsOf(before, file.content) });
      again.push(file);
    } else if (path !== main) notes.push(`${path} was edited: add tests of what is new there`);
    else {
      const { spliced, byHand } = splice(before, path);
      if ('content' in spliced) pending.set({ path, content: spliced.content });
      else
        findings.add({
          code: 'project/cannot-splice',
          message: `${path} cannot be edited: it ${spliced.problem}`,
          where: { file: path },
          fix: [
            `write this there, and run the command again:\n${byHand}`,
            'overwrite the file with --force; it is kept beside the new one',
          ],
        });
    }
  }
}

/** Adds what a file exports to main, unless main imports the file already. */
async function register(
  { sources, pending, findings }: CodePlan,
  file: string,
  { exported, local }: WebhookNames,
): Promise<void> {
  const main = (await pending.read(layout.main)) ?? '';
  const imports = fileImports(sources.program, layout.main, main);
  if (imports.some(({ target }) => leadsTo(target, file))) return;
  await findings.gather(async () =>
    pending.set(...(await controllerEntry({ exported, local, file }, pending.read))),
  );
}

/** Adds fast-check, with which the test of a conversion generates objects. */
async function addFastCheck({ pending, findings, notes }: CodePlan): Promise<void> {
  const path = layout.packageJson;
  const text = (await pending.read(path)) ?? '';
  await findings.gather(async () => {
    const content = withDevDependency(text, 'fast-check', fastCheckRange);
    if (content === text) return;
    pending.set({ path, content });
    notes.push(`${path} has a new development dependency, fast-check, which makes objects for the test`);
  });
}

/** The files of a project as a command will leave them. */
export class PendingFiles {
  readonly #root: string;
  readonly #texts = new Map<string, string>();

  /** @param root absolute */
  constructor(root: string) {
    this.#root = root;
  }

  /** The text of a file as it will be; undefined if there is none. */
  readonly read = async (path: string): Promise<string | undefined> =>
    this.#texts.get(path) ?? readFileOf(this.#root, path);

  set(...files: readonly { readonly path: string; readonly content: string }[]): void {
    for (const { path, content } of files) this.#texts.set(path, content);
  }

  get files(): readonly { readonly path: string; readonly content: string }[] {
    return [...this.#texts].map(([path, content]) => ({ path, content }));
  }
}

/**
 * Returns a version as the spoke of a hub, with the parts that both have.
 * @param types the version whose types it has, if they are not in its file yet
 */
export function conversionSpoke(
  { program }: VersionSources,
  hub: ProjectResource,
  version: ProjectResource,
  types = version,
): ConversionSpoke {
  const fieldsOf = (resource: ProjectResource): readonly string[] | undefined =>
    bodyFields(program, typesOf(resource), resource.kind);
  const hubFields = fieldsOf(hub) ?? ['spec', 'status'];
  const fields = fieldsOf(types) ?? hubFields;
  return {
    ...{ version: version.version, path: typesOf(version) },
    fields: hubFields.filter((field) => fields.includes(field)),
  };
}

function typesOf(resource: ProjectResource): string {
  return resource.path ?? layout.types(resource);
}

/** Gives the content of a template the line ends of the file that it replaces. */
export function withLineEndsOf(before: string, content: string): string {
  return before.includes('\r\n') ? content.replaceAll('\n', '\r\n') : content;
}
