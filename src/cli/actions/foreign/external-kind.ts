import { stat, readFile } from 'node:fs/promises';
import { resolve, join } from 'node:path';
import { ownMetadata, uniqueCrds, compareCrds, type CrdDocument } from '../../../kubernetes/crd/index.ts';
import { FindingList, OpSdkError } from '../../../base/errors/index.ts';
import { importCrd } from '../../../compiler/import/index.ts';
import {
  checkKindName,
  checkSubdomain,
  checkVersion,
  layout,
  type LoadedProject,
} from '../../../project/project/index.ts';
import { moduleTokens } from '../../../compiler/source/index.ts';
import { closestName } from '../../../base/util/terminal-words.ts';
import type { CliContext } from '../../command.ts';
import { readSources } from '../import/read-sources.ts';
import { moduleRenderer } from '../import/render-modules.ts';
import { checkFlag, exclusiveFlags, invalidFlag, missingFlag } from '../input/flag-values.ts';
import type { ForeignKind } from './foreign-kind.ts';
import { render, templatesRoot, type JsonValue } from '../../../project/scaffold/index.ts';

/** The flags that name an external kind. */
export interface ExternalFlags {
  readonly externalApiPath: string | undefined;
  readonly externalApiDomain: string | undefined;
  readonly group: string | undefined;
  readonly version: string | undefined;
  readonly kind: string | undefined;
  readonly resource?: boolean | undefined;
  readonly controller?: boolean | undefined;
}

interface Gvk {
  /** Full name of the API group, such as `cert-manager.io`. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * Checks each flag of an external kind on its own, without comparing it with other flags.
 * @throws OpSdkError with a finding for each invalid flag
 */
export function checkExternalFlags(flags: ExternalFlags): void {
  const findings = new FindingList();
  const { externalApiPath, externalApiDomain, controller } = flags;
  if (externalApiPath === undefined)
    findings.add(
      missingFlag(
        '--external-api-path',
        '--external-api-domain needs --external-api-path',
        'add --external-api-path with a CRD (a file, a folder or an https URL), or a module of a package',
      ),
    );
  if (externalApiPath === '')
    findings.add(
      invalidFlag(
        '--external-api-path',
        '--external-api-path is empty',
        'name a CRD, or a module of a package',
      ),
    );
  if (flags.resource === true) findings.add(exclusiveFlags('--resource', '--external-api-path'));
  if (controller === false)
    findings.add(
      invalidFlag(
        '--controller',
        'for an external kind only a controller can be created, and --controller=false asks for none',
        'leave out --controller=false',
        'import its types alone with `op-sdk import crd --client-only`',
      ),
    );
  checkFlag(findings, '--external-api-domain', externalApiDomain, checkSubdomain, [
    'give a domain such as io',
  ]);
  checkFlag(findings, '--group', flags.group, checkSubdomain, ['give a value such as cert-manager']);
  checkFlag(findings, '--version', flags.version, checkVersion, ['give a value such as v1']);
  checkFlag(findings, '--kind', flags.kind, checkKindName, ['give a name such as Certificate']);
  findings.throwIfAny();
}

/**
 * Finds the external kind that the flags name. The kind comes from a CustomResourceDefinition, whose types are imported, or from a module
 * that exports the token (the constant that represents the kind).
 * @throws OpSdkError `project/external-kind`, listing the available kinds; `project/external-module`; and the errors of the CRDs
 */
export async function externalKind(
  context: CliContext,
  project: LoadedProject,
  flags: ExternalFlags,
  header: string,
): Promise<ForeignKind> {
  const source = flags.externalApiPath ?? '';
  return (await isManifest(context.cwd, source))
    ? fromCrd(context, source, flags, header)
    : fromModule(project, source, flags);
}

/**
 * Returns true if the source is a manifest, and false if it is a module of a package. A source is a manifest if its name looks like a file
 * or URL, or if such a file exists.
 */
async function isManifest(cwd: string, source: string): Promise<boolean> {
  if (source === '-' || /^(?:[a-z]+:\/\/|\.{0,2}[/\\])|\.(?:ya?ml|json)$/i.test(source)) return true;
  return stat(resolve(cwd, source)).then(
    () => true,
    () => false,
  );
}

async function fromCrd(
  context: CliContext,
  source: string,
  flags: ExternalFlags,
  header: string,
): Promise<ForeignKind> {
  const { crds, warnings, errors } = await readSources(context, [source]);
  if (errors.length > 0) throw new OpSdkError(errors);
  const unique = uniqueCrds(crds, (left, right) => compareCrds(left, right).length === 0);
  const offered = unique.flatMap(({ crd }) =>
    crd.spec.versions
      .filter(({ served }) => served)
      .map((version) => ({
        group: crd.spec.group,
        version: version.name,
        kind: crd.spec.names.kind,
        crd,
      })),
  );
  const { group, version, kind, crd } = choose(offered, flags, source);
  const render = await moduleRenderer(header);
  const types = importCrd(crd, { clientOnly: true }).find((each) => each.version === version);
  if (types === undefined) throw new Error(`${version} of ${crd.metadata.name} was not imported`);
  const file = layout.externalTypes({ group, version, kind });
  const definition = layout.externalCrd(group, crd.spec.names.plural);
  return {
    resource: {
      ...groupAndDomain(group, flags),
      version,
      kind,
      plural: crd.spec.names.plural,
      path: file,
      external: true,
    },
    source: { file },
    exportName: kind,
    crd: definition,
    testable: true,
    files: [
      { path: file, content: render(types).content },
      {
        path: definition,
        content: await renderTestDefinition(forTests(crd)),
      },
    ],
    warnings,
  };
}

/**
 * Returns the definition in a form that a test control plane can serve. The conversion webhook is removed, because it does not run in
 * tests.
 */
function forTests({ apiVersion, kind, metadata, spec }: CrdDocument): Partial<CrdDocument> {
  const { conversion: _conversion, ...rest } = spec;
  const annotations = ownMetadata(metadata.annotations);
  return {
    apiVersion,
    kind,
    metadata: { name: metadata.name, ...(annotations === undefined ? {} : { annotations }) },
    spec: rest,
  };
}

function fromModule(project: LoadedProject, module: string, flags: ExternalFlags): ForeignKind {
  const refuse = (message: string, ...fix: readonly string[]): OpSdkError =>
    new OpSdkError({
      code: 'project/external-module',
      message,
      where: { flag: '--external-api-path' },
      fix: [...fix, 'or name the CRD of the kind: a file, a folder or an https URL'],
    });
  const tokens = moduleTokens(project.root, module);
  if (tokens === undefined)
    throw refuse(
      `${module} is neither a file or folder, nor a module that the project can import`,
      `install the package, and name a module that its package.json exports`,
    );
  if (tokens.length === 0)
    throw refuse(
      `${module}: expected an exported resource whose fields are literals, found none`,
      'name a module with `export const Kind = externalResource({ … })`, or defineResource, and literals',
    );
  const { token, name } = choose(
    tokens.map((each) => ({ ...each.token, ...each })),
    flags,
    module,
  );
  return {
    resource: {
      ...groupAndDomain(token.group, flags),
      version: token.version,
      kind: token.kind,
      plural: token.plural,
      path: module,
      external: true,
    },
    source: { module },
    exportName: name,
    testable: false,
    files: [],
    warnings: [],
  };
}

/** Returns the one kind of the source that matches the flags. @throws OpSdkError if none or several match */
function choose<T extends Gvk>(offered: readonly T[], flags: ExternalFlags, source: string): T {
  const { group, externalApiDomain: domain, version, kind } = flags;
  const fits = offered.filter(
    (each) =>
      isGroup(each.group, group, domain) &&
      (version === undefined || each.version === version) &&
      (kind === undefined || each.kind === kind),
  );
  const [first, ...more] = fits;
  if (first !== undefined && more.length === 0) {
    const problem = checkKindName(first.kind) ?? checkVersion(first.version);
    if (problem === undefined) return first;
    throw new OpSdkError({
      code: 'project/external-kind',
      message: `${titleOf(first)} of ${source} cannot be recorded in ${layout.projectFile}: ${problem}`,
      where: { flag: '--external-api-path' },
      fix: ['import its types with `op-sdk import crd --client-only`, and write the controller by hand'],
    });
  }
  const asked = [
    ...(group === undefined ? [] : [`--group ${group}`]),
    ...(domain === undefined ? [] : [`--external-api-domain ${domain}`]),
    ...(version === undefined ? [] : [`--version ${version}`]),
    ...(kind === undefined ? [] : [`--kind ${kind}`]),
  ];
  const listed = (first === undefined ? offered : fits).map(titleOf);
  const closest =
    kind === undefined ? undefined : closestName(kind, new Set(offered.map((each) => each.kind)));
  throw new OpSdkError({
    code: 'project/external-kind',
    message:
      first === undefined
        ? `${source} has no kind that matches ${asked.join(' ')}; it has ${listed.join('; ')}`
        : `expected one kind in ${source}${asked.length === 0 ? '' : ` for ${asked.join(' ')}`}, found several: ${listed.join('; ')}`,
    where: { flag: '--external-api-path' },
    fix: [
      ...(first === undefined && closest !== undefined && closest !== kind
        ? [`did you mean --kind ${closest}?`]
        : []),
      'name one of them with --group, --version and --kind',
    ],
  });
}

function titleOf({ group, version, kind }: Gvk): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** Returns true if the full group name matches the flags. Without a domain, `--group cert-manager` also matches cert-manager.io. */
function isGroup(full: string, group: string | undefined, domain: string | undefined): boolean {
  if (domain !== undefined)
    return group === undefined ? full.endsWith(`.${domain}`) : full === `${group}.${domain}`;
  return group === undefined || full === group || full.startsWith(`${group}.`);
}

/**
 * Splits the name of an API group into group and domain, as PROJECT records them. The flags determine the split; without flags, the group
 * is the part before the first dot.
 */
function groupAndDomain(
  full: string,
  { group, externalApiDomain: domain }: ExternalFlags,
): { readonly group: string; readonly domain: string } {
  if (domain !== undefined) return { group: full.slice(0, -domain.length - 1), domain };
  const short = group === undefined || group === full ? (full.split('.')[0] ?? '') : group;
  return { group: short, domain: full.slice(short.length + 1) };
}

/** Renders the file of a CustomResourceDefinition that only the tests of the project install. */
async function renderTestDefinition(document: Partial<CrdDocument>): Promise<string> {
  return render(await readFile(join(templatesRoot, 'import', 'crd.yaml.hbs'), 'utf8'), {
    document: document as JsonValue,
  });
}
