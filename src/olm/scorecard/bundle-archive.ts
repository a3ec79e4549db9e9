import { readdir } from 'node:fs/promises';
import { FindingList } from '../../base/errors/index.ts';
import { createLayer, folderEntries, type Place } from '../../images/index.ts';
import { isLeftover } from '../../base/util/leftovers.ts';

/**
 * The files of a bundle as test images find them in /bundle: a tar archive in gzip.
 *
 * @throws OpSdkError `oci/unfit-file`, `io/cannot-read`
 */
export async function bundleArchive(bundle: Place): Promise<Uint8Array> {
  const findings = new FindingList();
  const names = (await readdir(bundle.path)).filter((name) => !isLeftover(name));
  const entries = await folderEntries(bundle, names.sort(), findings);
  findings.throwIfAny();
  return createLayer(entries, '').bytes;
}
