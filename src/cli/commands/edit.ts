import { defineCommand, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { FindingList, OpSdkError, type Finding } from '../../base/errors/index.ts';
import {
  checkTextLine,
  commandRecord,
  layout,
  readFileOf,
  recordCommand,
  recordedTemplates,
  recordTemplates,
  setProjectFlag,
  type LoadedProject,
} from '../../project/project/index.ts';
import {
  contentHash,
  headerFile,
  licenses,
  planFiles,
  readHeader,
  scopeEdits,
  withLicense,
  withoutIdleRecord,
  type WantedFile,
} from '../../project/scaffold/index.ts';
import { reportOverwrites } from '../ui/prompts.ts';
import { carryOut, keepEdits } from '../actions/files/apply-plan.ts';
import { projectToScaffold } from '../actions/files/project-to-scaffold.ts';
import { checkFlag, invalidFlag, missingFlag } from '../actions/input/flag-values.ts';
import { plannedManifests } from '../actions/manifests/made-manifests.ts';
import { hashesOfEdited } from '../actions/versions/further-version.ts';

const flags = {
  namespaced: flag.boolean('the operator works in its own namespace; =false: in all of them', {
    unset: true,
  }),
  multigroup: flag.boolean('record in PROJECT that it has several groups; moves no file', { unset: true }),
  license: flag.text('license', "licence of new source files: 'apache2' or 'none'"),
  owner: flag.text('owner', 'owner named in the copyright of new source files'),
  force: flag.boolean('overwrite a header that was edited; it is kept beside the new one'),
  ...dryRunFlag,
};

export const command = defineCommand({
  locksProject: 'project',
  flags,
  help: `
--namespaced changes config/rbac, the environment variable WATCH_NAMESPACE in config/manager/manager.yaml, and PROJECT. Everything else
in these files stays as it is; what cannot be changed is reported, with the lines to write.`,
  async run(context, options) {
    checkOptions(options);
    const { force = false, dryRun = false, namespaced, multigroup } = options;
    const project = await projectToScaffold(context);
    const { root } = project;
    const findings = new FindingList();
    const scope = await findings.gather(() => editScope(project, namespaced));
    const header = await findings.gather(() => editHeader(project, options));
    findings.throwIfAny();
    const edits = [scope, header].flatMap((each) => each ?? []);
    const fresh = edits.flatMap((each) => each.fresh);
    const edited = await withFormer(
      root,
      edits.flatMap((each) => each.maintained),
    );
    const hashes = {
      ...Object.fromEntries(fresh.map(({ path, content }) => [path, contentHash(String(content))])),
      ...hashesOfEdited(edited, recordedTemplates(project.text)),
    };
    let { text } = project;
    if (namespaced !== undefined) text = setProjectFlag(text, 'namespaced', namespaced);
    if (multigroup !== undefined) text = setProjectFlag(text, 'multigroup', multigroup);
    const { license, owner } = options;
    const run = commandRecord('edit', { namespaced, multigroup, license, owner, force });
    text = recordCommand(text, run);
    if (Object.keys(hashes).length > 0) text = recordTemplates(text, hashes);
    const maintained = [
      ...edits.flatMap((each) => each.maintained),
      { path: layout.projectFile, content: text },
    ];
    await planFiles(root, { fresh, maintained, force });
    const manifests = await plannedManifests(root, [...fresh, ...maintained]);
    // Only a change of the scope affects the generated manifests.
    const generated = namespaced === undefined ? [] : manifests.files;
    const files = { fresh, maintained: [...maintained, ...generated], force };
    const plan = withoutIdleRecord(await planFiles(root, files), run);
    if (force) await reportOverwrites(context, plan);
    const result = await carryOut(
      context,
      await keepEdits(context, plan, { fresh, recorded: recordedTemplates(project.text), dryRun }),
      {
        dryRun,
      },
    );
    const notes = [...edits.flatMap((each) => each.notes), ...multigroupNotes(multigroup)];
    if (!dryRun) for (const note of notes) context.report.info(note);
    return { result, warnings: [...edits.flatMap((each) => each.warnings), ...manifests.warnings] };
  },
});

type Options = ParsedOptions<typeof flags>;

/** Changes that `op-sdk edit` makes to the files of a project. */
interface Edits {
  /** Files to overwrite completely. */
  readonly fresh: readonly WantedFile[];
  readonly maintained: readonly WantedFile[];
  readonly warnings: readonly Finding[];
  /** Notes for the user. */
  readonly notes: readonly string[];
}

/** Checks the flags of `edit`. @throws OpSdkError with a finding for every flag that is wrong */
function checkOptions({ namespaced, multigroup, license, owner }: Options): void {
  const findings = new FindingList();
  if ([namespaced, multigroup, license, owner].every((value) => value === undefined))
    findings.add(
      missingFlag(
        '--namespaced',
        'there is nothing to edit',
        'give --namespaced, --multigroup, --license or --owner; `op-sdk edit --help` explains them',
      ),
    );
  checkFlag(findings, '--owner', owner, checkTextLine, ['write it on one line']);
  if (license !== undefined && licenseOf(license) === undefined)
    findings.add(
      invalidFlag(
        '--license',
        `--license: expected ${licenses.join(' or ')}, got ${JSON.stringify(license)}`,
        `give ${licenses.map((known) => `--license ${known}`).join(' or ')}`,
      ),
    );
  findings.throwIfAny();
}

function licenseOf(name: string | undefined): (typeof licenses)[number] | undefined {
  return licenses.find((known) => known === name);
}

async function editScope(
  project: LoadedProject,
  namespaced: boolean | undefined,
): Promise<Edits | undefined> {
  if (namespaced === undefined) return undefined;
  const { files, warnings } = await scopeEdits(project, namespaced, (path) => readFileOf(project.root, path));
  return {
    fresh: [],
    maintained: files,
    warnings,
    notes: [
      namespaced
        ? 'The operator works in its own namespace. To work in others, list them in WATCH_NAMESPACE and bind its Role there.'
        : 'The operator works in all namespaces.',
      'What an earlier `op-sdk deploy` left keeps its rights: run `op-sdk undeploy` before this change is deployed.',
      ...(await baseCsvNote(project)),
    ],
  };
}

/** Plans the new header of source files, and the licence in package.json. */
async function editHeader(
  { root }: LoadedProject,
  { license: wanted, owner }: Options,
): Promise<Edits | undefined> {
  if (wanted === undefined && owner === undefined) return undefined;
  const path = layout.boilerplate;
  const text = await readFileOf(root, path);
  const present = readHeader(text ?? '');
  const license = licenseOf(wanted) ?? present?.license;
  if (license === undefined)
    throw new OpSdkError({
      code: 'cli/missing-value',
      message: `--owner: expected a license header of op-sdk in ${path}, got another text`,
      where: { file: path },
      fix: [`correct ${path} by hand`, 'add --license and --force to replace that text'],
    });
  const terms = { license, owner: owner === '' ? undefined : (owner ?? present?.owner) };
  const header: WantedFile = { path, content: headerFile(terms) };
  // A header that the user wrote is overwritten only with `--force`.
  const isOurs = text === undefined || present !== undefined;
  const packageJson = (await readFileOf(root, layout.packageJson)) ?? '';
  const changed = wanted === undefined ? packageJson : withLicense(packageJson, license);
  return {
    fresh: isOurs ? [] : [header],
    maintained: [
      ...(isOurs ? [header] : []),
      ...(changed === undefined || changed === packageJson
        ? []
        : [{ path: layout.packageJson, content: changed }]),
    ],
    warnings: [],
    notes: [
      `New source files begin with ${path}; those that are there keep their header.`,
      ...(changed === undefined
        ? [`${layout.packageJson} keeps its "license": it is not one that op-sdk writes.`]
        : []),
    ],
  };
}

function multigroupNotes(multigroup: boolean | undefined): readonly string[] {
  if (multigroup === undefined) return [];
  return [`PROJECT records it. Paths of this layout always have the group, so that no file moves.`];
}

/**
 * Returns a note that the user has to check the install modes in the base ClusterServiceVersion, because op-sdk does not edit that file.
 */
async function baseCsvNote({ root, projectName }: LoadedProject): Promise<readonly string[]> {
  const file = `config/manifests/bases/${projectName}.clusterserviceversion.yaml`;
  const text = await readFileOf(root, file);
  return text === undefined
    ? []
    : [`Check spec.installModes in ${file}: it says in which namespaces OLM lets the operator work.`];
}

/** Returns the given files, each with the content that it has before the command changes it. */
async function withFormer(
  root: string,
  files: readonly WantedFile[],
): Promise<readonly { readonly path: string; readonly before: string; readonly content: string }[]> {
  return Promise.all(
    files.map(async ({ path, content }) => ({
      path,
      before: (await readFileOf(root, path)) ?? '',
      content: String(content),
    })),
  );
}
