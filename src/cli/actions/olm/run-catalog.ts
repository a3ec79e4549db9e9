import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import {
  configsFolder,
  planAddition,
  renderCatalogBundle,
  configsLabel,
} from '../../../olm/catalog/index.ts';
import { isOpSdkError, OpSdkError } from '../../../base/errors/index.ts';
import { type Place, type ImageContent, imageLabels } from '../../../images/index.ts';
import { defaultIndexImage, runChannel } from '../../../olm/run/index.ts';
import { applyPlan } from '../../../project/scaffold/index.ts';
import type { CliContext } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';
import { openSource, unpackCatalog } from '../catalog/sources.ts';
import { openImage } from '../validate/open-image.ts';
import type { BundleToRun } from './open-bundle-to-run.ts';

/** Existing catalogue to which the new version is added, given as an image or as its parts in ConfigMaps. */
export type FormerCatalog =
  { readonly image: string } | { readonly shown: string; readonly parts: readonly string[] };

/** Installed operator version that the new version replaces. */
export interface Predecessor {
  /** The name of the installed ClusterServiceVersion. */
  readonly csv: string;
  /**
   * Catalogue from which the installed version came. Undefined if that version came from no catalogue; the new catalogue then contains only
   * the new version.
   */
  readonly catalog: FormerCatalog | undefined;
}

interface RunCatalog {
  readonly bundle: BundleToRun;
  /** Image from which the cluster pulls the bundle. */
  readonly image: string;
  readonly flags: RegistryFlags;
  readonly predecessor?: Predecessor | undefined;
  /** Image of the catalogue to which the bundle is added, unless a predecessor is installed. Default: none. */
  readonly indexImage?: string | undefined;
}

/**
 * Creates the catalogue for `run bundle` in a temporary folder: the catalogue of the installed operator version or of the index image, with
 * the bundle added.
 * @throws OpSdkError for content that the catalogue cannot hold, `olm/foreign-head`, `olm/index-with-database`, `oci/…`
 */
export async function withRunCatalog<T>(
  context: CliContext,
  { bundle, image, flags, predecessor, indexImage }: RunCatalog,
  use: (catalog: Place) => Promise<T>,
): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), 'op-sdk-catalog-'));
  const folder = join(root, configsFolder);
  try {
    if (predecessor?.catalog !== undefined) await bringCatalogue(context, predecessor.catalog, folder, flags);
    // The default index image of operator-sdk contains no catalogue, so it is not read.
    if (predecessor === undefined && indexImage !== undefined && indexImage !== defaultIndexImage)
      await bringIndex(context, indexImage, folder, flags);
    const plan = await additionTo(
      {
        folder: { root, path: configsFolder, shown: configsFolder },
        bundle: await renderCatalogBundle(bundle.place, image),
        channels: [runChannel],
        defaultChannel: runChannel,
        entry: { name: bundle.csv, replaces: predecessor?.csv ?? '', skips: [], skipRange: '' },
      },
      bundle,
      predecessor,
    );
    await applyPlan(plan);
    return await use({ path: folder, shown: configsFolder });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/**
 * Plans the addition of the bundle to the catalogue.
 * @throws OpSdkError `olm/foreign-head` if the head of the catalogue's channel is not the installed version
 */
async function additionTo(
  addition: Parameters<typeof planAddition>[0],
  { packageName }: BundleToRun,
  predecessor: Predecessor | undefined,
): ReturnType<typeof planAddition> {
  try {
    return await planAddition(addition);
  } catch (error) {
    const { csv, catalog } = predecessor ?? {};
    if (catalog === undefined || !isOpSdkError(error) || error.code !== 'catalog/several-heads') throw error;
    const shown = 'image' in catalog ? catalog.image : catalog.shown;
    const graph = error.findings.map(({ message }) => message).join('; ');
    throw new OpSdkError(
      {
        code: 'olm/foreign-head',
        message: `the installed version ${csv} is not the head of the catalogue ${shown} that it was installed from: ${graph}`,
        where: { object: shown },
        fix: [
          'wait until OLM has installed the head of the catalogue',
          `or remove the operator, and install this version: op-sdk cleanup ${packageName}`,
        ],
      },
      { cause: error },
    );
  }
}

/** Copies the catalogue from which the installed operator version came into a folder. */
async function bringCatalogue(
  context: CliContext,
  catalog: FormerCatalog,
  to: string,
  flags: RegistryFlags,
): Promise<void> {
  if ('parts' in catalog) {
    await mkdir(to, { recursive: true });
    for (const [index, part] of catalog.parts.entries())
      await writeFile(join(to, `part-${index + 1}.yaml`), part);
    return;
  }
  const { image } = catalog;
  await using source = await openSource(context, image, flags);
  if (source.kind !== 'catalog')
    throw new OpSdkError({
      code: 'catalog/not-renderable',
      message: `${image} is a bundle; expected the catalogue of the installed version`,
      where: { object: image },
    });
  await cp(source.place.path, to, { recursive: true });
}

async function bringIndex(
  context: CliContext,
  image: string,
  to: string,
  flags: RegistryFlags,
): Promise<void> {
  await using index = await openIndex(context, image, flags);
  if (index.place !== undefined) await cp(index.place.path, to, { recursive: true });
}

/** Opened catalogue of an index image. The files of the catalogue can be read until this object is disposed of. */
interface OpenIndex extends AsyncDisposable {
  /** Folder of the catalogue. Undefined if the image contains only opm and no catalogue. */
  readonly place: Place | undefined;
}

/** Label of an index image that stores its catalogue as a database. Source: operator-registry `pkg/containertools`, `DbLocationLabel`. */
const databaseLabel = 'operators.operatorframework.io.index.database.v1';

/** Opens the image that `--index-image` names. @throws OpSdkError `oci/…`, `olm/index-with-database` */
async function openIndex(context: CliContext, image: string, flags: RegistryFlags): Promise<OpenIndex> {
  let folder: string | undefined;
  const unpack = async (content: ImageContent, name: string, dir: string): Promise<void> => {
    const { [configsLabel]: configs, [databaseLabel]: database } = await imageLabels(content, name);
    if (configs !== undefined) folder = await unpackCatalog(content, { name, configs }, dir);
    else if (database !== undefined) throw withDatabase(name);
  };
  const opened = await openImage(context, image, flags, unpack);
  if (opened === undefined)
    throw new OpSdkError({
      code: 'oci/invalid-reference',
      message: `--index-image: expected the name of an image with its registry, got '${image}'`,
      where: { flag: '--index-image' },
      fix: ['write it as in --index-image quay.io/operator-framework/opm:latest'],
    });
  return {
    place:
      folder === undefined
        ? undefined
        : { path: posix.join(opened.dir, folder), shown: posix.join(image, folder) },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

function withDatabase(name: string): OpSdkError {
  return new OpSdkError({
    code: 'olm/index-with-database',
    message: `the image ${name} holds its catalogue as a database; expected a file-based catalogue, or none`,
    where: { flag: '--index-image' },
    fix: [
      'name an image with a file-based catalogue',
      'or name an image with opm and without a catalogue: --index-image quay.io/operator-framework/opm:latest',
    ],
  });
}
