import type { FindingList } from '../../../base/errors/index.ts';
import type { EditedFile, VersionSources } from '../../../compiler/manifests/index.ts';
import {
  isSameKind,
  layout,
  readFileOf,
  recordedTemplates,
  setWebhooks,
  type LoadedProject,
} from '../../../project/project/index.ts';
import { contentHash, conversionFiles, spokeText, type ApiInput } from '../../../project/scaffold/index.ts';
import { addSpokes } from '../../../compiler/source/index.ts';
import { newerFirst } from '../../../base/util/kube-version.ts';
import { conversionSpoke, withLineEndsOf } from '../webhooks/conversion-spoke.ts';

/** Changes of a further version to the conversion that its kind has. */
export interface SpokePlan {
  /** The declaration of the conversion, with the version. */
  readonly edited: EditedFile;
  /** The text of PROJECT with the version among the spokes. */
  readonly enter: (text: string) => string;
  /** Note for the user. */
  readonly note: string;
}

/**
 * Plans the spoke of a further version of a kind whose versions are converted: without one its objects could not be. It passes every part whole, as
 * the types are a copy: where they differ from those of the hub, the type checker says what to write.
 *
 * @param findings gets `project/cannot-splice` with the lines to write
 * @returns undefined if nothing converts the versions of the kind, or this one is not new
 */
export async function planFurtherSpoke(
  findings: FindingList,
  sources: VersionSources,
  project: LoadedProject,
  { resource, header }: ApiInput,
): Promise<SpokePlan | undefined> {
  const siblings = project.resources.filter((known) => isSameKind(known, resource));
  const hub = siblings.find(({ webhooks }) => webhooks?.conversion === true);
  if (hub?.webhooks === undefined || siblings.some(({ version }) => version === resource.version))
    return undefined;
  const { webhooks } = hub;
  const path = layout.conversion(hub);
  const before = await readFileOf(project.root, path);
  if (before === undefined) return undefined;
  const newest = siblings.toSorted((a, b) => newerFirst(a.version, b.version))[0] ?? hub;
  const added = conversionSpoke(sources, hub, resource, newest);

  let content = before;
  if (recordedTemplates(project.text)[path] === contentHash(before)) {
    const others = webhooks.spoke.flatMap((version) => siblings.filter((each) => each.version === version));
    const spokes = [...others.map((each) => conversionSpoke(sources, hub, each)), added];
    const input = { hub: { ...hub, path: hub.path ?? layout.types(hub) }, spokes, header };
    const scaffolded = (await conversionFiles(input, project.root)).find((file) => file.path === path);
    content = withLineEndsOf(before, scaffolded?.content ?? before);
  } else {
    const text = spokeText(resource.kind, path, added);
    const spliced = addSpokes(sources.program.ts, path, before, [text]);
    if ('content' in spliced) content = spliced.content;
    else
      findings.add({
        code: 'project/cannot-splice',
        message: `${path} cannot be edited: it ${spliced.problem}`,
        where: { file: path },
        fix: [`write this there, and run the command again:\n${text.importLine}\n${text.call}`],
      });
  }
  const entry = { ...webhooks, spoke: [...webhooks.spoke, resource.version] };
  return {
    edited: { path, before, content },
    enter: (text) => setWebhooks(text, hub, project.resources.indexOf(hub), entry),
    note: `${path} has a spoke for ${resource.version}: edit it where the types differ from ${hub.version}`,
  };
}
