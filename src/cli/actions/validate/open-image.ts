import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOpSdkError } from '../../../base/errors/index.ts';
import {
  parseReference,
  readLayout,
  resolvePlace,
  type ImageContent,
  pullImage,
  unpackImage,
} from '../../../images/index.ts';
import type { CliContext } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';
import { registryOptions } from '../images/registry-options.ts';

/** Opened bundle as a folder. The folder can be read until this object is disposed of. */
export interface OpenBundle extends AsyncDisposable {
  /** Path of the folder, absolute or relative to the working directory. */
  readonly dir: string;
  /** Name of the bundle in findings. Default: `dir`. */
  readonly shown?: string;
}

const layoutPrefix = 'oci:';

/**
 * Unpacks the image that `text` names into a temporary folder. `oci:DIR` names the only image of an OCI layout folder.
 * @param unpack writes the files that the caller needs from the image into the folder
 * @returns undefined if `text` does not name an image: a name without registry, tag and digest is more likely a mistyped folder
 * @throws OpSdkError `oci/…`
 */
export async function openImage(
  context: CliContext,
  text: string,
  flags: RegistryFlags,
  unpack: (content: ImageContent, name: string, folder: string) => Promise<void> = unpackImage,
): Promise<OpenBundle | undefined> {
  const isLayout = text.startsWith(layoutPrefix);
  if (!isLayout && !namesImage(text)) return undefined;
  if (!isLayout) context.report.step(`pulling ${text}`);
  const content = isLayout
    ? await readLayout(resolvePlace(context.cwd, text.slice(layoutPrefix.length)))
    : await pullImage(parseReference(text), registryOptions(context, flags));
  const dir = await mkdtemp(join(await realpath(tmpdir()), 'op-sdk-bundle-'));
  const remove = (): Promise<void> => rm(dir, { recursive: true, force: true });
  try {
    await unpack(content, text, dir);
    return { dir, shown: text, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function namesImage(text: string): boolean {
  try {
    const { tag, digest } = parseReference(text);
    const hasRegistry = /^(?:[^/]*[^./][^/]*[.:][^/]*|localhost)\//.test(text);
    return hasRegistry || tag !== undefined || digest !== undefined;
  } catch (error) {
    if (isOpSdkError(error)) return false;
    throw error;
  }
}
