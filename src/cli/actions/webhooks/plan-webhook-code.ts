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

/** Input for planning the code of a kind's webhooks, and lists that collect the planned changes. */
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
  /** Existing files to edit. */
  readonly pending: PendingFiles;
  /** Files to write completely: new files and, with `--force`, existing files. */
  readonly fresh: { path: string; content: string }[];
  /**
   * Files among `pending` that nobody had edited and that are therefore scaffolded again. Their content has the line ends of the templates.
   */
  readonly again: { path: string; content: string }[];
  /** Notes for the user. */
  readonly notes: string[];
}

interface CodeFile {
  readonly path: string;
  readonly content: string;
}

/** Plans the files with the functions and the tests of a kind's admission webhooks. */
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

/** Plans the conversion of a kind, the test of the conversion, and the development dependency that this test needs. */
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
 * Plans a scaffolded file and its test. A file that does not exist or is unedited is written completely; into an edited file, the new code
 * is inserted. An edited test is not changed, but a note asks the author to add tests.
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
          message: `${path} cannot be edited: the file ${spliced.problem}`,
          where: { file: path },
          fix: [
            `write this there, and run the command again:\n${byHand}`,
            'overwrite the file with --force; it is kept beside the new one',
          ],
        });
    }
  }
}

/** Registers the exports of a file in main, unless main imports the file already. */
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

/** Adds the development dependency fast-check, with which the test of a conversion generates objects. */
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

/** Planned state of the project's files: the texts that the files will have after the command has run. */
export class PendingFiles {
  readonly #root: string;
  readonly #texts = new Map<string, string>();

  /** @param root absolute path of the project */
  constructor(root: string) {
    this.#root = root;
  }

  /** Returns the text that a file will have; undefined if the file does not exist. */
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
 * Returns the data to scaffold a version as the spoke of a hub, with the parts that exist in both versions.
 * @param types version from which the types are read, if the file of the spoke version does not contain the types yet
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

/** Converts the line ends of a template's content to those of the file that the content replaces. */
export function withLineEndsOf(before: string, content: string): string {
  return before.includes('\r\n') ? content.replaceAll('\n', '\r\n') : content;
}
