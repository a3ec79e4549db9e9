import { readCrds, type CrdDocument } from '../../kubernetes/crd/index.ts';
import { FindingList, isOpSdkError } from '../../base/errors/index.ts';
import { readManifestFiles } from '../manifest-files.ts';

/** A CRD and the file that it was read from. */
export interface CrdFile {
  readonly file: string;
  readonly crd: CrdDocument;
}

/**
 * Reads CRDs from YAML and JSON files, and from folders of them (not recursive), as every command reads them. In a folder everything else
 * is passed over; a file that was named must hold at least one CRD. What the API server has against a CRD it will say itself.
 * @throws OpSdkError with all findings
 */
export async function readCrdFiles(paths: readonly string[]): Promise<readonly CrdFile[]> {
  const findings = new FindingList();
  const found: CrdFile[] = [];
  for (const { file, text, named } of await readManifestFiles(paths, findings)) {
    const crds = crdsIn(text, file, findings);
    if (named && text.trim() !== '' && crds?.length === 0)
      findings.add({
        code: 'testenv/invalid-crd',
        message: 'the file holds no CustomResourceDefinition',
        where: { file },
      });
    found.push(...(crds ?? []));
  }
  findings.throwIfAny();
  return found;
}

/** Undefined if the file cannot be read. */
function crdsIn(text: string, file: string, findings: FindingList): readonly CrdFile[] | undefined {
  try {
    return readCrds(text, file).crds.map(({ crd }) => ({ file, crd }));
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    findings.add(...error.findings);
    return undefined;
  }
}
