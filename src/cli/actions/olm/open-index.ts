import { posix } from 'node:path';
import { configsLabel } from '../../../olm/catalog/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import type { ImageContent, Place } from '../../../images/index.ts';
import { imageLabels } from '../../../images/unpack-image.ts';
import type { CliContext } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';
import { unpackCatalog } from '../catalog/open-source.ts';
import { openImage } from '../validate/open-image.ts';

/** The catalogue of an index image, as files, until it is disposed of. */
export interface OpenIndex extends AsyncDisposable {
  /** Undefined if the image has none: it brings opm only. */
  readonly place: Place | undefined;
}

/** The label of a database. Source: operator-registry `pkg/containertools`, `DbLocationLabel`. */
const databaseLabel = 'operators.operatorframework.io.index.database.v1';

/** Opens what `--index-image` names. @throws OpSdkError `oci/…`, `olm/index-with-database` */
export async function openIndex(
  context: CliContext,
  image: string,
  flags: RegistryFlags,
): Promise<OpenIndex> {
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
      message: `'${image}' is not an image; expected one with its registry`,
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
    message: `the catalogue of ${name} is a database; expected a file-based one, or none`,
    where: { flag: '--index-image' },
    fix: [
      'name an image with a file-based catalogue',
      'or one with opm alone: --index-image quay.io/operator-framework/opm:latest',
    ],
  });
}
