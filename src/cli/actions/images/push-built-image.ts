import { configsLabel, judgeCatalog, noPackages } from '../../../olm/catalog/index.ts';
import { FindingList, OpSdkError } from '../../../base/errors/index.ts';
import {
  formatReference,
  imageStore,
  isIndex,
  listLayout,
  parseReference,
  resolvePlace,
  readBlob,
  readLayout,
  readImageManifest,
  withDefaultTag,
  type ImageContent,
  type ImageReference,
  type LayoutEntry,
  type Place,
  loadAuthorities,
  pushImage,
  imageLabels,
} from '../../../images/index.ts';
import type { CliContext, CommandOutcome } from '../../command.ts';
import { pushedKinds, type PushedKind, type PushOptions } from '../../flags/registry-flags.ts';
import { registryOptions, noRegistryNamed } from './registry-options.ts';
import { invalidFlag } from '../input/flag-values.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { tmpdir } from 'node:os';
import { unpackCatalog } from '../catalog/sources.ts';

/**
 * Labels that identify images of bundles and catalogues. Every bundle image and every catalogue image has its label, and no other image has
 * one of them. Source: OLM, "Operator Bundle", "File-based catalogs".
 */
const labels = {
  bundle: 'operators.operatorframework.io.bundle.mediatype.v1',
  catalog: configsLabel,
} as const;

/**
 * Pushes an image that was built before. Used by `op-sdk bundle push` and `op-sdk image push`.
 * @throws OpSdkError `oci/…`
 */
export async function pushBuiltImage(
  context: CliContext,
  options: PushOptions,
  text: string | undefined,
  kind: PushedKind,
): Promise<CommandOutcome> {
  const pushed = await pushImageOf(context, options, text, kind);
  const { image, digest } = pushed;
  return { result: pushed, text: `${image.replace(/@sha256:.*$/, '')}@${digest}` };
}

/**
 * Pushes an image that was built before, and returns its reference.
 * @throws OpSdkError `oci/…`
 */
export async function pushImageOf(
  context: CliContext,
  options: PushOptions,
  text: string | undefined,
  kind: PushedKind,
): Promise<{ readonly image: string; readonly digest: string }> {
  const registry = registryOptions(context, options);
  const findings = new FindingList();
  const wanted = await findings.gather(() => {
    const parsed = text === undefined ? undefined : withDefaultTag(parseReference(text, '[image]'));
    if (parsed !== undefined) checkNamesRegistry(parsed, text ?? '');
    return parsed;
  });
  await findings.gather(() => options.from === undefined || layoutFolder(options.from));
  // The certificate authorities are loaded here only to check the flag, so that all findings about flags are reported together. They are
  // loaded again when the registry is contacted.
  await findings.gather(() => loadAuthorities(registry.caFile, registry.env));
  findings.throwIfAny();
  const { reference, content } = await findImage(context, options, wanted, kind);
  if (wanted === undefined) checkNamesRegistry(reference, formatReference(reference));
  const image = formatReference(withoutDigest(reference));
  if (kind === 'catalog') await refuseWithoutPackages(content, image);
  context.report.step(`pushing ${image}`);
  const { digest } = await pushImage(reference, content, registry);
  return { image, digest };
}

interface FoundImage {
  readonly reference: ImageReference;
  readonly content: ImageContent;
}

async function findImage(
  context: CliContext,
  { from }: PushOptions,
  wanted: ImageReference | undefined,
  kind: PushedKind,
): Promise<FoundImage> {
  const store = resolvePlace(context.cwd, from === undefined ? imageStore : layoutFolder(from));
  const entries = await listLayout(store);
  if (wanted !== undefined) {
    const entry = entries.find(({ name, root }) =>
      isSame(parseName(name, parseReference), root.digest, wanted),
    );
    if (entry !== undefined) return { reference: wanted, content: await readLayout(store, entry.name) };
    // An image layout made by another tool may use any name for its image. If the layout has only one image, that image is used regardless
    // of its name.
    if (from !== undefined && entries.length <= 1)
      return { reference: wanted, content: await readLayout(store) };
    throw notBuilt(store, entries, kind, wanted);
  }
  for (const entry of [...entries].reverse()) {
    const content = await readLayout(store, entry.name);
    const reference = parseName(entry.name, parseReference);
    if (reference !== undefined && (await kindOf(content)) === kind) return { reference, content };
  }
  throw notBuilt(store, entries, kind, undefined);
}

function layoutFolder(from: string): string {
  if (from.startsWith('oci:') && from.length > 'oci:'.length) return from.slice('oci:'.length);
  throw new OpSdkError(
    invalidFlag(
      '--from',
      `--from: expected oci: and the folder of an OCI image layout, got '${from}'`,
      'write --from oci:DIR',
    ),
  );
}

/**
 * Parses the name of an entry in an image layout as an image reference. Returns undefined for a name that is not a reference, because other
 * tools may write any text.
 */
function parseName(name: string, parse: (text: string) => ImageReference): ImageReference | undefined {
  try {
    return parse(name);
  } catch (error) {
    if (error instanceof OpSdkError) return undefined;
    throw error;
  }
}

function isSame(entry: ImageReference | undefined, digest: string, wanted: ImageReference): boolean {
  if (entry?.registry !== wanted.registry || entry.repository !== wanted.repository) return false;
  if (wanted.digest !== undefined && wanted.digest !== digest) return false;
  return wanted.tag === undefined || (entry.tag ?? 'latest') === wanted.tag;
}

async function kindOf(content: ImageContent): Promise<PushedKind> {
  if (isIndex(content.root)) return 'image';
  const { config } = await readImageManifest(content, content.root);
  const document: unknown = JSON.parse((await readBlob(content, config)).toString('utf8'));
  const own = (document as { config?: { Labels?: Record<string, string> } } | null)?.config?.Labels;
  if (own?.[labels.bundle] !== undefined) return 'bundle';
  return own?.[labels.catalog] === undefined ? 'image' : 'catalog';
}

function withoutDigest({ registry, repository, tag, digest }: ImageReference): ImageReference {
  if (tag !== undefined) return { registry, repository, tag };
  return { registry, repository, ...(digest === undefined ? {} : { digest }) };
}

function checkNamesRegistry(reference: ImageReference, text: string): void {
  const finding = noRegistryNamed(reference, text, '[image]');
  if (finding !== undefined) throw new OpSdkError(finding);
}

function notBuilt(
  { shown }: Place,
  entries: readonly LayoutEntry[],
  kind: PushedKind,
  wanted: ImageReference | undefined,
): OpSdkError {
  const what = wanted === undefined ? pushedKinds[kind] : 'the named image';
  const names = entries.map(({ name }) => name);
  const holds = names.length === 0 ? 'it holds none' : `it holds ${names.join(', ')}`;
  return new OpSdkError({
    code: 'oci/image-not-found',
    message: `${what} not found in ${shown}: ${holds}`,
    where: { file: shown },
    fix: [`build it first: op-sdk ${kind} build --tag REGISTRY/REPOSITORY:TAG`],
  });
}

/**
 * Refuses to push a catalogue image that contains no packages, even if another tool built the image.
 * @throws OpSdkError `catalog/empty`
 */
async function refuseWithoutPackages(content: ImageContent, name: string): Promise<void> {
  const configs = (await imageLabels(content, name))[configsLabel];
  if (configs === undefined) return;
  const folder = await mkdtemp(join(tmpdir(), 'op-sdk-catalog-'));
  try {
    const path = posix.join(folder, await unpackCatalog(content, { name, configs }, folder));
    const { catalog, warnings } = await judgeCatalog({ path, shown: name });
    if (catalog.packages.length === 0) throw noPackages(name, warnings);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
