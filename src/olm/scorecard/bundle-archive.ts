import { readdir } from 'node:fs/promises';
import { FindingList } from '../../errors/index.ts';
import { createLayer, folderEntries, type Place } from '../../oci/index.ts';

/**
 * The files of a bundle as test images find them in /bundle: a tar archive in gzip.
 *
 * @throws OpSdkError `oci/unfit-file`, `io/cannot-read`
 */
export async function bundleArchive(bundle: Place): Promise<Uint8Array> {
  const findings = new FindingList();
  const entries = await folderEntries(bundle, (await readdir(bundle.path)).sort(), findings);
  findings.throwIfAny();
  return createLayer(entries, '').bytes;
}
